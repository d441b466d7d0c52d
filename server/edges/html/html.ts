/**
 * HTML from tagged templates. Values are escaped, unless they come from a template
 * themselves, so no text of a declaration can become markup.
 */
const markup = Symbol('markup')

export interface Html {
  readonly [markup]: string
}

export type Piece = Html | string | number | null | undefined | false | readonly Piece[]

/** A piece of HTML. Lists are joined; null, undefined and false leave nothing. */
export function html(parts: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  const text = parts.map((part, index) => unindented(part) + render(pieces[index])).join('')
  return { [markup]: text }
}

/** Removes the indentation that a template has in its source. */
function unindented(part: string): string {
  return part.replaceAll(/\n\s+/g, '\n')
}

/** Markup that a renderer made. Never call it with text from outside the project. */
export function trusted(text: string): Html {
  return { [markup]: text }
}

export function textOf(piece: Piece): string {
  return render(piece)
}

function render(piece: Piece): string {
  if (piece === null || piece === undefined || piece === false) return ''
  if (typeof piece === 'string' || typeof piece === 'number') return escaped(String(piece))
  return markup in piece ? piece[markup] : piece.map(render).join('')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')
}
