/**
 * Styles, put together at the start: what the documentation and the portal have in common comes
 * first, then files of their own in their order. Each is sent as one.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const common = join(import.meta.dirname, 'assets/tokens.css')

export function styleOf(folder: string, names: readonly string[]): string {
  const files = [common, ...names.map((name) => join(folder, name))]
  return files.map((file) => readFileSync(file, 'utf8')).join('\n')
}
