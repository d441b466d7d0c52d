/**
 * Keys as owners and admins manage them. A person limited to some sites creates keys for those
 * sites, and sees and changes only their own keys.
 */
import type { Caller } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { MemberCaller } from '../../contract/people.ts'
import { scopeNames, scopes, type Scope } from '../../contract/scopes.ts'
import { toLowerCaseIds, fillSelection } from '../../contract/limited-to.ts'
import { sha256 } from '../../kernel/secrets/crypto.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import { newId } from '../../kernel/values/ids.ts'
import * as apps from '../apps/service.ts'
import * as projects from '../projects/service.ts'
import * as sites from '../sites/service.ts'
import { effectiveAccess, toLimitColumns, type ChosenAccess } from './limits-in-force.ts'
import { listKeyModes } from './modes.ts'
import type { Key, KeyChange, KeyInput } from './schema.ts'
import * as store from './store.ts'
import { newKeyText, tokenStart } from './text.ts'

export async function listKeys(caller: MemberCaller): Promise<Key[]> {
  const rows = await store.listKeysWithMaker(caller.db, filterOf(caller))
  return rows.map(present)
}

/**
 * Returns the filter for the visible keys: all of the project, or those that the caller created.
 */
function filterOf({ project, person, access }: MemberCaller): store.KeyFilter {
  return { project_id: project.id, made_by: access === null ? null : person.id }
}

function present(row: store.KeyWithMaker): Key {
  const { id, name, start, mode, scopes: names, maker_email } = row
  return {
    id,
    name,
    start,
    mode,
    scopes: scopeNames.filter((scope) => names.includes(scope)),
    access: row.own_access && fillSelection(row.own_access),
    in_force: selectionInForce(row),
    created_by: maker_email,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    revoked_at: row.revoked_at?.toISOString() ?? null,
  }
}

function selectionInForce(row: store.KeyWithMaker): ChosenAccess {
  const access = effectiveAccess(row)
  return access && fillSelection(access)
}

export async function createKey(
  caller: MemberCaller,
  input: KeyInput,
): Promise<Key & { key: string }> {
  requireMode(caller, input.mode)
  const expires_at = readExpiry(caller, input.expires_at ?? null)
  const own_access = await readSelection(caller, input.access ?? null)
  const key = newKeyText(input.mode)
  const { runtime, project, person } = caller
  const made = await runtime.db.transact(async (tx) => {
    await requireRoom(tx, caller)
    const creator_access = await accessOfMaker(tx, caller)
    return store.insert(tx, {
      id: newId(runtime.clock),
      project_id: project.id,
      hash: sha256(key),
      start: tokenStart(key),
      name: input.name.trim(),
      mode: input.mode,
      scopes: [...scopesOf(input.scopes)],
      ...toLimitColumns({ own_access, creator_access }),
      created_by: person.id,
      expires_at,
      created_at: runtime.clock.now(),
    })
  })
  return { ...present({ ...made, maker_email: person.email }), key }
}

/**
 * Reads and locks the current access of the key's creator, so that a concurrent change waits until
 * the key exists.
 */
async function accessOfMaker(
  tx: Transaction,
  { project, person }: MemberCaller,
): Promise<ChosenAccess> {
  const maker = await store.lockMaker(tx, { project_id: project.id, person_id: person.id })
  if (maker && (maker.role === 'owner' || maker.role === 'admin')) return maker.access
  const user_message = 'Only an owner or an admin of the project can make keys.'
  throw new Problem('forbidden', user_message, { user_message })
}

/** The project is locked, so that concurrent requests do not exceed the maximum. */
async function requireRoom(tx: Transaction, { runtime, project }: MemberCaller): Promise<void> {
  await projects.lock(tx, project.id)
  const usable = await store.countUsable(tx, { project_id: project.id, now: runtime.clock.now() })
  if (usable < limits.keys_max) return
  const user_message = `This project already has ${limits.keys_max} keys. Revoke one that nobody uses.`
  throw new Problem('conflict', user_message, { user_message })
}

function requireMode({ project }: Caller, mode: Key['mode']): void {
  if (listKeyModes(project).includes(mode)) return
  if (mode === 'live' && project.shape !== 'test') {
    throw new Problem('verification_required', 'A live key needs a verified company.', {
      missing: ['level.company'],
      user_message: 'Live keys can be made once the company is verified.',
    })
  }
  throw fault('/mode', `must be ${project.shape}, because this is the ${project.shape} project`)
}

function readExpiry({ runtime }: Caller, wanted: string | null): Date | null {
  if (wanted === null) return null
  const expires_at = new Date(wanted)
  if (expires_at <= runtime.clock.now()) throw fault('/expires_at', 'must be in the future')
  return expires_at
}

function scopesOf(wanted: KeyInput['scopes']): readonly Scope[] {
  if (wanted === 'full') return scopeNames
  if (wanted === 'read_only') return scopeNames.filter((scope) => scopes[scope].read_only)
  return scopeNames.filter((scope) => wanted.includes(scope))
}

/** The sites and apps of this project that the caller may use; ids are compared in lower case. */
async function readSelection(caller: MemberCaller, wanted: ChosenAccess): Promise<ChosenAccess> {
  if (wanted === null) return null
  const { data } = await sites.list(caller, { limit: limits.page_limit_max })
  const known = new Set(data.map(({ id }) => id))
  const stray = wanted.sites.findIndex((id) => !known.has(id.toLowerCase()))
  if (stray >= 0) throw fault(`/access/sites/${stray}`, 'is not the id of a site of this project')
  const stray_app = await apps.findStrayApp(caller, wanted.apps)
  if (stray_app >= 0)
    throw fault(`/access/apps/${stray_app}`, 'is not the id of an app of this project')
  if (wanted.sites.length + wanted.apps.length === 0)
    throw fault('/access', 'must name at least one site or app, or be null')
  return toLowerCaseIds(wanted)
}

export async function changeKey(
  caller: MemberCaller,
  key_id: string,
  { name, access: wanted }: KeyChange,
): Promise<Key> {
  const chosen = wanted === undefined ? undefined : await readSelection(caller, wanted)
  return caller.runtime.db.transact(async (tx) => {
    const row = await store.lockKeyWithMaker(tx, { ...filterOf(caller), id: key_id })
    if (!row) throw missing()
    if (row.revoked_at) {
      throw new Problem('conflict', 'This key is revoked, so it cannot be changed.', {
        user_message: 'This key is already revoked.',
      })
    }
    const own_access = chosen === undefined ? row.own_access : chosen
    const changed = { ...row, name: name?.trim() ?? row.name, own_access }
    await store.change(tx, {
      project_id: row.project_id,
      id: row.id,
      name: changed.name,
      ...toLimitColumns(changed),
    })
    return present(changed)
  })
}

export async function revokeKey(caller: MemberCaller, key_id: string): Promise<void> {
  const { runtime } = caller
  await runtime.db.transact(async (tx) => {
    const row = await store.lockKeyWithMaker(tx, { ...filterOf(caller), id: key_id })
    if (!row) throw missing()
    await store.revoke(tx, row.id, runtime.clock.now())
  })
}

function missing(): Problem {
  return new Problem('not_found', 'This project has no such key.', {
    user_message: 'This project has no such key.',
  })
}

function fault(path: string, message: string): Problem {
  return new Problem('validation_failed', `${path} ${message}.`, { errors: [{ path, message }] })
}
