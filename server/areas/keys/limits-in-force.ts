/**
 * The effective limits of a key: the intersection of its own limits and those of its creator in the
 * team. They are stored whenever either changes, so that no request computes them.
 */
import { intersectAccess } from '../../contract/access.ts'
import type { Access } from '../../contract/caller.ts'
import { fillAllowed, type Allowed, type Selection } from '../../contract/limited-to.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import * as store from './store.ts'

/** The chosen limits; null means the whole project. */
export type ChosenAccess = (Selection & Partial<Allowed>) | null

export interface LimitSources {
  own_access: ChosenAccess
  creator_access: ChosenAccess
}

export function effectiveAccess({ own_access, creator_access }: LimitSources): Access | null {
  return intersectAccess(
    own_access && { ...fillAllowed(own_access), limited_by: 'api_key' },
    creator_access && { ...fillAllowed(creator_access), limited_by: 'member' },
  )
}

/** Returns the columns that store the limits of a key. */
export function toLimitColumns(sources: LimitSources) {
  const { own_access, creator_access } = sources
  const access = effectiveAccess(sources)
  return {
    own_access: own_access && JSON.stringify(own_access),
    creator_access: creator_access && JSON.stringify(creator_access),
    access: access && JSON.stringify(access),
  }
}

/**
 * Updates the limits of a person's keys to their current access, in the transaction that changes
 * it. A person who leaves the team keeps their last limits on those keys.
 */
export async function updateMemberKeys(
  tx: Transaction,
  {
    project_id,
    person_id,
    access,
  }: { project_id: string; person_id: string; access: ChosenAccess },
): Promise<void> {
  const rows = await store.lockKeysOfMaker(tx, { project_id, person_id })
  for (const { id, own_access } of rows) {
    const columns = toLimitColumns({ own_access, creator_access: access })
    await store.change(tx, { project_id, id, ...columns })
  }
}
