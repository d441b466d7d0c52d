/** Reads the tables of the API specification as rows of cells. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The cells of each row, without the header, of a table in test/specification. */
export function rowsOf(table: 'errors' | 'events' | 'limits' | 'scopes'): string[][] {
  const text = readFileSync(join(import.meta.dirname, `../specification/${table}.md`), 'utf8')
  const [, ...rows] = text.split('\n').filter((line) => /^\| (?!---)/.test(line))
  return rows.map((row) => row.slice(2, -2).split(' | '))
}
