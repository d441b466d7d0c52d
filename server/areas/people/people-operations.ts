/** Portal operations on a person's own account: sessions, projects, invitations. */
import { Type } from 'typebox'
import { peopleOperation } from '../../contract/people.ts'
import * as own from './account.ts'
import {
  InvitationParams,
  ReceivedInvitationShape,
  JoinedProject,
  Me,
  NewPassword,
  OwnName,
  OwnProject,
  ProjectName,
  PersonSession,
  SessionParams,
  TermsAcceptance,
} from './schema.ts'
import { acceptTermsInPortal } from './sign-up/terms.ts'

export const me = peopleOperation({
  name: 'me.get',
  route: 'GET /me',
  about: 'The signed-in person, and until when their identity counts as confirmed.',
  keywords: 'who am I, profile, account, signed in as, mail address',
  access: 'person',
  effect: 'read',
  status: 200,
  reply: Me,
  errors: [],
  run: (_input, caller) => own.showAccount(caller),
})

export const name = peopleOperation({
  name: 'me.name',
  route: 'PATCH /me',
  about: 'Sets your name, which the members of your projects see.',
  keywords: 'my name, profile, display name',
  access: 'person',
  effect: 'write',
  body: OwnName,
  status: 200,
  reply: Me,
  errors: [],
  run: ({ body }, caller) => own.saveName(caller, body),
})

export const terms = peopleOperation({
  name: 'me.accept_terms',
  route: 'PUT /me/terms',
  about: 'Accepts the current terms of use. The version and the time are stored.',
  keywords: 'terms of use, conditions, agree',
  access: 'person',
  effect: 'write',
  body: TermsAcceptance,
  status: 204,
  errors: ['conflict'],
  run: ({ body }, caller) => acceptTermsInPortal(caller, body),
})

export const password = peopleOperation({
  name: 'me.password',
  route: 'PUT /me/password',
  about: 'Sets your password. It ends all your other sessions.',
  keywords: 'change password, forgot, login, reset, portal password leaked',
  access: 'person',
  fresh: true,
  effect: 'write',
  body: NewPassword,
  status: 204,
  errors: [],
  run: ({ body }, caller) => own.replaceOwnPassword(caller, body),
})

export const sessions = peopleOperation({
  name: 'sessions.list',
  route: 'GET /sessions',
  about: 'Lists your sessions, last used first.',
  keywords: 'devices, logged in where, active logins, browsers, active devices, laptop, phone',
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
  about: 'Ends one of your sessions; it can be the current one.',
  keywords:
    'log out, sign out, device, computer, revoke session, kick, stayed logged in, lost phone, ' +
    'stolen laptop, everywhere',
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
  about: 'Lists the projects you are a member of, with your role in each.',
  keywords: 'my projects, which workspaces, switch project, companies, businesses',
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
    'Creates a project on the plan Free, with you as its owner. Everything in it is in ' +
    'test mode until you go live.',
  keywords:
    'new project, sandbox, second business, another shop, client, workspace, branch, company, ' +
    'separate environment, start',
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
  about: 'A project, with your role in it and the limits of your access.',
  keywords: 'my role, project details, limits',
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
  about: 'Renames a project. Its addresses and keys stay the same.',
  keywords: 'name, title, default language, call the project, business name, workspace',
  access: 'admin',
  effect: 'write',
  body: ProjectName,
  status: 200,
  reply: OwnProject,
  errors: [],
  run: ({ body }, caller) => own.renameProject(caller, body),
})

export const invitations = peopleOperation({
  name: 'own_invitations.list',
  route: 'GET /invitations',
  about: 'Lists the open invitations to your email address.',
  keywords: 'my invites, who invited me',
  access: 'person',
  effect: 'read',
  status: 200,
  reply: Type.Object({
    data: Type.Array(ReceivedInvitationShape, { description: 'The open invitations to you.' }),
  }),
  errors: [],
  run: (_input, caller) => own.listOwnInvitations(caller),
})

export const accept = peopleOperation({
  name: 'own_invitations.accept',
  route: 'POST /invitations/{invitation_id}/accept',
  about: 'Accepts an invitation. You become a member at once.',
  keywords: 'join team, accept invite',
  access: 'person',
  effect: 'write',
  params: InvitationParams,
  status: 200,
  reply: JoinedProject,
  errors: ['not_found', 'conflict', 'plan_limit_reached'],
  run: ({ params }, caller) => own.answerOwnInvitation(caller, { ...params, accepts: true }),
})

export const decline = peopleOperation({
  name: 'own_invitations.decline',
  route: 'POST /invitations/{invitation_id}/decline',
  about: 'Declines an invitation and deletes it.',
  keywords: 'refuse invite, do not join',
  access: 'person',
  effect: 'write',
  params: InvitationParams,
  status: 204,
  errors: ['not_found'],
  run: async ({ params }, caller) => {
    await own.answerOwnInvitation(caller, { ...params, accepts: false })
  },
})
