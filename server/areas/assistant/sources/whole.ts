/** Sources that are read in one step: texts, sites of the project, and documents. */
import { limits } from '../../../contract/limits.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import { createPause } from '../../../kernel/limits/slices.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import * as files from '../../files/service.ts'
import { extractPagePassages, extractTextPassages } from '../knowledge/passages.ts'
import type { NewPassage, PassageSource } from '../store.ts'
import { storeChunks } from './chunks.ts'
import type { StepResult } from './crawl/crawl.ts'
import { UnreadablePage } from './crawl/fetch-page.ts'
import { decodeText, readPageText, PAGE_BYTES_MAX } from './crawl/page-text.ts'
import * as pages from './page-store.ts'
import { readDocument } from './reading/read-document.ts'
import * as store from './source-store.ts'

interface Reading {
  runtime: Runtime
  languages: readonly string[]
  now: Date
}

interface WholePage {
  /** The address of the page; null for a text. */
  url: string | null
  title: string
  passages: NewPassage[]
}

export async function readText(
  { languages, now }: Reading,
  source: store.SourceRow,
): Promise<StepResult> {
  const { title, text } = source
  const passages = await extractTextPassages({ title, body: text ?? '', languages })
  return (tx) => writePages(tx, source, { now, pages: [{ url: null, title, passages }] })
}

/** Reads the pages of the live version. Throws UnreadablePage. */
export async function readSite(reading: Reading, source: store.SourceRow): Promise<StepResult> {
  const { runtime, now } = reading
  const { project_id, site_id } = source
  const site = await store.findSite(runtime.db, { project_id, id: site_id ?? '' })
  if (site === null) throw new UnreadablePage('The site was deleted.')
  if (site.status !== 'live') throw new UnreadablePage('The site is offline.')
  const html = site.files.filter(isReadablePage).toSorted((a, b) => depthOf(a) - depthOf(b))
  const found: WholePage[] = []
  const pause = createPause()
  for (const file of html.slice(0, limits.assistant_source_pages_max)) {
    const bytes = await files.readFile(runtime, project_id, { id: file.file_id })
    const { title, text } = readPageText(decodeText(bytes, file.content_type))
    const url = addressOf(runtime, site.label, file.path)
    const passages = extractPagePassages([{ url, title, text }], reading.languages)
    found.push({ url, title, passages })
    await pause()
  }
  const { title, mark: content_mark } = site
  return async (tx) => ({
    ...(await writePages(tx, source, { now, pages: found })),
    title,
    content_mark,
  })
}

function isReadablePage({ path, content_type, bytes }: store.SiteToIndex['files'][number]) {
  const is_html = /\.html?$/i.test(path) || content_type.startsWith('text/html')
  return is_html && bytes <= PAGE_BYTES_MAX && path !== '404.html'
}

function depthOf({ path }: { path: string }): number {
  return path.split('/').length
}

function addressOf({ config }: Runtime, label: string, path: string): string {
  const scheme = config.public_url.startsWith('https:') ? 'https' : 'http'
  const page = path.replace(/(?:^|(?<=\/))index\.html?$/i, '')
  return new URL(page, `${scheme}://${label}.${config.sites_domain}/`).href
}

/** Reads a PDF or DOCX of the media library. Throws UnreadablePage. */
export async function readMedia(reading: Reading, source: store.SourceRow): Promise<StepResult> {
  const { runtime, languages, now } = reading
  const { project_id, media_id } = source
  const media = await store.findMedia(runtime.db, { project_id, id: media_id ?? '' })
  if (media === null) throw new UnreadablePage('The file was deleted from the media library.')
  if (media.status !== 'ready') throw new UnreadablePage('The file is not ready.')
  if (Number(media.bytes) > limits.assistant_document_bytes_max)
    throw new UnreadablePage('The file is too large.')
  const bytes = await files.readFile(runtime, project_id, { id: media.file_id })
  const read = await readDocument(project_id, { bytes, content_type: media.content_type })
  if ('fault' in read) throw new UnreadablePage(read.fault)
  const title = media.title ?? media.filename
  const passages = await extractTextPassages({ title, body: read.text, languages })
  if (passages.length === 0)
    throw new UnreadablePage('It has no text. A scan has pictures of text only.')
  const whole = { now, pages: [{ url: null, title, passages }] }
  return async (tx) => ({
    ...(await writePages(tx, source, whole)),
    title,
    content_mark: media.mark,
  })
}

async function writePages(
  tx: Transaction,
  source: store.SourceRow,
  { now, pages: found }: { now: Date; pages: readonly WholePage[] },
): Promise<store.SourceChange> {
  const listed = found.flatMap(({ url, title }) =>
    url === null ? [] : [{ url, title, read_at: now }],
  )
  await pages.replacePages(tx, source, listed)
  await storeChunks(tx, source, { source: 'website', url: null, passages: [] })
  let error: string | null = null
  for (const { url, passages } of found) {
    const kind = kindOf(url, passages)
    error = (await storeChunks(tx, source, { source: kind, url: url ?? '', passages })) ?? error
  }
  const count = found.length
  const counts = { pages: count, pages_done: count, pages_total: count, attempts: 0 }
  const indexed = { status: 'indexed' as const, indexed_at: now, started_at: null, due_at: null }
  return { ...counts, ...indexed, error }
}

/** A text that is one passage is found by its title too, as a document of a collection is. */
function kindOf(url: string | null, passages: readonly NewPassage[]): PassageSource {
  return url === null && passages.length === 1 ? 'document' : 'website'
}
