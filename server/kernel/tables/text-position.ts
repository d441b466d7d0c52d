/** Positions in a text as editors show them: CRLF, LF and CR each end a line. */
export interface TextPosition {
  /** From 1. */
  line: number
  /** In characters, from 1. */
  column: number
  /** A line feed that follows belongs to the same line break. */
  is_after_cr: boolean
}

export function startPosition(): TextPosition {
  return { line: 1, column: 1, is_after_cr: false }
}

/** Advances a position past a text. */
export function advancePosition(position: TextPosition, text: string): void {
  if (text === '') return
  let last = 0
  for (const { index, 0: found } of text.matchAll(/\r\n?|\n/g)) {
    const is_rest_of_crlf = index === 0 && found === '\n' && position.is_after_cr
    if (!is_rest_of_crlf) position.line += 1
    position.column = 1
    last = index + found.length
  }
  position.column += Array.from(text.slice(last)).length
  position.is_after_cr = text.endsWith('\r')
}
