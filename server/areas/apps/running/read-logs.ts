/** Reads the log of an app: a page, or new lines as they are written. */
import type { Caller } from '../../../contract/caller.ts'
import { limits } from '../../../contract/limits.ts'
import type { ServerEvent } from '../../../contract/operations/event-replies.ts'
import {
  countStream,
  findRefusal,
  pause,
  RECHECK_S,
  type Following,
} from '../../../contract/operations/following.ts'
import { readPage } from '../../../contract/schema/pages.ts'
import { listenToRecords } from '../../../kernel/jobs/record-wakeups.ts'
import { isUuid, newId } from '../../../kernel/values/ids.ts'
import { findApp } from '../apps.ts'
import type { LogLine, LogList, LogQuery } from '../schema.ts'
import * as store from './log-store.ts'

const BATCH_SIZE = 100

/** GET /apps/{id}/logs */
export async function listLogs(caller: Caller, id: string, query: LogQuery): Promise<LogList> {
  const { project_id } = await findApp(caller, id)
  const only_errors = query.level === 'error'
  const page = await readPage(caller, {
    list: `log of ${id} ${only_errors}`,
    query,
    read: (count, after) =>
      store.listLines(caller.db, { project_id, app_id: id, only_errors, count, after }),
    bytesOf: ({ text }) => text.length,
  })
  return { data: page.data.map(present), next_cursor: page.next_cursor }
}

function present({ id, at, level, text, place, version }: store.LogRow): LogLine {
  return { id, at: at.toISOString(), level, text, place, version }
}

interface Followed extends Following {
  id: string
  level: LogQuery['level']
}

/** Lines that are written from now on, or after the line in Last-Event-ID. */
export async function followLogs(
  caller: Caller,
  { id, level, ...following }: Followed,
): Promise<AsyncIterable<ServerEvent>> {
  const { project_id } = await findApp(caller, id)
  const { last_event_id } = following
  const after =
    last_event_id !== null && isUuid(last_event_id) ? last_event_id : newId(caller.runtime.clock)
  const log = { project_id, app_id: id, only_errors: level === 'error' }
  return newLines(caller, { ...following, log, after })
}

interface Tail extends Following {
  log: Omit<Parameters<typeof store.listLinesAfter>[1], 'count' | 'after'>
  after: string
}

async function* newLines(
  { runtime, project }: Caller,
  { log, signal, recheck, ...from }: Tail,
): AsyncGenerator<ServerEvent> {
  const most = limits.app_log_streams_max
  const places = [{ place: project.id, most, whose: 'The project' }]
  const leave = countStream(runtime, 'streams of logs of apps', places)
  let wake = Promise.withResolvers<void>()
  const kinds = ['apps'] as const
  const unlisten = listenToRecords(runtime, { project_id: project.id, kinds }, () => wake.resolve())
  let { after } = from
  let checked_ms = runtime.clock.now_ms()
  try {
    yield { event: 'ready', data: {}, id: after }
    while (!signal.aborted) {
      const rows = await store.listLinesAfter(runtime.db, { ...log, after, count: BATCH_SIZE })
      for (const row of rows) yield { event: 'line', data: present(row), id: row.id }
      after = rows.at(-1)?.id ?? after
      if (rows.length === BATCH_SIZE) continue
      await pause(limits.change_heartbeat_s * 1000, { signal, wake })
      wake = Promise.withResolvers()
      const is_due = runtime.clock.now_ms() - checked_ms >= RECHECK_S * 1000
      if (is_due) checked_ms = runtime.clock.now_ms()
      const ended = is_due ? await findRefusal(recheck) : null
      if (ended) return yield { event: 'end', data: ended }
      // Writing is what notices a client that left.
      if (rows.length === 0) yield { event: 'ping', data: {} }
    }
  } finally {
    unlisten()
    leave()
  }
}
