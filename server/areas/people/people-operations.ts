/** What a signed-in person does for themselves: their projects, their sessions, their invitations. */
import { Type } from 'typebox'
import { peopleOperation } from '../../contract/people.ts'
import { OwnProject } from './schema.ts'
import { listProjects } from './own.ts'

export const projects = peopleOperation({
  name: 'projects.list',
  route: 'GET /projects',
  about: 'The projects that you have a part in, with your role in each.',
  access: 'person',
  effect: 'read',
  status: 200,
  reply: Type.Object({ data: Type.Array(OwnProject) }),
  errors: [],
  run: async (_input, caller) => listProjects(caller),
})
