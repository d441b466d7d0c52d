/**
 * Extracts the input of the rules from a page: names, forms, links, scripts and embedded pages. It
 * reads tokens and builds no tree, so time and memory are linear in the length of the page; a
 * hostile tree can be quadratic.
 */
import type * as parse5 from 'parse5'
import type { Token, Tokenizer } from 'parse5'
import { onFirstUse } from '../../../../kernel/process/first-use.ts'
import type { FormField } from './fields.ts'
import { ForeignContent } from './foreign-content.ts'

const parser = onFirstUse<typeof parse5>('parse5')

export interface PageForm {
  line: number
  /** Targets of the form and its buttons; empty if it posts to its own page. */
  actions: { value: string; line: number }[]
  collection: string | null
  fields: FormField[]
}

export interface CheckedLink {
  line: number
  href: string
  text: string
}

export interface ParsedPage {
  base: string | null
  title: string
  headings: string[]
  /** Other names of the page: og:site_name, application-name. */
  names: string[]
  forms: PageForm[]
  links: CheckedLink[]
  /** Every URL in the page, including links and forms. */
  addresses: { line: number; value: string }[]
  scripts: { line: number; text: string }[]
  /** Embedded pages, as text. */
  inner: { line: number; text: string }[]
  /** The visible text, for rules about the wording. */
  text: string
}

const TEXT_CHARACTERS_MAX = 300
const PAGE_TEXT_CHARACTERS_MAX = 400_000

const rcdata = new Set(['title', 'textarea'])
const rawText = new Set(['style', 'xmp', 'iframe', 'noembed', 'noframes'])
const addressAttributes = [
  'href',
  'src',
  'action',
  'formaction',
  'data',
  'poster',
  'ping',
  'background',
]
const fields = new Set(['input', 'textarea', 'button'])
const framed = new Set(['iframe', 'frame', 'object', 'embed'])

/** A text collected up to a maximum length. */
interface Gathered {
  text: string
}

interface Label {
  field_id: string | null
  gathered: Gathered
  fields: FormField[]
}

function append(to: Gathered | null, text: string): void {
  if (to !== null && to.text.length < TEXT_CHARACTERS_MAX) {
    to.text += text.slice(0, TEXT_CHARACTERS_MAX - to.text.length)
  }
}

export function readPage(text: string): ParsedPage {
  const reader = new PageReader()
  const tokenizer = new (parser().Tokenizer)({ sourceCodeLocationInfo: true }, reader)
  reader.tokenizer = tokenizer
  tokenizer.write(text, true)
  return reader.finish()
}

