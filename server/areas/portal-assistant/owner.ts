/** The person, project and mode to which a conversation belongs. */
import type { MemberCaller } from '../../contract/people.ts'
import type { Owner } from './store.ts'

export function ownerOf({ project, person, mode }: MemberCaller): Owner {
  return { project_id: project.id, person_id: person.id, mode }
}
