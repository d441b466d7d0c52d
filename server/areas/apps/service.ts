/** The rules of apps that operations, the site server and other areas use. */
import type { Caller } from '../../contract/caller.ts'
import { limits } from '../../contract/limits.ts'
import { findApp } from './apps.ts'
import * as logs from './running/log-store.ts'
import type { AppHours } from './schema.ts'

export { addAppsAlong, find, findStrayApp, findVersion, list, listVersions } from './apps.ts'
export { readCodeOfSite } from './deploy/check-content.ts'
export { APPS_TOPIC, create, deploy, readDeploy, remove, rollback } from './deploy/deploy.ts'
export { migrate, query } from './database/database.ts'
export { setOperationsOfApps } from './running/services.ts'
export { countRequest, flushAppLogs } from './running/logs.ts'
export { followLogs, listLogs } from './running/read-logs.ts'
export { closeApps, useApp } from './running/running.ts'
export { listSchedules } from './schedules.ts'
export { listSecrets, putSecrets } from './secrets.ts'
export { findOfSite, type ServedApp } from './store.ts'
export { exportApp, importApp, migrateImported, type ImportedApp } from './transfer.ts'
export {
  addPasskey,
  askForNewPasskey,
  askForPasskey,
  listPasskeys,
  removePasskey,
  signInByPasskey,
  type PasskeyPlace,
} from './users/passkeys.ts'
export {
  endedCookie,
  endSession,
  findSession,
  type Session,
  type SignedInUser,
} from './users/sessions.ts'
export {
  requestCode,
  setPassword,
  signInByCode,
  signInByPassword,
  type SignIn,
} from './users/sign-in.ts'
export { changeUser, listUsers } from './users/users.ts'
export { findUserAddresses } from './users/user-store.ts'

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
