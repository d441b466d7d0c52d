/** What the number format of a cell displays: spreadsheets store dates and times as numbers. */
export type NumberFormat = 'number' | 'date' | 'time' | 'duration' | 'boolean'

/** Returns the format of a number that workbooks do not define. */
export function builtInFormat(id: string): NumberFormat {
  if (/^(?:1[89]|2[01]|3[2-5]|45|47|5[56])$/.test(id)) return 'time'
  if (id === '46') return 'duration'
  return /^(?:1[4-7]|22|2[7-9]|3[016]|5[0-478])$/.test(id) ? 'date' : 'number'
}

/** Excel's limit; a longer format is ignored. */
const FORMAT_CHARACTERS_MAX = 255

/** LibreOffice saves a boolean as 1 or 0 with this format. */
const booleanFormat = /^"TRUE";"TRUE";"FALSE"$/i

/**
 * Matches text that is displayed as it is, is as wide as a character (`_x`) or is repeated (`*x`), and brackets.
 * An unclosed quote extends to the end, which keeps the pattern linear.
 */
const literals = /"[^"]*(?:"|$)|\[[^\]]*(?:\]|$)|[\\_*]./gs

/** Returns what a format code such as `[h]:mm` or `yyyy\\-mm\\-dd` displays. */
export function formatOf(code: string): NumberFormat {
  if (code.length > FORMAT_CHARACTERS_MAX) return 'number'
  if (booleanFormat.test(code)) return 'boolean'
  const brackets = code.replaceAll(literals, (one) => (one.startsWith('[') ? one : ''))
  if (/\[(?:h+|m+|s+)\]/i.test(brackets)) return 'duration'
  const bare = code.replaceAll(literals, '')
  if (!/[ymdhs]/i.test(bare)) return 'number'
  return /[hs]/i.test(bare) && !/[yd]/i.test(bare) ? 'time' : 'date'
}
