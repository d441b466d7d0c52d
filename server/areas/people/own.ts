/** What belongs to a signed-in person, as the API of the portal shows it. */
import type { PersonCaller } from '../../contract/people.ts'
import type { OwnProject } from './schema.ts'
import { listMemberships, type Membership } from './team-store.ts'

export async function listProjects({ db, person }: PersonCaller): Promise<{ data: OwnProject[] }> {
  return { data: (await listMemberships(db, person.id)).map(presentProject) }
}

function presentProject({ project, role, access }: Membership): OwnProject {
  const { id, name, shape, plan, created_at } = project
  return { id, name, shape, plan, created_at: created_at.toISOString(), role, access }
}
