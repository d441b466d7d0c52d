/**
 * Guides that are Markdown files in docs/. The file is the source: the page is rendered from it,
 * and the Markdown that agents read is the file with the addresses of this server filled in.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import markdownIt, { type Token } from 'markdown-it'
import { limitTable, type LimitEntry } from '../../contract/limits.ts'
import { programBlock, shellBlock } from './code-block.ts'
import { bytesText, durationText, numberText } from './describe/words.ts'
import { textOf, trusted, type Html } from './html.ts'
import { paths, type Page, type Site } from './site.ts'

const folder = join(import.meta.dirname, '../../../docs')

/** `/docs/guides/calls` is docs/guides/calls.md, `/docs/settings` is docs/settings.md. */
export function guidePage(site: Site, path: string): Page {
  const source = readFileSync(join(folder, `${path.slice(paths.home.length)}.md`), 'utf8')
  const markdown = filledIn(source, site)
  const [, title = '', about = ''] = /^# (.+)\n\n((?:.+\n)+)/.exec(markdown) ?? []
  return {
    path,
    title,
    about: plain(about),
    markdown: absoluteLinks(markdown, site),
    main: rendered(markdown),
  }
}

/** Replaces `{{base_url}}`, `{{origin}}`, `{{sites_domain}}` and `{{limits.name}}`. */
function filledIn(source: string, { base_url, sites_domain }: Site): string {
  const { origin } = new URL(base_url)
  const known: Record<string, string> = { base_url, origin, sites_domain }
  return source.replaceAll(/\{\{([\w.]+)\}\}/g, (_, name: string) => {
    const value = name.startsWith('limits.') ? limitText(name.slice('limits.'.length)) : known[name]
    if (value === undefined) throw new Error(`A guide names {{${name}}}, which does not exist.`)
    return value
  })
}

function limitText(name: string): string | undefined {
  const entry = Object.entries<LimitEntry>(limitTable).find(([one]) => one === name)?.[1]
  if (typeof entry?.value !== 'number') return undefined
  if (entry.unit === 'seconds') return durationText(entry.value)
  return entry.unit === 'bytes' ? bytesText(entry.value) : numberText(entry.value)
}

/** The first paragraph as a line without marks. */
function plain(text: string): string {
  return text
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** Readers of the Markdown are not on this server: links to pages become links to their Markdown. */
function absoluteLinks(markdown: string, { docs_url }: Site): string {
  const origin = docs_url.slice(0, -paths.home.length)
  return markdown.replaceAll(
    /\]\((\/docs\/[^)#]+)(#[^)]*)?\)/g,
    (_, path: string, anchor = '') => `](${origin}${path}.md${anchor})`,
  )
}

const parser = markdownIt({ html: false, linkify: false })
parser.renderer.rules['fence'] = (tokens: Token[], at: number) => {
  const { info = '', content = '' } = tokens[at] ?? {}
  const [language = '', ...title] = info.trim().split(/\s+/)
  const name = title.join(' ') || (language === '' ? 'Text' : language)
  const isProgram = /^(?:js|ts|json|python)$/.test(language)
  return textOf(isProgram ? programBlock(name, content) : shellBlock(name, content.trimEnd()))
}
parser.renderer.rules['heading_open'] = (tokens: Token[], at: number) => {
  const { tag = 'h2' } = tokens[at] ?? {}
  const text = tokens[at + 1]?.content ?? ''
  return tag === 'h1' ? '<h1>' : `<${tag} id="${anchorOf(text)}">`
}
parser.renderer.rules['table_open'] = () => '<div class="scrolls" tabindex="0"><table>'
parser.renderer.rules['table_close'] = () => '</table></div>'

function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}

/** HTML in a guide is shown as text, so nothing but what the renderer writes is markup. */
function rendered(markdown: string): Html {
  return trusted(parser.render(markdown))
}
