/**
 * Deleting and restoring projects. A deleted project is kept for 30 days, in which it cannot be
 * used; then `purge/` removes it.
 */
import { Problem } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { MemberCaller, PersonCaller } from '../../contract/people.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import { enqueue } from '../../kernel/jobs/jobs.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { newId } from '../../kernel/values/ids.ts'
import * as people from '../people/service.ts'
import * as projects from '../projects/service.ts'
import { announceSites } from '../sites/service.ts'
import { sendProjectNotice } from './jobs.ts'
import type { DeletedProject, RestoredProject } from './schema.ts'
import * as store from './store.ts'

type Own = Pick<PersonCaller, 'runtime' | 'db' | 'person'>

/** Deletes a project. `confirm` must repeat its name. */
export async function deleteProject(
  { runtime, project }: MemberCaller,
  confirm: string | undefined,
): Promise<void> {
  if (confirm?.trim() !== project.name.trim()) throw unconfirmed(project)
  await moveToBin(runtime, { project_id: project.id, by_operator: false })
}

/**
 * For the operator: moves a project to the bin, from which its owners cannot restore it. Returns false
 * if it is unknown or deleted.
 */
export function remove(runtime: Runtime, project_id: string): Promise<boolean> {
  return moveToBin(runtime, { project_id, by_operator: true })
}

/** Mails the owners. Returns false if the project is unknown or deleted. */
function moveToBin(
  runtime: Runtime,
  project: { project_id: string; by_operator: boolean },
): Promise<boolean> {
  return runtime.db.transact(async (tx) => {
    if (!(await projects.markDeleted(tx, { ...project, now: runtime.clock.now() }))) return false
    await announce(tx, runtime, { project_id: project.project_id, what: 'deleted' })
    return true
  })
}

function unconfirmed({ name, numbers_count: count }: MemberCaller['project']): Problem {
  const numbers =
    count === 0 ? '' : ` It has ${count === 1 ? 'a phone number' : `${count} phone numbers`}.`
  return new Problem(
    'confirmation_required',
    `The project ${JSON.stringify(name)} and its keys would stop at once, and everything in it would be removed after ${keptDays()} days.${numbers}`,
    {
      user_message: `Type the name of the project, ${name}, to delete it.`,
      next_step: 'Send the request again with the name of the project in the parameter confirm.',
    },
  )
}

const DAY_S = 86_400

export function keptDays(): number {
  return limits.deleted_project_kept_s / DAY_S
}

/** The latest deletion time of projects that are due for removal. */
export function findPurgeLimit({ clock }: Runtime): Date {
  return new Date(clock.now_ms() - limits.deleted_project_kept_s * 1000)
}

function keptUntil(deleted_at: Date): Date {
  return new Date(deleted_at.getTime() + limits.deleted_project_kept_s * 1000)
}

export async function listDeleted({
  runtime,
  db,
  person,
}: Own): Promise<{ data: DeletedProject[] }> {
  const rows = await store.listOwned(db, { person_id: person.id, since: findPurgeLimit(runtime) })
  return {
    data: rows.map(({ deleted_at, ...row }) => ({
      ...row,
      deleted_at: deleted_at.toISOString(),
      kept_until: keptUntil(deleted_at).toISOString(),
    })),
  }
}

/** Restores a project that an owner deleted, if the person may own one more. */
export function restoreOwn({ runtime, db, person }: Own, id: string): Promise<RestoredProject> {
  return db.transact(async (tx) => {
    await people.requireRoomToOwn(tx, person.id)
    const since = findPurgeLimit(runtime)
    const owned = await store.listOwned(tx, { person_id: person.id, since })
    const restored = owned.some((project) => project.id === id.toLowerCase())
      ? await restoreIn(tx, runtime, id)
      : null
    if (restored) return restored
    throw new Problem('not_found', 'You own no deleted project with this id.', {
      user_message: 'This project can no longer be restored.',
    })
  })
}

/** For the operator. Returns null if the project is not in the bin. */
export function restore(runtime: Runtime, project_id: string): Promise<RestoredProject | null> {
  return runtime.db.transact((tx) => restoreIn(tx, runtime, project_id))
}

async function restoreIn(
  tx: Transaction,
  runtime: Runtime,
  project_id: string,
): Promise<RestoredProject | null> {
  const row = await projects.restore(tx, project_id)
  if (!row) return null
  await announce(tx, runtime, { project_id, what: 'restored' })
  return { id: row.id, name: row.name }
}

/** Empties the caches of sites and mails the owners. */
async function announce(
  tx: Transaction,
  runtime: Runtime,
  { project_id, what }: { project_id: string; what: 'deleted' | 'restored' },
): Promise<void> {
  announceSites(tx, runtime, project_id)
  for (const owner of await store.listOwners(tx, project_id)) {
    const payload = { ...owner, what, project_id, reference: newId(runtime.clock) }
    await enqueue(tx, runtime, sendProjectNotice, { project_id: null, payload })
  }
}
