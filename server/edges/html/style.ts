/**
 * Style sheets, joined at the start: the shared tokens first, then the files of the documentation or
 * of the portal in their order. Each page loads one sheet.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const shared = join(import.meta.dirname, 'tokens.css')

export function readStyle(folder: string, names: readonly string[]): string {
  const files = [shared, ...names.map((name) => join(folder, name))]
  return files.map((file) => readFileSync(file, 'utf8')).join('\n')
}
