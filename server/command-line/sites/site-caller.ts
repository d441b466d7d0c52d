/**
 * A caller for commands on sites, with the operator's permissions and the public URL of the last
 * started server, so that printed URLs work.
 */
import type { Caller } from '../../contract/caller.ts'
import { scopeNames } from '../../contract/scopes.ts'
import { withPort } from '../../kernel/config/config.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { newRequestId } from '../../kernel/values/ids.ts'
import { readPublicUrl } from '../../kernel/settings.ts'
import { findProject, modeOf, projectOrOnly } from '../commands/projects.ts'

/** A runtime with the public URL of the last started server. */
export async function withPublicUrl(runtime: Runtime): Promise<Runtime> {
  const { config, db } = runtime
  const last = config.public_url === '' ? await readPublicUrl(db) : undefined
  const port = last === undefined ? 0 : Number(URL.parse(last)?.port ?? 0)
  const known = last === undefined ? config : { ...config, public_url: last }
  return { ...runtime, config: withPort(known, port || config.port) }
}

export async function callerFor(
  runtime: Runtime,
  command: string,
  project_id: string | undefined,
): Promise<Caller> {
  const project = await findProject(
    runtime.db,
    await projectOrOnly(runtime.db, command, project_id),
  )
  return {
    runtime: await withPublicUrl(runtime),
    db: runtime.db,
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