class PageReader {
  tokenizer: Tokenizer | null = null
  readonly #page: ParsedPage = {
    base: null,
    title: '',
    headings: [],
    names: [],
    forms: [],
    links: [],
    addresses: [],
    scripts: [],
    inner: [],
    text: '',
  }
  readonly #foreign = new ForeignContent()
  readonly #formsById = new Map<string, PageForm>()
  /** Fields outside their form, which refer to it by id. */
  readonly #elsewhere: {
    form: string
    field: FormField | null
    action: PageForm['actions'][number] | null
  }[] = []
  readonly #labels: Label[] = []
  readonly #fieldsById = new Map<string, FormField>()
  readonly #textParts: string[] = []
  readonly #headings: Gathered[] = []
  #textLength = 0
  #form: PageForm | null = null
  /** A form that holds the fields outside every form; null if there are none. */
  #loose: PageForm | null = null
  #title: Gathered | null = null
  #heading: Gathered | null = null
  #link: (Gathered & { line: number; href: string }) | null = null
  #label: Label | null = null
  #script: { line: number; parts: string[] } | null = null
  #hidden = false
  #titleText: Gathered | null = null

  onComment(): void {}
  onDoctype(): void {}
  onEof(): void {}
  onNullCharacter(): void {}

  onWhitespaceCharacter(token: Token.CharacterToken): void {
    this.onCharacter(token)
  }

  onCharacter({ chars }: Token.CharacterToken): void {
    if (this.#script !== null) {
      this.#script.parts.push(chars)
      return
    }
    if (this.#hidden) return
    append(this.#title, chars)
    append(this.#heading, chars)
    append(this.#link, chars)
    append(this.#label?.gathered ?? null, chars)
    if (this.#textLength >= PAGE_TEXT_CHARACTERS_MAX) return
    this.#textLength += chars.length
    this.#textParts.push(chars)
  }

  onStartTag(token: Token.TagToken): void {
    const name = token.tagName
    const attributes = new Map(token.attrs.map(({ name, value }) => [name, value]))
    const line = token.location?.startLine ?? 1
    this.#foreign.enter(name, token.selfClosing)
    this.#tellForeign()
    if (!this.#foreign.inside) this.#switchState(name)
    this.#readAddresses(name, attributes, line)
    this.#readElement(name, attributes, line)
  }

  onEndTag({ tagName }: Token.TagToken): void {
    this.#foreign.leave(tagName)
    this.#tellForeign()
    if (tagName === 'script') this.#endScript()
    else if (rawText.has(tagName)) this.#hidden = false
    else if (tagName === 'title') this.#title = null
    else if (tagName === 'h1') this.#heading = null
    else if (tagName === 'a') this.#endLink()
    else if (tagName === 'label') this.#label = null
    else if (tagName === 'form') this.#form = null
  }

  finish(): ParsedPage {
    this.#endScript()
    this.#endLink()
    this.#joinForms()
    this.#joinLabels()
    const page = this.#page
    page.title = this.#titleText?.text ?? ''
    page.headings = this.#headings.map(({ text }) => text)
    page.text = this.#textParts.join('')
    return page
  }

  /** Adds the fields and buttons outside a form to the form that they refer to. */
  #joinForms(): void {
    for (const { form, field, action } of this.#elsewhere) {
      const owner = this.#formsById.get(form) ?? this.#looseForm(field?.line ?? action?.line ?? 1)
      if (field !== null) owner.fields.push(field)
      if (action !== null) owner.actions.push(action)
    }
  }

  #joinLabels(): void {
    for (const { field_id, gathered, fields } of this.#labels) {
      const named = field_id === null ? undefined : this.#fieldsById.get(field_id)
      const words = gathered.text.toLowerCase().trim()
      for (const field of named === undefined ? fields : [named]) field.words.push(words)
    }
  }

  #tellForeign(): void {
    if (this.tokenizer !== null) this.tokenizer.inForeignNode = this.#foreign.inside
  }

  /** Sets the tokenizer state that a tree builder of a browser would set. */
  #switchState(name: string): void {
    const tokenizer = this.tokenizer
    if (tokenizer === null) return
    const { TokenizerMode } = parser()
    if (rcdata.has(name)) tokenizer.state = TokenizerMode.RCDATA
    else if (rawText.has(name)) tokenizer.state = TokenizerMode.RAWTEXT
    else if (name === 'script') tokenizer.state = TokenizerMode.SCRIPT_DATA
    else if (name === 'plaintext') tokenizer.state = TokenizerMode.PLAINTEXT
    if (rawText.has(name)) this.#hidden = true
  }

  #readAddresses(name: string, attributes: Map<string, string>, line: number): void {
    for (const attribute of addressAttributes) {
      const value = attributes.get(attribute) ?? ''
      if (value === '') continue
      this.#page.addresses.push({ line, value })
      if (framed.has(name)) this.#readInner(line, value)
    }
    const linked = attributes.get('xlink:href')
    if (linked !== undefined) this.#page.addresses.push({ line, value: linked })
    const srcdoc = attributes.get('srcdoc')
    if (srcdoc !== undefined) this.#page.inner.push({ line, text: srcdoc })
  }

  /** Reads a page in a data URL, which a frame shows as part of the site. */
  #readInner(line: number, value: string): void {
    const found = /^\s*data:(text\/html|application\/xhtml\+xml|image\/svg\+xml)([^,]*),/i.exec(
      value,
    )
    if (found === null) return
    const body = value.slice(found[0].length)
    const text = /;\s*base64\s*$/i.test(found[2] ?? '')
      ? Buffer.from(body, 'base64').toString()
      : decodePercent(body)
    this.#page.inner.push({ line, text })
  }

  #readElement(name: string, attributes: Map<string, string>, line: number): void {
    if (name === 'meta') this.#readMeta(attributes, line)
    else if (name === 'a' || name === 'area') this.#beginLink(attributes, line)
    else if (name === 'form') this.#beginForm(attributes, line)
    else if (fields.has(name)) this.#readField(name, attributes, line)
    else if (name === 'base') this.#page.base ??= attributes.get('href') ?? null
    else this.#beginText(name, attributes, line)
  }

  /** Starts to collect the text of an element. */
  #beginText(name: string, attributes: Map<string, string>, line: number): void {
    const gathered: Gathered = { text: '' }
    if (name === 'script') this.#script = { line, parts: [] }
    else if (name === 'h1') this.#headings.push((this.#heading = gathered))
    else if (name === 'label') {
      this.#label = { field_id: attributes.get('for') ?? null, gathered, fields: [] }
      this.#labels.push(this.#label)
    } else if (name === 'title' && this.#titleText === null && !this.#foreign.begun) {
      this.#title = this.#titleText = gathered
    }
  }

  #readMeta(attributes: Map<string, string>, line: number): void {
    const content = attributes.get('content') ?? ''
    const name = (attributes.get('property') ?? attributes.get('name') ?? '').toLowerCase()
    if (['og:site_name', 'application-name', 'og:title'].includes(name)) {
      this.#page.names.push(content.slice(0, TEXT_CHARACTERS_MAX))
    }
    if (attributes.get('http-equiv')?.toLowerCase() !== 'refresh') return
    const found = /^[\s\d.]*[;,]\s*(?:url\s*=\s*)?["']?([^"']+)/i.exec(content)
    if (found?.[1] !== undefined) this.#page.addresses.push({ line, value: found[1] })
  }

  #beginLink(attributes: Map<string, string>, line: number): void {
    this.#endLink()
    const href = attributes.get('href') ?? attributes.get('xlink:href')
    if (href !== undefined) this.#link = { line, href, text: '' }
  }

  #endLink(): void {
    if (this.#link !== null) this.#page.links.push(this.#link)
    this.#link = null
  }

  #endScript(): void {
    if (this.#script === null) return
    this.#page.scripts.push({ line: this.#script.line, text: this.#script.parts.join('') })
    this.#script = null
  }

  #beginForm(attributes: Map<string, string>, line: number): void {
    // Browsers ignore a form inside a form.
    if (this.#form !== null) return
    const action = attributes.get('action')
    this.#form = {
      line,
      actions: action === undefined ? [] : [{ value: action, line }],
      collection: attributes.get('data-collection') ?? null,
      fields: [],
    }
    this.#page.forms.push(this.#form)
    const id = attributes.get('id')
    if (id !== undefined && !this.#formsById.has(id)) this.#formsById.set(id, this.#form)
  }

  #readField(name: string, attributes: Map<string, string>, line: number): void {
    const value = attributes.get('formaction')
    const action = value === undefined ? null : { value, line }
    const field = name === 'button' ? null : fieldOf(name, attributes, line)
    const id = attributes.get('id')
    if (field !== null && id !== undefined) this.#fieldsById.set(id, field)
    if (field !== null) this.#label?.fields.push(field)
    const form = attributes.get('form')
    if (form !== undefined) {
      this.#elsewhere.push({ form, field, action })
      return
    }
    const owner = this.#form ?? (field === null ? null : this.#looseForm(line))
    if (field !== null) owner?.fields.push(field)
    if (action !== null) owner?.actions.push(action)
  }

  #looseForm(line: number): PageForm {
    if (this.#loose === null) {
      this.#loose = { line, actions: [], collection: null, fields: [] }
      this.#page.forms.push(this.#loose)
    }
    return this.#loose
  }
}

function fieldOf(element: string, attributes: Map<string, string>, line: number): FormField {
  const words = ['name', 'id', 'placeholder', 'aria-label', 'title']
    .map((name) => attributes.get(name)?.slice(0, TEXT_CHARACTERS_MAX).toLowerCase().trim() ?? '')
    .filter((word) => word !== '')
  const type = element === 'textarea' ? 'textarea' : (attributes.get('type') ?? 'text')
  return {
    line,
    type: type.toLowerCase().trim(),
    words,
    autocomplete: (attributes.get('autocomplete') ?? '').toLowerCase(),
    style: (attributes.get('style') ?? '').toLowerCase().slice(0, TEXT_CHARACTERS_MAX),
  }
}

/** Decodes percent-encoding; invalid sequences do not fail. */
export function decodePercent(text: string): string {
  const bytes = text.replace(/%([0-9a-f]{2})/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
  return /[\u0080-\u00ff]/.test(bytes) && !/[\u0100-\uffff]/.test(bytes)
    ? Buffer.from(bytes, 'latin1').toString()
    : bytes
}
