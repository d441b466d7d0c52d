/** How answers are worded and laid out for people: lists, tables, fields, the nearest word. Pure. */

/** `a, b or c` */
export function alternatives(words: readonly string[]): string {
  const last = words.at(-1) ?? ''
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`
}

/** `1 row`, `2 rows` */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

export type Cell = string | number | boolean | null | undefined | readonly string[]

/** Columns under their headings, as wide as their longest cell. */
export function table(headings: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [headings, ...rows.map((row) => row.map(shown))]
  const widths = headings.map((_, column) =>
    Math.max(...lines.map((line) => widthOf(line[column]))),
  )
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** One `name  value` line per field. */
export function fields(of: object): string {
  const names: string[] = []
  const rows = Object.entries(of)
  for (const [name] of rows) names.push(name)
  const width = Math.max(...names.map((name) => name.length))
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${shown(value)}`.trimEnd()).join('\n')
}

function widthOf(cell: string | undefined): number {
  return cell?.length ?? 0
}

/** A value on one line. Control characters stay out of a terminal: a name could carry some. */
function shown(value: Cell): string {
  if (value === null || value === undefined) return '-'
  if (typeof value === 'object') return value.length === 0 ? '-' : shown(value.join(', '))
  return String(value).replaceAll(/\p{Cc}/gu, ' ')
}

/** The word nearest to what was typed, if one is near enough to be meant. */
export function nearest(typed: string, words: readonly string[]): string | undefined {
  const edits_max = Math.max(1, Math.floor(typed.length / 3))
  const ranked = words
    .map((word) => ({ word, edits: word.startsWith(typed) ? 1 : editsBetween(typed, word) }))
    .toSorted((one, other) => one.edits - other.edits)
  const [best] = ranked
  return best && best.edits <= edits_max ? best.word : undefined
}

/** How many letters have to be put in, taken out or changed (Levenshtein). */
function editsBetween(from: string, to: string): number {
  let above = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const change = above[column - 1]! + (from[row - 1] === to[column - 1] ? 0 : 1)
      current.push(Math.min(change, above[column]! + 1, current[column - 1]! + 1))
    }
    above = current
  }
  return above[to.length]!
}
