/** Validates the requested limits: only sites of this project that the person may use. */
import { limits } from '../../contract/limits.ts'
import { Problem } from '../../contract/errors.ts'
import type { MemberCaller } from '../../contract/people.ts'
import { fillSelection } from '../../contract/limited-to.ts'
import * as apps from '../apps/service.ts'
import * as sites from '../sites/service.ts'
import type { ConnectionLimits } from './connections.ts'

export async function parseLimits(
  caller: MemberCaller,
  wanted: ConnectionLimits,
): Promise<ConnectionLimits> {
  if (wanted === null) return null
  const { data } = await sites.list(caller, { limit: limits.page_limit_max })
  const known = new Set(data.map(({ id }) => id))
  const ids = wanted.sites.map((id) => id.toLowerCase())
  const stray = ids.findIndex((id) => !known.has(id))
  if (stray >= 0) throw fault(`/access/sites/${stray}`, 'is not the id of a site of this project')
  const stray_app = await apps.findStrayApp(caller, wanted.apps)
  if (stray_app >= 0)
    throw fault(`/access/apps/${stray_app}`, 'is not the id of an app of this project')
  if (ids.length + wanted.apps.length === 0)
    throw fault('/access', 'must name at least one site or app, or be null')
  const apps_chosen = wanted.apps.map((id) => id.toLowerCase())
  return fillSelection({ sites: [...new Set(ids)], apps: [...new Set(apps_chosen)] })
}

function fault(path: string, message: string): Problem {
  return new Problem('validation_failed', `${path} ${message}.`, { errors: [{ path, message }] })
}
