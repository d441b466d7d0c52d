/**
 * Long work of the browser, such as an upload. It belongs to no page, so it continues while the
 * person visits other pages of the portal; the browser asks before the tab is closed.
 */
import { useSyncExternalStore } from 'react'

export type Stage = 'reading' | 'sending' | 'receiving' | 'finishing' | 'done' | 'failed'

/** A part of the work that is shown by itself, such as one of several files. */
export interface WorkItem {
  name: string
  stage: 'waiting' | Stage
  /** From 0 to 1. */
  progress: number
  fault: string | null
}

export interface Work {
  id: number
  project_id: string
  title: string
  stage: Stage
  /** From 0 to 1; null if it is unknown. */
  progress: number | null
  items: readonly WorkItem[]
  error: Error | null
  /** The page with the result, below the project. */
  path: string | null
  /** What came of it, in a sentence. */
  note: string | null
  attachment: Attachment | null
  correction: Correction | null
  retry: Retry | null
}

/** Starts the failed parts again, as new work. */
export interface Retry {
  title: string
  start(): void
}

/** A file that the work left for the person, such as the lines that were refused. */
export interface Attachment {
  title: string
  filename: string
  blob: Blob
}

/** Lets the person change what was refused, on a page below the project. */
export interface Correction {
  path: string
  open(): void
}

export interface Worker {
  signal: AbortSignal
  report(
    change: Partial<
      Pick<Work, 'stage' | 'progress' | 'items' | 'path' | 'note' | 'attachment' | 'retry'>
    >,
  ): void
}

interface Started {
  project_id: string
  title: string
  correction?: Correction
  run(worker: Worker): Promise<void>
}

let works: readonly Work[] = []
let last_id = 0
const listeners = new Set<() => void>()
const aborts = new Map<number, AbortController>()

function change(next: readonly Work[]): void {
  works = next
  const isRunning = works.some(({ stage }) => stage !== 'done' && stage !== 'failed')
  removeEventListener('beforeunload', askBeforeLeaving)
  if (isRunning) addEventListener('beforeunload', askBeforeLeaving)
  for (const listener of listeners) listener()
}

function askBeforeLeaving(event: BeforeUnloadEvent): void {
  event.preventDefault()
}

function update(id: number, part: Partial<Work>): void {
  change(works.map((work) => (work.id === id ? { ...work, ...part } : work)))
}

/** Starts work and returns at once; its progress, result or failure is shown on every page. */
export function startWork({ project_id, title, correction, run }: Started): void {
  last_id += 1
  const id = last_id
  const abort = new AbortController()
  aborts.set(id, abort)
  const begun: Work = {
    id,
    project_id,
    title,
    stage: 'reading',
    progress: 0,
    items: [],
    error: null,
    path: null,
    note: null,
    attachment: null,
    correction: correction ?? null,
    retry: null,
  }
  change([...works, begun])
  run({ signal: abort.signal, report: (part) => update(id, part) })
    .then(() => update(id, { stage: 'done', progress: 1 }))
    .catch((error: unknown) => {
      if (abort.signal.aborted) return dismissWork(id)
      update(id, { stage: 'failed', error: error instanceof Error ? error : new Error('Failed.') })
    })
    .finally(() => aborts.delete(id))
}

/** Stops the work if it still runs, and no longer shows it. */
export function dismissWork(id: number): void {
  aborts.get(id)?.abort()
  change(works.filter((work) => work.id !== id))
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useWorks(): readonly Work[] {
  return useSyncExternalStore(subscribe, () => works)
}
