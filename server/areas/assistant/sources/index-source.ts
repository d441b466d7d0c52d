/** One step of indexing a source, and the end of one that failed. */
import type { Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { readLanguages } from '../knowledge/documents.ts'
import { crawlAddress } from './address.ts'
import { beginCrawl, continueCrawl, pagesPerStep, type StepResult } from './crawl/crawl.ts'
import { UnreadablePage } from './crawl/fetch-page.ts'
import * as pages from './page-store.ts'
import type { SourceChange, SourceRow } from './source-store.ts'
import * as store from './source-store.ts'
import { readMedia, readSite, readText } from './whole.ts'
import { storeChunks } from './chunks.ts'

/** Pauses after failures that may pass; afterwards a website is tried again every day. */
const RETRY_AFTER_S = [60, 600, 3_600]
const DAY_S = 86_400

export interface Step {
  runtime: Runtime
  signal: AbortSignal
}

/** Runs the next step of a source. Failures of the source become its state. */
export async function runStep(step: Step, source: SourceRow): Promise<StepResult> {
  try {
    return await readStep(step, source)
  } catch (error) {
    if (!(error instanceof UnreadablePage)) throw error
    return (tx) => fail(tx, source, { error, now: step.runtime.clock.now() })
  }
}

/** Ends a source that could not be indexed because of a fault of the service. */
export function abandon({ clock }: Runtime, source: SourceRow): StepResult {
  const error = new UnreadablePage('It could not be read.', { is_temporary: true })
  return (tx) => fail(tx, source, { error, now: clock.now() })
}

async function readStep({ runtime, signal }: Step, source: SourceRow): Promise<StepResult> {
  const now = runtime.clock.now()
  const languages = await readLanguages(runtime.db, source.project_id)
  const reading = { runtime, languages, now }
  switch (source.kind) {
    case 'text':
      return readText(reading, source)
    case 'site':
      return readSite(reading, source)
    case 'media':
      return readMedia(reading, source)
    case 'website': {
      const place = { fetcher: { outbound: runtime.outbound, signal }, languages, now }
      if (source.status !== 'pending' || source.started_at === null) {
        const address = crawlAddress(source.url ?? '', runtime.config.egress_allow_private)
        return beginCrawl(place, new URL(address))
      }
      const count = pagesPerStep(source)
      const waiting = await pages.listPages(runtime.db, source, { waiting: true, count })
      return continueCrawl(place, source, waiting)
    }
  }
}

interface Failure {
  error: UnreadablePage
  now: Date
}

/** Keeps the indexed text if the failure may be temporary, and deletes it otherwise. */
async function fail(
  tx: Transaction,
  source: SourceRow,
  { error, now }: Failure,
): Promise<SourceChange> {
  const failed = { status: 'failed' as const, error: error.message, started_at: null }
  const content_mark = source.kind === 'website' ? null : await currentMark(tx, source)
  if (!error.is_temporary) {
    await pages.replacePages(tx, source, [])
    await storeChunks(tx, source, { source: 'website', url: null, passages: [] })
  }
  const retry_s = error.is_temporary ? (RETRY_AFTER_S[source.attempts] ?? DAY_S) : DAY_S
  const due_at = source.kind === 'website' ? new Date(now.getTime() + retry_s * 1000) : null
  const attempts = error.is_temporary ? source.attempts + 1 : 0
  const empty = error.is_temporary ? {} : { pages: 0, pages_done: 0, pages_total: 0 }
  return { ...failed, content_mark, due_at, attempts, ...empty }
}

/** The state that failed, so that the source is read again only after it changes. */
async function currentMark(tx: Transaction, source: SourceRow): Promise<string> {
  const { project_id, site_id, media_id } = source
  const found =
    site_id === null
      ? await store.findMedia(tx, { project_id, id: media_id ?? '' })
      : await store.findSite(tx, { project_id, id: site_id })
  return found?.mark ?? 'deleted'
}
