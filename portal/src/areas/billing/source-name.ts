/** The category of a transaction as words. */

/** `number_month` as `Number month`. */
export function nameSource(source: string): string {
  if (source.length <= 3) return source.toUpperCase()
  const words = source.replaceAll(/[_.]/g, ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}
