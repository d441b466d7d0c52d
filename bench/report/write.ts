/** Writes docs/performance.md and its plots, and deletes old plots. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { reportFiles } from './page.ts'

const docs = join(import.meta.dirname, '..', '..', 'docs')

rmSync(join(docs, 'performance'), { recursive: true, force: true })
mkdirSync(join(docs, 'performance'))
for (const [path, text] of Object.entries(reportFiles())) writeFileSync(join(docs, path), text)
console.error('docs/performance.md is written.')
