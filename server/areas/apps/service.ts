/** The rules of apps that operations, the site server and other areas use. */
import type { Caller } from '../../contract/caller.ts'
import { limits } from '../../contract/limits.ts'
import { readPage } from '../../contract/schema/pages.ts'
import { findApp } from './apps.ts'
import * as logs from './running/log-store.ts'
import type { AppHours, LogList, LogQuery } from './schema.ts'

export { addAppsAlong, find, findStrayApp, findVersion, list, listVersions } from './apps.ts'
export { APPS_TOPIC, create, deploy, remove, rollback } from './deploy/deploy.ts'
export { migrate, query } from './database/database.ts'
export { setOperationsOfApps } from './running/bindings.ts'
export { countRequest, flushAppLogs } from './running/logs.ts'
export { closeApps, useApp } from './running/running.ts'
export { listSchedules } from './schedules.ts'
export { listSecrets, putSecrets } from './secrets.ts'
export { findOfSite, type ServedApp } from './store.ts'
export { endedCookie, endSession, findUserOfCookie } from './users/sessions.ts'
export { requestCode, signIn } from './users/sign-in.ts'
export { changeUser, listUsers } from './users/users.ts'

export async function listLogs(caller: Caller, id: string, query: LogQuery): Promise<LogList> {
  const { project_id } = await findApp(caller, id)
  const only_errors = query.level === 'error'
  const page = await readPage(caller, {
    list: `log of ${id} ${only_errors}`,
    query,
    read: (count, after) =>
      logs.listLines(caller.db, { project_id, app_id: id, only_errors, count, after }),
    bytesOf: ({ text }) => text.length,
  })
  const data = page.data.map((row) => ({
    id: row.id,
    at: row.at.toISOString(),
    level: row.level,
    text: row.text,
    place: row.place,
    version: row.version,
  }))
  return { data, next_cursor: page.next_cursor }
}

export async function listHours(caller: Caller, id: string): Promise<AppHours> {
  const { project_id } = await findApp(caller, id)
  const since = new Date(caller.runtime.clock.now_ms() - limits.app_logs_kept_s * 1000)
  const rows = await logs.listHours(caller.db, { project_id, app_id: id, since })
  return {
    data: rows.map(({ hour, requests, errors }) => ({
      hour: hour.toISOString(),
      requests,
      errors,
    })),
  }
}
