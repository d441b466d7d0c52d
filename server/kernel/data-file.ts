/** Data files that ship with the sources, beside the module that reads them at its start. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The text of a data file. `folder` is the `import.meta.dirname` of the module. */
export function readDataFile(folder: string, name: string): string {
  return readFileSync(join(folder, name), 'utf8')
}
