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

/** Joins texts into one line of limited length. */
export function toLine(texts: readonly string[]): string {
  const line = texts.join(', ').replaceAll(/\s+/g, ' ').trim()
  return line.length > CHARACTERS_MAX ? `${line.slice(0, CHARACTERS_MAX)}…` : line
}
