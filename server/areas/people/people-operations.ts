/** Portal operations on a person's own account: sessions, projects, invitations. */
import { Type } from 'typebox'
import { peopleOperation } from '../../contract/people.ts'
import * as own from './account.ts'
import {
  InvitationParams,
  InvitationToMe,
  Joined,
  Me,
  OwnProject,
  ProjectName,
  PersonSession,
  SessionParams,
} from './schema.ts'

export const me = peopleOperation({
  name: 'me.get',
  route: 'GET /me',
  about: 'Who you are, and until when your session is as good as a fresh proof of that.',
  access: 'person',
  effect: 'read',
  status: 200,
  reply: Me,
  errors: [],
  run: (_input, caller) => own.showAccount(caller),
})

export const sessions = peopleOperation({
  name: 'sessions.list',
  route: 'GET /sessions',
  about: 'Where you are signed in, the last used first.',
  access: 'person',
  effect: 'read',
  status: 200,
  reply: Type.Object({ data: Type.Array(PersonSession, { description: 'Your sessions.' }) }),
  errors: [],
  run: (_input, caller) => own.listOwnSessions(caller),
})

export const endSession = peopleOperation({
  name: 'sessions.end',
  route: 'DELETE /sessions/{session_id}',
  about: 'Signs you out somewhere, also where you are now.',
  access: 'person',
  effect: 'write',
  params: SessionParams,
  status: 204,
  errors: ['not_found'],
  run: ({ params }, caller) => own.endOwnSession(caller, params.session_id),
})

export const list = peopleOperation({
  name: 'projects.list',
  route: 'GET /projects',
  about: 'The projects that you have a part in, with your role in each.',
  access: 'person',
  effect: 'read',
  status: 200,
  reply: Type.Object({ data: Type.Array(OwnProject, { description: 'Your projects.' }) }),
  errors: [],
  run: (_input, caller) => own.listProjects(caller),
})

export const create = peopleOperation({
  name: 'projects.create',
  route: 'POST /projects',
  about:
    'Makes a project on the plan Free, of which you are the owner. Everything in it is in test ' +
    'mode until you let it go live.',
  access: 'person',
  effect: 'write',
  body: ProjectName,
  status: 201,
  reply: OwnProject,
  errors: ['conflict'],
  run: ({ body }, caller) => own.createProject(caller, body),
})

export const show = peopleOperation({
  name: 'projects.get',
  route: 'GET /projects/{project_id}',
  about: 'A project, with your role in it and what you are limited to.',
  access: 'viewer',
  reach: 'selection',
  effect: 'read',
  status: 200,
  reply: OwnProject,
  errors: [],
  run: (_input, caller) => own.showProject(caller),
})

export const rename = peopleOperation({
  name: 'projects.rename',
  route: 'PATCH /projects/{project_id}',
  about: 'Gives a project another name. Its addresses and keys stay as they are.',
  access: 'admin',
  effect: 'write',
  body: ProjectName,
  status: 200,
  reply: OwnProject,
  errors: [],
  run: ({ body }, caller) => own.renameProject(caller, body),
})

export const remove = peopleOperation({
  name: 'projects.delete',
  route: 'DELETE /projects/{project_id}',
  about:
    'Deletes a project: its keys stop working at once, and its sites are gone. Its name must be ' +
    'given a second time in confirm. Of an older pair, the other project stays.',
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
  run: ({ query }, caller) => own.deleteProject(caller, query.confirm),
})

export const invitations = peopleOperation({
  name: 'own_invitations.list',
  route: 'GET /invitations',
  about: 'The open invitations to you, that is, to the address you sign in with.',
  access: 'person',
  effect: 'read',
  status: 200,
  reply: Type.Object({
    data: Type.Array(InvitationToMe, { description: 'The invitations that wait for you.' }),
  }),
  errors: [],
  run: (_input, caller) => own.listOwnInvitations(caller),
})

export const accept = peopleOperation({
  name: 'own_invitations.accept',
  route: 'POST /invitations/{invitation_id}/accept',
  about: 'Accepts an invitation: you are in the team from now on.',
  access: 'person',
  effect: 'write',
  params: InvitationParams,
  status: 200,
  reply: Joined,
  errors: ['not_found', 'conflict', 'plan_limit_reached'],
  run: ({ params }, caller) => own.answerOwnInvitation(caller, { ...params, accepts: true }),
})

export const decline = peopleOperation({
  name: 'own_invitations.decline',
  route: 'POST /invitations/{invitation_id}/decline',
  about: 'Declines an invitation, which is then gone.',
  access: 'person',
  effect: 'write',
  params: InvitationParams,
  status: 204,
  errors: ['not_found'],
  run: async ({ params }, caller) => {
    await own.answerOwnInvitation(caller, { ...params, accepts: false })
  },
})
