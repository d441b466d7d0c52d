/** The log of apps, and counts of their requests: gathered in memory and written in batches. */
import { limits } from '../../../contract/limits.ts'
import { announceRecords } from '../../../kernel/jobs/record-wakeups.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { newId } from '../../../kernel/values/ids.ts'
import * as store from './log-store.ts'

export type LogLevel = store.LogRow['level']

export interface AppLine {
  project_id: string
  app_id: string
  version: number
  level: LogLevel
  text: string
  place: string | null
  at: Date
}

interface Book {
  lines: store.LogRow[]
  hours: Map<string, store.HourRow>
  timer: NodeJS.Timeout | null
  /** Lines of an app in the current minute. */
  minutes: Map<string, { minute: number; count: number }>
}

const GATHER_MS = 500
const WAITING_MAX = 5_000
const HOUR_MS = 3_600_000

const books = new WeakMap<Runtime, Book>()

function bookOf(runtime: Runtime): Book {
  const known = books.get(runtime)
  if (known) return known
  const book: Book = { lines: [], hours: new Map(), timer: null, minutes: new Map() }
  books.set(runtime, book)
  return book
}

/** Adds a line. Lines over the limit of a minute are dropped, which one line says. */
export function logLine(runtime: Runtime, line: AppLine): void {
  const book = bookOf(runtime)
  const count = countLine(runtime, book, line.app_id)
  const most = limits.app_log_lines_per_minute_max
  if (count > most || book.lines.length >= WAITING_MAX) return
  const text = `The app logged over ${most} lines in a minute. The others are not kept.`
  const kept = count === most ? { ...line, level: 'system' as const, text } : line
  // PostgreSQL has no U+0000 in text.
  book.lines.push({ ...kept, text: kept.text.replaceAll('\0', '\uFFFD'), id: newId(runtime.clock) })
  schedule(runtime, book)
}

function countLine({ clock }: Runtime, { minutes }: Book, app_id: string): number {
  const minute = Math.floor(clock.now_ms() / 60_000)
  const known = minutes.get(app_id)
  const count = known?.minute === minute ? known.count + 1 : 1
  minutes.set(app_id, { minute, count })
  return count
}

/** Counts a request, which failed if its status is 5xx. */
export function countRequest(
  runtime: Runtime,
  app: { project_id: string; id: string },
  failed: boolean,
): void {
  const book = bookOf(runtime)
  const hour = new Date(Math.floor(runtime.clock.now_ms() / HOUR_MS) * HOUR_MS)
  const key = `${app.id} ${hour.getTime()}`
  const { project_id, id: app_id } = app
  const known = book.hours.get(key) ?? { project_id, app_id, hour, requests: 0, errors: 0 }
  book.hours.set(key, {
    ...known,
    requests: known.requests + 1,
    errors: known.errors + (failed ? 1 : 0),
  })
  schedule(runtime, book)
}

function schedule(runtime: Runtime, book: Book): void {
  book.timer ??= setTimeout(() => void flushAppLogs(runtime), GATHER_MS).unref()
}

/** Writes what was gathered. */
export async function flushAppLogs(runtime: Runtime): Promise<void> {
  const book = bookOf(runtime)
  if (book.timer) clearTimeout(book.timer)
  book.timer = null
  const { lines } = book
  const hours = [...book.hours.values()]
  book.lines = []
  book.hours = new Map()
  if (lines.length + hours.length === 0) return
  try {
    await runtime.db.transact(async (tx) => {
      await store.insertLines(tx, lines)
      await store.addHours(tx, hours)
    })
    const projects = new Set([...lines, ...hours].map(({ project_id }) => project_id))
    for (const project_id of projects) announceRecords(runtime, project_id, 'apps')
  } catch (error) {
    runtime.log.warn({ err: error, lines: lines.length }, 'lines of the log of apps were lost')
  }
}
