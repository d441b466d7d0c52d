/** The users of an app, for its team. */
import type { Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import { readPage, type PageQuery } from '../../../contract/schema/pages.ts'
import { findApp } from '../apps.ts'
import type { AppUser, UserChange, UserList } from './schema.ts'
import { listPasskeys } from './passkey-store.ts'
import * as store from './user-store.ts'

export async function listUsers(caller: Caller, id: string, query: PageQuery): Promise<UserList> {
  const { project_id } = await findApp(caller, id)
  const page = await readPage(caller, {
    list: `users of ${id}`,
    query,
    read: (count, after) => store.listUsers(caller.db, { project_id, app_id: id, count, after }),
  })
  return { data: page.data.map(present), next_cursor: page.next_cursor }
}

export async function changeUser(
  caller: Caller,
  { id, user_id }: { id: string; user_id: string },
  { blocked }: UserChange,
): Promise<AppUser> {
  const { project_id } = await findApp(caller, id)
  const of_app = { project_id, app_id: id }
  const row = await caller.db.transact(async (tx) => {
    const blocked_at = blocked ? caller.runtime.clock.now() : null
    const changed = await store.setBlocked(tx, { ...of_app, id: user_id }, blocked_at)
    if (blocked) await store.deleteSessions(tx, of_app, { user_id })
    return changed
  })
  if (!row) throw new Problem('not_found', 'This app has no user with this id.')
  const passkeys = await listPasskeys(caller.db, { ...of_app, user_id })
  return present({ ...row, passkeys: passkeys.length })
}

function present(row: store.ListedUser): AppUser {
  const { id, email, password_hash, passkeys, blocked_at, created_at, last_seen_at } = row
  return {
    id,
    email,
    has_password: password_hash !== null,
    passkeys,
    blocked: blocked_at !== null,
    created_at: created_at.toISOString(),
    last_seen_at: last_seen_at.toISOString(),
  }
}
