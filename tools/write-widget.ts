/**
 * Bundles and minifies the scripts for websites: widget/forms into widget/forms.js, widget/shop into
 * widget/shop.js, and widget/chat into widget/chat.js (the loader) and widget/chat-panel.js, whose
 * version the loader names. With --check it only compares, and fails if they differ.
 */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

const VERSION_CHARACTERS = 12
const folder = join(import.meta.dirname, '..', 'widget')

async function bundle(source: string, format: 'iife' | 'es'): Promise<string> {
  const build = await rolldown({ input: join(folder, source) })
  const { output } = await build.generate({ format, minify: true, comments: false })
  await build.close()
  return output[0].code
}

function write(file: string, text: string): void {
  const target = join(folder, file)
  if (!process.argv.includes('--check')) return writeFileSync(target, text)
  if (readFileSync(target, 'utf8') === text) return
  console.error(`widget/${file} is not what its sources say. Run: npm run write`)
  process.exitCode = 1
}

const panel = await bundle('chat/panel.js', 'es')
const version = createHash('sha256').update(panel).digest('hex').slice(0, VERSION_CHARACTERS)
const loader = await bundle('chat/loader.js', 'iife')

write('forms.js', await bundle('forms/forms.js', 'iife'))
write('shop.js', await bundle('shop/shop.js', 'iife'))
write('chat-panel.js', panel)
write('chat.js', loader.replace('__PANEL_VERSION__', version))
