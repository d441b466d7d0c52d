/** Text output for people: lists, tables, fields. Pure. */

/** Joins words: `a, b or c`. */
export function joinAlternatives(words: readonly string[]): string {
  const last = words.at(-1) ?? ''
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`
}

/** Formats a count with its noun: `1 row`, `2 rows`. */
export function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

export type OutputCell = string | number | boolean | null | undefined | readonly string[]

/** Formats a table with headings and aligned columns. */
export function formatTable(
  headings: readonly string[],
  rows: readonly (readonly OutputCell[])[],
): string {
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

/** Formats one `name  value` line per field. */
export function formatFields(of: object): string {
  const names: string[] = []
  const rows = Object.entries(of)
  for (const [name] of rows) names.push(name)
  const width = Math.max(...names.map((name) => name.length))
  return rows.map(([name, value]) => `${name.padEnd(width)}  ${shown(value)}`.trimEnd()).join('\n')
}

function widthOf(cell: string | undefined): number {
  return cell?.length ?? 0
}

/**
 * A value on one line. Control characters are replaced, because they could manipulate the terminal.
 */
function shown(value: OutputCell): string {
  if (value === null || value === undefined) return '-'
  if (typeof value === 'object') return value.length === 0 ? '-' : shown(value.join(', '))
  return String(value).replaceAll(/\p{Cc}/gu, ' ')
}
