const VALUES_MAX = 3
const CHARACTERS_MAX = 120

/** Names a record by its first texts and numbers, in one line: `Gevulde koek, 1.85`. */
export function joinFirstValues(data: unknown): string {
  const values = Object.values(Object(data)).filter(
    (value) => typeof value === 'string' || typeof value === 'number',
  )
  return toLine(
    values
      .map(String)
      .filter((value) => value.trim() !== '')
      .slice(0, VALUES_MAX),
  )
}

/** Characters that a person does not see, or that change the direction of those around them. */
const hidden = /(?![\u200c\u200d])[\p{C}\p{Z}]+/gu

/** Joins texts into one line of limited length, in which nothing is hidden and nothing is a link. */
export function toLine(texts: readonly string[]): string {
  const line = texts.join(', ').replaceAll(hidden, ' ').replaceAll('](', '] (').trim()
  return line.length > CHARACTERS_MAX ? `${line.slice(0, CHARACTERS_MAX)}…` : line
}

/** Writes a text so that it stays in its line: as JSON, if it has breaks or hidden characters. */
export function quoteHidden(text: string): string {
  if (text.replaceAll(hidden, ' ') === text) return text
  return JSON.stringify(text).replaceAll(hidden, (found) => [...found].map(toEscape).join(''))
}

function toEscape(character: string): string {
  return character === ' ' ? character : `\\u{${character.codePointAt(0)?.toString(16)}}`
}
