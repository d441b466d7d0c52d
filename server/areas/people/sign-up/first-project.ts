/** The first project of a person, in the flow of creating an account. */
import type { Runtime } from '../../../kernel/runtime.ts'
import { insertOwnProject } from '../account.ts'
import { lockPerson } from '../account-store.ts'
import type { Person } from '../person.ts'
import { listMemberships } from '../team/team-store.ts'

/**
 * Creates a project on the plan Free for a person who has none. Returns its id, or that of an existing
 * one, so that a form that is sent twice creates one project.
 */
export function createFirstProject(
  runtime: Runtime,
  { person, name }: { person: Pick<Person, 'id' | 'email'>; name: string },
): Promise<string> {
  return runtime.db.transact(async (tx) => {
    await lockPerson(tx, person.id)
    const [existing] = await listMemberships(tx, person.id)
    if (existing) return existing.project.id
    return (await insertOwnProject(tx, runtime, { person, name })).id
  })
}
