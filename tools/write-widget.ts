/**
 * Bundles and minifies widget/forms into widget/forms.js. With --check it only compares, and fails
 * if they differ.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

const folder = join(import.meta.dirname, '..', 'widget')
const target = join(folder, 'forms.js')
const bundle = await rolldown({ input: join(folder, 'forms', 'forms.js') })
const { output } = await bundle.generate({ format: 'iife', minify: true, comments: false })
await bundle.close()
const text = output[0].code

if (!process.argv.includes('--check')) writeFileSync(target, text)
else if (readFileSync(target, 'utf8') !== text) {
  console.error('widget/forms.js is not what widget/forms says. Run: npm run write')
  process.exitCode = 1
}
