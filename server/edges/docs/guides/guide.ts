/**
 * Guides written in Markdown in docs/. Pages are rendered from them; agents read the Markdown
 * itself, with the URLs of this server filled in.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type markdownIt from 'markdown-it'
import type { Token } from 'markdown-it'
import { onFirstUse } from '../../../kernel/process/first-use.ts'
import { checkRules } from '../../../areas/sites/service.ts'
import type { LimitEntry } from '../../../contract/limits.ts'
import { limitTable } from '../../../contract/limits.ts'
import { scopeNames, scopes } from '../../../contract/scopes.ts'
import { programBlock, shellBlock, tabs } from '../render/code-block.ts'
import { formatBytes, formatDuration, formatNumber } from '../../describe/words.ts'
import { renderToText, trustHtml, type Html } from '../../html/html.ts'
import { addMcpCalls, MCP_BLOCK_INFO } from './mcp-calls.ts'
import { signaturePrograms } from './signature-programs.ts'
import { paths, type DocsPage, type DocsSite } from '../site.ts'

const folder = join(import.meta.dirname, '../../../../docs')

/**
 * Renders a guide: `/docs/guides/calls` is docs/guides/calls.md, `/docs/settings` is
 * docs/settings.md.
 */
export function renderGuide(site: DocsSite, path: string): DocsPage {
  const source = readFileSync(join(folder, `${path.slice(paths.home.length)}.md`), 'utf8')
  const markdown = addMcpCalls(fillPlaceholders(source, site), site)
  const [, title = '', about = ''] = /^# (.+)\n\n((?:.+\n)+)/.exec(markdown) ?? []
  return {
    path,
    title,
    about: plain(about),
    markdown: absoluteLinks(withoutAnchors(markdown), site),
    main: renderMarkdown(markdown),
  }
}

/** Replaces each `{{name}}` by its value; throws for an unknown name. */
export function fillPlaceholders(source: string, site: DocsSite): string {
  return source.replaceAll(/\{\{([\w.]+)\}\}/g, (_, name: string) => {
    const value = name.startsWith('limits.')
      ? limitText(name.slice('limits.'.length))
      : valuesFor(site).get(name)
    if (value === undefined) throw new Error(`A guide names {{${name}}}, which does not exist.`)
    return value
  })
}

/** The values for placeholders, except `limits.…`. */
function valuesFor({ base_url, sites_domain }: DocsSite): ReadonlyMap<string, string> {
  const { origin, protocol } = new URL(base_url)
  return new Map([
    ['base_url', base_url],
    ['origin', origin],
    ['site_address', `${protocol}//<slug>.${sites_domain}`],
    ['reading_scopes', scopeNames.filter((name) => scopes[name].read_only).join(' ')],
    ['check_rules', Object.entries(checkRules).map(checkRow).join('\n')],
    ...signaturePrograms,
  ])
}

export function checkRow([name, { stops, why }]: [string, { stops: string; why: string }]): string {
  const text = `${stops.charAt(0).toUpperCase() + stops.slice(1)}. ${why}`
  return `| \`${name}\` | ${text.replaceAll('|', String.raw`\|`)} |`
}

function limitText(name: string): string | undefined {
  const entry = Object.entries<LimitEntry>(limitTable).find(([one]) => one === name)?.[1]
  if (Array.isArray(entry?.value)) return entry.value.join(', ')
  if (typeof entry?.value !== 'number') return undefined
  if (entry.unit === 'seconds') return formatDuration(entry.value)
  return entry.unit === 'bytes' ? formatBytes(entry.value) : formatNumber(entry.value)
}

/** The first paragraph in one line, without Markdown syntax. */
function plain(text: string): string {
  return text
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll(/[`*]/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/**
 * Makes links to pages absolute links to their Markdown, without anchors, because the Markdown has
 * none.
 */
function absoluteLinks(markdown: string, { docs_url }: DocsSite): string {
  const origin = docs_url.slice(0, -paths.home.length)
  return markdown.replaceAll(
    /\]\((\/docs\/[^)#]+)(?:#[^)]*)?\)/g,
    (_, path: string) => `](${origin}${path}.md)`,
  )
}

/** A heading may define its anchor: `## Performance {#fast}`. */
const anchor = / \{#([\w-]+)\}$/

/** Removes anchors, for which plain Markdown has no syntax. */
function withoutAnchors(markdown: string): string {
  return markdown.replaceAll(new RegExp(`^(#.*)${anchor.source}`, 'gm'), '$1')
}

const library = onFirstUse<typeof markdownIt>('markdown-it')
let parser: ReturnType<typeof createParser> | null = null

function createParser() {
  const markdown = library()({ html: false, linkify: false })
  const { rules } = markdown.renderer
  rules['fence'] = (tokens: Token[], at: number) => {
    const { info = '', content = '' } = tokens[at] ?? {}
    const [language = '', ...title] = info.trim().split(/\s+/)
    const name = title.join(' ') || (language === '' ? 'Text' : language)
    if (info === MCP_BLOCK_INFO) return ''
    const next = tokens[at + 1]
    if (next?.type === 'fence' && next.info === MCP_BLOCK_INFO) {
      const curl = { name: 'curl', block: shellBlock(name, content.trimEnd()) }
      const mcp = { name: 'MCP', block: programBlock(name, next.content) }
      return renderToText(tabs(`call-${at}`, [curl, mcp]))
    }
    const isProgram = /^(?:js|ts|json|python|php|go|ruby|html|text)$/.test(language)
    return renderToText(
      isProgram ? programBlock(name, content) : shellBlock(name, content.trimEnd()),
    )
  }
  rules['heading_open'] = (tokens: Token[], at: number) => {
    const { tag = 'h2' } = tokens[at] ?? {}
    const heading = tokens[at + 1]
    const named = anchor.exec(heading?.content ?? '')?.[1]
    const last = heading?.children?.at(-1)
    if (last) last.content = last.content.replace(anchor, '')
    return tag === 'h1' ? '<h1>' : `<${tag} id="${named ?? anchorOf(heading?.content ?? '')}">`
  }
  rules['table_open'] = () => '<div class="scrolls" tabindex="0"><table>'
  rules['table_close'] = () => '</table></div>'
  return markdown
}

function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}

/**
 * Renders Markdown as HTML. HTML in the Markdown is escaped, so that only the renderer writes
 * markup.
 */
export function renderMarkdown(markdown: string): Html {
  const counts = new Map<string, number>()
  parser ??= createParser()
  // No text can match this pattern, because the parser escapes angle brackets.
  const unique = parser.render(markdown).replaceAll(/(<h[2-6] id=")([^"]+)/g, (_, open, id) => {
    const count = (counts.get(id) ?? 0) + 1
    counts.set(id, count)
    return count === 1 ? `${open}${id}` : `${open}${id}-${count}`
  })
  return trustHtml(unique)
}
