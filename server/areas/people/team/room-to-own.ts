/** The limit of projects per owner. */
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import { countOwned, lockPerson } from '../account-store.ts'

/** Throws `conflict` if the person owns the maximum number of projects. Locks the person's row. */
export async function requireRoomToOwn(tx: Transaction, person_id: string): Promise<void> {
  if (await ownsMaximum(tx, person_id)) throw ownsEnough()
}

/** Whether the person owns the maximum number of projects. Locks the person's row. */
export async function ownsMaximum(tx: Transaction, person_id: string): Promise<boolean> {
  await lockPerson(tx, person_id)
  return (await countOwned(tx, person_id)) >= limits.projects_owned_max
}

function ownsEnough(): Problem {
  const user_message = `You own ${limits.projects_owned_max} projects, which is the maximum.`
  return new Problem('conflict', user_message, {
    user_message,
    next_step: 'Delete a project that is no longer needed, or ask the operator to make another.',
  })
}
