/** Portal operations that delete a project, list the bin and restore from it. */
import { Type } from 'typebox'
import { peopleOperation } from '../../contract/people.ts'
import { DeletedProject, DeletedProjectParams, RestoredProject } from './schema.ts'
import * as bin from './service.ts'

export const remove = peopleOperation({
  name: 'projects.delete',
  route: 'DELETE /projects/{project_id}',
  about:
    'Deletes a project: its keys, sites and chats stop at once. An owner can restore it for 30 ' +
    'days; after that it is permanently deleted. confirm must be the name of the project. If the ' +
    'project is half of an older pair, the other half is kept.',
  keywords: 'close project, remove workspace, end everything, cancel the service, quit, all data',
  access: 'owner',
  fresh: true,
  effect: 'write',
  query: Type.Object(
    {
      confirm: Type.Optional(
        Type.String({ description: 'The name of the project.', examples: ['Bakery De Molen'] }),
      ),
    },
    { additionalProperties: false },
  ),
  status: 204,
  errors: ['confirmation_required'],
  run: ({ query }, caller) => bin.deleteProject(caller, query.confirm),
})

export const list = peopleOperation({
  name: 'deleted_projects.list',
  route: 'GET /deleted-projects',
  about: 'Lists the deleted projects that you own and can restore, newest deletion first.',
  keywords: 'recover project, trash, bin',
  access: 'person',
  effect: 'read',
  status: 200,
  reply: Type.Object({
    data: Type.Array(DeletedProject, { description: 'Your deleted projects.' }),
  }),
  errors: [],
  run: (_input, caller) => bin.listDeleted(caller),
})

export const restore = peopleOperation({
  name: 'deleted_projects.restore',
  route: 'POST /deleted-projects/{project_id}/restore',
  about: 'Restores a deleted project that you own: its keys, sites, team and data work again.',
  keywords: 'undelete project, bring back, recover, by mistake, undo deletion',
  access: 'person',
  fresh: true,
  effect: 'write',
  params: DeletedProjectParams,
  status: 200,
  reply: RestoredProject,
  errors: ['not_found', 'conflict'],
  run: ({ params }, caller) => bin.restoreOwn(caller, params.project_id),
})
