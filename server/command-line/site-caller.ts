/**
 * Working on the sites of a project as whoever runs the installation: with the verbs of the API, and
 * with the addresses of the server that was started last, so that what is printed can be opened.
 */
import type { Caller } from '../contract/caller.ts'
import { scopeNames } from '../contract/scopes.ts'
import { withPort } from '../kernel/config.ts'
import type { House } from '../kernel/house.ts'
import { newRequestId } from '../kernel/ids.ts'
import { readPublicUrl } from '../kernel/settings.ts'
import { findProject, modeOf, projectOrOnly } from './projects.ts'

/** The same house, knowing where its server answers. */
export async function atItsAddress(house: House): Promise<House> {
  const { config, db } = house
  const last = config.public_url === '' ? await readPublicUrl(db) : undefined
  const port = last === undefined ? 0 : Number(URL.parse(last)?.port ?? 0)
  const known = last === undefined ? config : { ...config, public_url: last }
  return { ...house, config: withPort(known, port || config.port) }
}

export async function callerFor(
  house: House,
  command: string,
  project_id: string | undefined,
): Promise<Caller> {
  const project = await findProject(house.db, await projectOrOnly(house.db, command, project_id))
  return {
    house: await atItsAddress(house),
    db: house.db,
    request_id: newRequestId(),
    project,
    mode: modeOf(project),
    key_id: 'command-line',
    scopes: new Set(scopeNames),
    access: null,
    idempotency_key: null,
    remember: async () => {},
  }
}
