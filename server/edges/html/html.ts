/**
 * HTML from tagged templates. Values are escaped, unless they come from a template
 * themselves, so no text of a declaration can become markup.
 */
import { escapeHtml } from '../../kernel/values/escape-html.ts'

const markup = Symbol('markup')

export interface Html {
  readonly [markup]: string
}

export type HtmlPiece = Html | string | number | null | undefined | false | readonly HtmlPiece[]

/** Creates HTML from a template. Lists are joined; null, undefined and false leave nothing. */
export function html(parts: TemplateStringsArray, ...pieces: readonly HtmlPiece[]): Html {
  const text = parts.map((part, index) => unindented(part) + render(pieces[index])).join('')
  return { [markup]: text }
}

/** Removes the indentation that a template has in its source. */
function unindented(part: string): string {
  return part.replaceAll(/\n\s+/g, '\n')
}

/** Marks text as HTML without escaping it. Never call it with text from outside the project. */
export function trustHtml(text: string): Html {
  return { [markup]: text }
}

export function renderToText(piece: HtmlPiece): string {
  return render(piece)
}

function render(piece: HtmlPiece): string {
  if (piece === null || piece === undefined || piece === false) return ''
  if (typeof piece === 'string' || typeof piece === 'number') return escapeHtml(String(piece))
  return markup in piece ? piece[markup] : piece.map(render).join('')
}
