/** The operations of projects. */
import { operation } from '../../contract/operation.ts'
import { Project } from './schema.ts'
import * as projects from './service.ts'

export const get = operation({
  name: 'project.get',
  route: 'GET /project',
  about:
    'The project behind the key: its rails, its verification levels and what the key is limited to. ' +
    'A key limited to some sites and apps gets a short form.',
  scope: 'project:read',
  reach: 'selection',
  effect: 'read',
  status: 200,
  reply: Project,
  errors: ['not_found'],
  run: async (_input, caller) => projects.show(caller),
})
