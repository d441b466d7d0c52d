/**
 * Finds the forms of a page that post to collections of this service or order products, and their
 * public tokens, and can insert tokens. Also finds the script tag of the chat. Pure.
 */
import type { Token } from 'parse5'
import * as publicTokens from '../../public-tokens/service.ts'
import { edited, escaped, placeOf, readTags, type Edit, type Place } from './tag-reader.ts'

export interface TokenForm {
  /** Null: the form orders products. */
  collection: string | null
  /** The text at each position that can contain a token; null if that position is missing. */
  places: { attribute: string | null; input: string | null; query: string | null }
  /** Whether the form posts to a path of the site itself, where no collection answers. */
  is_relative: boolean
}

export interface FormsOfPage {
  forms: TokenForm[]
  /** The actions of the other forms with the method POST; null without one. */
  other_posts: (string | null)[]
  /** Whether the page has the script tag of the chat widget with a public token. */
  has_chat: boolean
  /** Returns the page with `token` inserted into each of these forms that has none. */
  filledWith(token: string): string
}

/** A page without this match contains no form and no chat. */
const hint = /<form|data-chat-token/i
const actionPattern = /^\/api\/v1\/public\/collections\/([a-z0-9_-]{1,64})\/documents$/
const ORDER_PATH = '/api/v1/public/orders'
const CHAT_SCRIPT = '/widget.js'
const HERE = 'http://site.invalid'

/** Maximum number of forms read in a page; the rest stay unchanged. */
const FORMS_MAX = 1_000

/** `public_url` is the URL of this service. Yields between its steps. */
export function* findForms(page: string, public_url: string): Generator<void, FormsOfPage> {
  const read = hint.test(page) ? yield* readForms(page) : null
  const own = (read?.forms ?? []).flatMap((form) => {
    const target = targetOf(form, public_url)
    return target === null ? [] : [{ ...form, ...target }]
  })
  return {
    forms: own.map((form) => ({
      collection: form.collection,
      is_relative: form.is_relative,
      places: {
        attribute: form.attribute?.value ?? null,
        input: form.input?.value ?? null,
        query: form.query,
      },
    })),
    other_posts: (read?.forms ?? []).flatMap((form) =>
      form.posts && targetOf(form, public_url) === null ? [form.action?.value ?? null] : [],
    ),
    has_chat: read?.has_chat ?? false,
    filledWith: (token) =>
      edited(
        page,
        own.flatMap((form) => (form.is_relative ? [] : editsFor(form, token))),
      ),
  }
}

/**
 * Returns the tokens in a form without duplicates. A placeholder such as `hm_pub_…` does not count.
 */
export function listTokens({ places }: TokenForm): string[] {
  const texts = [places.query, places.attribute, places.input]
  return [...new Set(texts.filter((text) => text !== null).filter(publicTokens.isPublicToken))]
}

interface ReadForm {
  action: Place | null
  posts: boolean
  collection_attribute: string | null
  attribute: Place | null
  input: Place | null
  /** Offset after the start tag. */
  inside_at: number
}

interface ReadForms {
  forms: ReadForm[]
  has_chat: boolean
}

function* readForms(page: string): Generator<void, ReadForms> {
  const reader = new FormReader()
  yield* readTags(page, reader)
  return reader.finish()
}

class FormReader {
  readonly #forms: ReadForm[] = []
  readonly #byId = new Map<string, ReadForm>()
  /**
   * Token fields outside their form, which refer to it by id; the form can come later in the page.
   */
  readonly #elsewhere: { form_id: string; input: Place }[] = []
  #form: ReadForm | null = null
  #hasChat = false

  startTag(token: Token.TagToken): void {
    if (token.tagName === 'form') this.#beginForm(token)
    else if (token.tagName === 'input') this.#readInput(token)
    else if (token.tagName === 'script') this.#hasChat ||= isChatScript(token)
  }

  endTag(name: string): void {
    if (name === 'form') this.#form = null
  }

