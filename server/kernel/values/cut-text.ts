/**
 * Returns at most `characters_max` characters (UTF-16 code units) of a text, without NUL characters
 * and without half of a surrogate pair, both of which the database refuses.
 */
export function cutText(text: string, characters_max: number): string {
  const cut = text.replaceAll('\u0000', '').toWellFormed().slice(0, characters_max)
  return cut.isWellFormed() ? cut : cut.slice(0, -1)
}
