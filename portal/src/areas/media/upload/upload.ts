/**
 * Adds files to the library: a queue with a few uploads at a time, each with its progress and its
 * own failure. Failed files can be sent again.
 */
import type { QueryClient } from '@tanstack/react-query'
import { ApiProblem, type Scope } from '../../../api/client.ts'
import { translateMessage } from '../../../language/server-texts/translate.ts'
import { currentLanguage } from '../../../language/texts.ts'
import { startWork, type Worker, type WorkItem } from '../../../work/work.ts'
import { changeFiles, mediaKey } from '../queries.ts'
import { announce, complete, sendBytes, type Link } from './send-media.ts'

const SENT_AT_ONCE = 4
/** Number of files that one request announces, which saves requests of the rate limit. */
const ANNOUNCED_AT_ONCE = 5
/** The tray is drawn and the list is read at most this often. */
const DRAWN_EVERY_MS = 100
const READ_EVERY_MS = 3_000

export interface Upload {
  scope: Scope
  client: QueryClient
  files: readonly File[]
  /** The folder of the library for the files; empty for none. */
  folder: string
  titleOf(count: number): string
  retryTitleOf(count: number): string
}

/** A file and its place in the upload. */
interface Entry {
  file: File
  index: number
}

export function startUpload(upload: Upload): void {
  const { scope, files, titleOf } = upload
  startWork({
    project_id: scope.project_id,
    title: files.length === 1 ? (files[0]?.name ?? '') : titleOf(files.length),
    async run(worker) {
      const run: Run = {
        upload,
        worker,
        progress: createProgress(files, worker),
        added: [],
        retried: [],
        listed: everyMs(READ_EVERY_MS, () => void readList(upload)),
      }
      const waiting = files.map((file, index) => ({ file, index }))
      const lanes = Array.from({ length: SENT_AT_ONCE }, async () => {
        while (waiting.length > 0) await addGroup(run, waiting.splice(0, ANNOUNCED_AT_ONCE))
      })
      await Promise.all(lanes)
      await finish(run)
    },
  })
}

interface Run {
  upload: Upload
  worker: Worker
  progress: Progress
  /** Ids of the added files. */
  added: string[]
  /** Files of which another attempt may succeed; a damaged file is refused again. */
  retried: File[]
  listed: Throttled
}

interface Progress {
  items: readonly WorkItem[]
  show(index: number, part: Partial<WorkItem>): void
  draw(): void
}

/** The items of the tray. A change is drawn soon, but not every one by itself. */
function createProgress(files: readonly File[], { report }: Worker): Progress {
  const items = files.map(({ name }): WorkItem => ({
    name,
    stage: 'waiting',
    progress: 0,
    fault: null,
  }))
  const drawn = everyMs(DRAWN_EVERY_MS, () => {
    const done = items.reduce((sum, { progress }) => sum + progress, 0)
    report({ stage: 'sending', progress: done / items.length, items: [...items] })
  })
  const show = (index: number, part: Partial<WorkItem>) => {
    const item = items[index]
    if (item !== undefined) items[index] = { ...item, ...part }
    drawn.soon()
  }
  return { items, show, draw: drawn.now }
}

function readList({ scope, client }: Upload): Promise<void> {
  return client.invalidateQueries({ queryKey: [...mediaKey(scope), 'list'] })
}

/** Announces files by one request, and adds them one after the other. */
async function addGroup(run: Run, entries: readonly Entry[]): Promise<void> {
  const { upload, worker, progress } = run
  const { signal } = worker
  for (const { index } of entries) progress.show(index, { stage: 'reading' })
  try {
    const files = entries.map(({ file }) => file)
    const links = await announce({ scope: upload.scope, signal, files })
    for (const [place, entry] of entries.entries()) {
      const link = links[place]
      // A refused file does not stop the others.
      if (link) await addOne(run, entry, link).catch((error: unknown) => fail(run, entry, error))
    }
  } catch (error) {
    const [only, ...others] = entries
    if (only !== undefined && others.length === 0) return fail(run, only, error)
    if (signal.aborted) throw error
    // The server refuses a whole announcement if one of its files is too large.
    for (const entry of entries) await addGroup(run, [entry])
  }
}

async function addOne(run: Run, { file, index }: Entry, link: Link): Promise<void> {
  const { added, listed, progress, upload, worker } = run
  const { signal } = worker
  const { scope } = upload
  const onSent = (bytes: number) =>
    progress.show(index, { stage: 'sending', progress: (bytes / file.size) * SENT_SHARE })
  const upload_id = await sendBytes({ scope, signal, file, link, onSent })
  progress.show(index, { stage: 'finishing', progress: SENT_SHARE })
  const { id, status, status_reason } = await complete(scope, upload_id, signal)
  const isRefused = status === 'failed' || status === 'blocked'
  const stage = isRefused ? 'failed' : 'done'
  progress.show(index, {
    stage,
    progress: 1,
    fault:
      isRefused && status_reason !== null
        ? translateMessage(status_reason, currentLanguage())
        : null,
  })
  added.push(id)
  listed.soon()
}

function fail({ worker, progress, retried }: Run, { file, index }: Entry, error: unknown): void {
  if (worker.signal.aborted) throw error
  retried.push(file)
  progress.show(index, { stage: 'failed', progress: 1, fault: faultOf(error) })
}

async function finish({ added, listed, progress, retried, upload, worker }: Run): Promise<void> {
  const { scope, folder, files } = upload
  if (folder !== '' && added.length > 0) await changeFiles(scope, { ids: added, folder })
  listed.now()
  progress.draw()
  worker.report({ path: '/media' })
  if (retried.length > 0) {
    const title = upload.retryTitleOf(retried.length)
    const start = () => startUpload({ ...upload, files: retried })
    worker.report({ retry: { title, start } })
  }
  if (progress.items.every(({ stage }) => stage === 'failed'))
    throw new Error(files.length === 1 ? (progress.items[0]?.fault ?? '') : '')
}

interface Throttled {
  now(): void
  soon(): void
}

/** Runs `work` at once or soon, but at most once in this time. */
function everyMs(time_ms: number, work: () => void): Throttled {
  let timer: ReturnType<typeof setTimeout> | null = null
  const now = () => {
    if (timer !== null) clearTimeout(timer)
    timer = null
    work()
  }
  return { now, soon: () => void (timer ??= setTimeout(now, time_ms)) }
}

/**
 * The share of the progress for sending; the rest is the time in which the server reads the file.
 */
const SENT_SHARE = 0.9

function faultOf(error: unknown): string {
  if (error instanceof ApiProblem) return error.user_message
  return error instanceof Error ? error.message : ''
}