  finish(): ReadForms {
    for (const { form_id, input } of this.#elsewhere) {
      const form = this.#byId.get(form_id)
      if (form) form.input ??= input
    }
    return { forms: this.#forms, has_chat: this.#hasChat }
  }

  #beginForm(token: Token.TagToken): void {
    // Browsers ignore a form inside a form.
    if (this.#form !== null || this.#forms.length >= FORMS_MAX) return
    this.#form = {
      action: placeOf(token, 'action'),
      posts: placeOf(token, 'method')?.value.trim().toLowerCase() === 'post',
      collection_attribute: placeOf(token, 'data-collection')?.value ?? null,
      attribute: placeOf(token, 'data-token'),
      input: null,
      inside_at: token.location?.endOffset ?? 0,
    }
    this.#forms.push(this.#form)
    const id = placeOf(token, 'id')?.value
    if (id !== undefined && !this.#byId.has(id)) this.#byId.set(id, this.#form)
  }

  #readInput(token: Token.TagToken): void {
    if (placeOf(token, 'name')?.value !== 'token') return
    const insert_at = (token.location?.startOffset ?? 0) + '<input'.length
    const input = placeOf(token, 'value') ?? { value: '', at: null, insert_at }
    const form_id = placeOf(token, 'form')?.value
    if (form_id !== undefined) this.#elsewhere.push({ form_id, input })
    else if (this.#form) this.#form.input ??= input
  }
}

function isChatScript(script: Token.TagToken): boolean {
  const url = URL.parse(placeOf(script, 'src')?.value.trim() ?? '', HERE)
  return url?.pathname === CHAT_SCRIPT && placeOf(script, 'data-chat-token') !== null
}

interface Target {
  collection: string | null
  query: string | null
  is_relative: boolean
}

/**
 * Finds the target of a form; null for a form that posts elsewhere. A form with only
 * `data-collection` is sent by the script.
 */
function targetOf(form: ReadForm, public_url: string): Target | null {
  const url = form.action && URL.parse(form.action.value.trim(), HERE)
  const collection = url && (actionPattern.exec(url.pathname)?.[1] ?? null)
  if (url && (collection !== null || url.pathname === ORDER_PATH)) {
    const is_relative = url.origin === HERE
    if (!is_relative && !isOurs(url, public_url)) return null
    return { collection, query: url.searchParams.get('token'), is_relative }
  }
  const named = form.collection_attribute
  if (named === null || /^https?:/i.test(form.action?.value ?? '')) return null
  return { collection: named, query: null, is_relative: false }
}

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Whether a URL belongs to this service, which can have several host names. */
function isOurs(url: URL, public_url: string): boolean {
  const own = new URL(public_url)
  if (url.host === own.host) return true
  return url.port === own.port && [url.hostname, own.hostname].every((name) => loopback.test(name))
}

/** Returns edits that copy a token found at any position of the form to its other positions. */
function editsFor(form: ReadForm & Target, fallback: string): Edit[] {
  const { action, attribute, input, query } = form
  const places = [query, attribute?.value ?? null, input?.value ?? null]
  const known = places.find((text) => text !== null && publicTokens.isPublicToken(text)) ?? null
  const token = known ?? fallback
  // Without the script, a browser sends only the fields of the form.
  const needs_field = query === null && (action !== null || known === null)
  return [
    ...attributeEdits(form, token),
    ...(input ? fieldEdits(input, token) : needs_field ? [newField(form, token)] : []),
  ]
}

/** Replaces placeholders in `action` and `data-token`. */
function attributeEdits({ action, attribute, query }: ReadForm & Target, token: string): Edit[] {
  const edits: Edit[] = []
  if (query !== null && action?.at && !publicTokens.isPublicToken(query))
    edits.push({ ...action.at, text: `action="${escaped(withQueryToken(action.value, token))}"` })
  if (attribute?.at && !publicTokens.isPublicToken(attribute.value))
    edits.push({ ...attribute.at, text: `data-token="${token}"` })
  return edits
}

function fieldEdits(input: Place, token: string): Edit[] {
  if (publicTokens.isPublicToken(input.value)) return []
  if (input.at) return [{ ...input.at, text: `value="${token}"` }]
  return [{ start: input.insert_at, end: input.insert_at, text: ` value="${token}"` }]
}

function newField({ inside_at }: ReadForm, token: string): Edit {
  const text = `<input type="hidden" name="token" value="${token}" />`
  return { start: inside_at, end: inside_at, text }
}

function withQueryToken(action: string, token: string): string {
  return action.replace(/([?&]token=)[^&#]*/, (_whole, before: string) => before + token)
}
