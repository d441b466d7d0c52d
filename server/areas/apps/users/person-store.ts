/** Finds and erases a person among the users of apps, by their email address. */
import type { PersonalRecords } from '../../../contract/person/person.ts'
import * as store from './user-store.ts'

export const usersOfPerson: PersonalRecords = {
  kinds: ['app_users'],
  scopes: { read: 'sites:read', write: 'sites:write' },
  async *find(db, { project_id, person }) {
    if (person.email === null) return
    const rows = await store.listByEmail(db, project_id, person.email)
    yield rows.map(({ id, app_id, email, created_at, last_seen_at, blocked_at }) => ({
      id,
      path: [app_id],
      match: 'own' as const,
      created_at,
      collection: null,
      data: { id, app_id, email, created_at, last_seen_at, blocked: blocked_at !== null },
    }))
  },
  erase: (tx, { project }, records) =>
    store.deleteUsers(
      tx,
      project.id,
      records.map(({ id }) => id),
    ),
}
