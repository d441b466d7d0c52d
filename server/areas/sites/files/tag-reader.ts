/** Reads the tags of a page. The page is tokenized and no tree is built, so the time is linear. */
import type * as parse5 from 'parse5'
import type { Token, Tokenizer } from 'parse5'
import { onFirstUse } from '../../../kernel/process/first-use.ts'
import { ForeignContent } from '../check/page/foreign-content.ts'

const parser = onFirstUse<typeof parse5>('parse5')

/** Characters between two yields. */
const STEP = 16_384

const rcdata = new Set(['title', 'textarea'])
const rawText = new Set(['style', 'xmp', 'iframe', 'noembed', 'noframes'])

export interface TagHandler {
  startTag(token: Token.TagToken): void
  endTag(name: string): void
}

/** Calls the handler for each tag. Yields between its steps. */
export function* readTags(page: string, handler: TagHandler): Generator<void> {
  const reader = new TagReader(handler)
  const tokenizer = new (parser().Tokenizer)({ sourceCodeLocationInfo: true }, reader)
  reader.tokenizer = tokenizer
  for (let at = 0; at < page.length; at += STEP) {
    tokenizer.write(page.slice(at, at + STEP), at + STEP >= page.length)
    yield
  }
}

class TagReader {
  tokenizer: Tokenizer | null = null
  readonly #foreign = new ForeignContent()
  readonly #handler: TagHandler

  constructor(handler: TagHandler) {
    this.#handler = handler
  }

  onComment(): void {}
  onDoctype(): void {}
  onEof(): void {}
  onNullCharacter(): void {}
  onCharacter(): void {}
  onWhitespaceCharacter(): void {}

  onStartTag(token: Token.TagToken): void {
    this.#foreign.enter(token.tagName, token.selfClosing)
    this.#updateTokenizer(token.tagName)
    this.#handler.startTag(token)
  }

  onEndTag({ tagName }: Token.TagToken): void {
    this.#foreign.leave(tagName)
    this.#updateTokenizer('')
    this.#handler.endTag(tagName)
  }

  /** Applies the tokenizer state that a browser's tree builder would set for this tag. */
  #updateTokenizer(name: string): void {
    const { tokenizer } = this
    if (tokenizer === null) return
    tokenizer.inForeignNode = this.#foreign.inside
    if (this.#foreign.inside) return
    const { TokenizerMode } = parser()
    if (rcdata.has(name)) tokenizer.state = TokenizerMode.RCDATA
    else if (rawText.has(name)) tokenizer.state = TokenizerMode.RAWTEXT
    else if (name === 'script') tokenizer.state = TokenizerMode.SCRIPT_DATA
    else if (name === 'plaintext') tokenizer.state = TokenizerMode.PLAINTEXT
  }
}

/** An attribute of a tag, with its position in the page. */
export interface Place {
  value: string
  /** The offsets of the attribute in the page; null if it is absent. */
  at: { start: number; end: number } | null
  /** Offset at which an attribute can be inserted. */
  insert_at: number
}

export function placeOf({ attrs, location }: Token.TagToken, name: string): Place | null {
  const value = attrs.find((one) => one.name === name)?.value
  if (value === undefined) return null
  const place = location?.attrs?.[name]
  const at = place ? { start: place.startOffset, end: place.endOffset } : null
  return { value, at, insert_at: 0 }
}

export interface Edit {
  start: number
  end: number
  text: string
}

/** Returns the page with the edits, which do not overlap. */
export function edited(page: string, edits: readonly Edit[]): string {
  let text = ''
  let at = 0
  for (const edit of edits.toSorted((one, other) => one.start - other.start)) {
    text += page.slice(at, edit.start) + edit.text
    at = edit.end
  }
  return text + page.slice(at)
}

/** Escapes the value of an attribute in double quotes. */
export function escaped(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
}
