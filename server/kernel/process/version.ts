/** The version from package.json. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export function version(): string {
  const file = join(import.meta.dirname, '..', '..', 'package.json')
  return String(JSON.parse(readFileSync(file, 'utf8')).version)
}
