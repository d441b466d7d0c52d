/**
 * Connections: a person grants a client access to a project; people change and end connections. A
 * connection never has more permissions than its person has now.
 */
import type { Mode, ProjectRow } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { isScope, scopeNames, type Scope } from '../../contract/scopes.ts'
import type { Reader } from '../../kernel/database/database.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { newId } from '../../kernel/values/ids.ts'
import * as keys from '../keys/service.ts'
import * as people from '../people/service.ts'
import { setClientUsed } from './oauth/oauth-store.ts'
import * as store from './store.ts'

export type ConnectionLimits = people.MemberAccess

export interface NewConnection {
  person_id: string
  membership: people.Membership
  client: { id: string; name: string; redirect_host: string }
  mode: Mode
  scopes: readonly Scope[]
  access: ConnectionLimits
}

export interface ConnectionFacts {
  id: string
  client_name: string
  client_id: string
  redirect_host: string
  person: { id: string; email: string }
  mode: Mode
  scopes: Scope[]
  access: ConnectionLimits
  created_at: string
  last_used_at: string | null
}

/** Opens a connection without tokens; the authorization code follows. */
export async function openConnection(
  runtime: Runtime,
  input: NewConnection,
): Promise<store.ConnectionKey> {
  const { person_id, membership, client, mode, access } = input
  const { project, role } = membership
  const scopes = inOrder(input.scopes, people.listScopes(role))
  if (scopes.length === 0) throw new Error('A connection has a scope.')
  if (!keys.listKeyModes(project).includes(mode)) throw new Error('The project has not this mode.')
  const key = { project_id: project.id, id: newId(runtime.clock) }
  const now = runtime.clock.now()
  await runtime.db.transact(async (tx) => {
    await store.insert(tx, {
      ...key,
      person_id,
      client_id: client.id,
      client_name: client.name,
      redirect_host: client.redirect_host,
      mode,
      scopes,
      access: access && JSON.stringify(access),
      created_at: now,
      expires_at: new Date(now.getTime() + limits.oauth_code_s * 1000),
    })
    await setClientUsed(tx, client.id, now)
    const keep = limits.connections_max
    await store.endUnused(tx, { project_id: project.id, person_id, keep, now })
    return { ...key, client_name: client.name }
  })
  return key
}

function inOrder(wanted: readonly string[], allowed: ReadonlySet<Scope>): Scope[] {
  return scopeNames.filter((scope) => wanted.includes(scope) && allowed.has(scope))
}

/**
 * Who lists connections. Owners and admins see all connections of the project; other members, and
 * members who are limited to some sites, see their own.
 */
export interface ConnectionViewer {
  project: ProjectRow
  person: { id: string; role: people.Role }
  access: object | null
}

export async function list(runtime: Runtime, viewer: ConnectionViewer): Promise<ConnectionFacts[]> {
  const rows = await store.list(runtime.db, {
    project_id: viewer.project.id,
    person_id: managesAll(viewer) ? null : viewer.person.id,
    now: runtime.clock.now(),
  })
  return rows.map(present)
}

function managesAll({ person, access }: ConnectionViewer): boolean {
  return access === null && people.hasRole(person.role, 'admin')
}

async function findRow(
  runtime: Runtime,
  db: Reader,
  { viewer, id }: { viewer: ConnectionViewer; id: string },
): Promise<store.ConnectionAndMember> {
  const wanted = { project_id: viewer.project.id, id, now: runtime.clock.now() }
  const row = await store.find(db, wanted)
  if (row && (managesAll(viewer) || row.person_id === viewer.person.id)) return row
  throw new Problem('not_found', 'There is no such connection in this project.', {
    user_message: 'There is no such connection, or it has ended already.',
  })
}

export interface ConnectionUpdate {
  id: string
  /** A subset of its scopes; undefined keeps them. */
  scopes?: readonly Scope[] | undefined
  /** null means the whole project; undefined keeps the limits. */
  access?: ConnectionLimits | undefined
}

/** Changes the scopes or limits of a connection, from the next request on. */
export function change(
  runtime: Runtime,
  viewer: ConnectionViewer,
  input: ConnectionUpdate,
): Promise<ConnectionFacts> {
  const { id, scopes: wanted, access } = input
  return runtime.db.transact(async (tx) => {
    const project_id = viewer.project.id
    await store.lock(tx, { project_id, id })
    const row = await findRow(runtime, tx, { viewer, id })
    if (access !== undefined && !managesAll(viewer)) {
      throw new Problem('forbidden', 'Only owners and admins change the limits of a connection.', {
        user_message: 'Only an owner or an admin can change what a connection is limited to.',
      })
    }
    const more = wanted?.find((scope) => !row.scopes.includes(scope))
    if (more !== undefined) {
      throw new Problem('conflict', `The connection does not have the scope ${more}.`, {
        user_message: 'You can only remove scopes here. To add scopes, connect again.',
      })
    }
    const changed = {
      scopes: wanted === undefined ? row.scopes : inOrder(wanted, new Set(scopeNames)),
      access: access === undefined ? row.access : access,
    }
    const written = changed.access && JSON.stringify(changed.access)
    await store.change(tx, { project_id, id, scopes: changed.scopes, access: written })
    return present({ ...row, ...changed })
  })
}

/** Ends a connection: its tokens get 401 from the next request on. */
export function revoke(runtime: Runtime, viewer: ConnectionViewer, id: string): Promise<void> {
  return runtime.db.transact(async (tx) => {
    const row = await findRow(runtime, tx, { viewer, id })
    const { project_id } = row
    await store.end(tx, { project_id, id, because: 'person', now: runtime.clock.now() })
  })
}

/**
 * Presents a connection with its effective permissions: the granted scopes that the person's role
 * still has.
 */
function present(row: store.ConnectionAndMember): ConnectionFacts {
  return {
    id: row.id,
    client_name: row.client_name,
    client_id: row.client_id,
    redirect_host: row.redirect_host,
    person: { id: row.person_id, email: row.email },
    mode: row.mode,
    scopes: row.scopes.filter(isScope).filter((one) => people.listScopes(row.member_role).has(one)),
    access: row.access,
    created_at: row.created_at.toISOString(),
    last_used_at: row.used_at?.toISOString() ?? null,
  }
}
