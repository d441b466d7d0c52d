/** Portal operations of teams: members, invitations, roles. */
import { Type } from 'typebox'
import { peopleOperation } from '../../../contract/people.ts'
import {
  Invitation,
  InvitationInput,
  InvitationParams,
  Member,
  MemberChange,
  MemberParams,
} from '../schema.ts'
import * as context from './team-api.ts'

export const members = peopleOperation({
  name: 'members.list',
  route: 'GET /projects/{project_id}/members',
  about: 'Lists the members of the team, with role and limits.',
  keywords: 'team, users, colleagues, employees, who has access, who can log in, admins',
  access: 'viewer',
  effect: 'read',
  status: 200,
  reply: Type.Object({ data: Type.Array(Member, { description: 'The people of the project.' }) }),
  errors: [],
  run: (_input, caller) => context.listMembers(caller),
})

export const change = peopleOperation({
  name: 'members.change',
  route: 'PATCH /projects/{project_id}/members/{person_id}',
  about:
    'Changes the role and limits of a member. You cannot give a role above your own, ' +
    'and a project must keep an owner.',
  keywords:
    'role, make admin, permissions, editor, promote, rights, colleague, team member, take away ' +
    'rights, demote, restrict to one site',
  access: 'admin',
  fresh: true,
  effect: 'write',
  params: MemberParams,
  body: MemberChange,
  status: 200,
  reply: Member,
  errors: ['not_found', 'conflict'],
  run: ({ params, body }, caller) => context.changeMember(caller, params.person_id, body),
})

export const remove = peopleOperation({
  name: 'members.remove',
  route: 'DELETE /projects/{project_id}/members/{person_id}',
  about: 'Removes a member. Admins can remove others; every member can leave.',
  keywords:
    'left, former employee, kick out, revoke access, fired, colleague, lock out, does not work ' +
    'here any more, quit, intern, take out',
  access: 'viewer',
  reach: 'selection',
  fresh: true,
  effect: 'write',
  params: MemberParams,
  status: 204,
  errors: ['not_found', 'conflict'],
  run: ({ params }, caller) => context.removeMember(caller, params.person_id),
})

export const invitations = peopleOperation({
  name: 'invitations.list',
  route: 'GET /projects/{project_id}/invitations',
  about: 'Lists the open invitations to the team.',
  keywords: 'pending invites, who was invited, not accepted yet, open',
  access: 'viewer',
  effect: 'read',
  status: 200,
  reply: Type.Object({
    data: Type.Array(Invitation, { description: 'The open invitations to the team.' }),
  }),
  errors: [],
  run: (_input, caller) => context.listInvitations(caller),
})

export const invite = peopleOperation({
  name: 'invitations.create',
  route: 'POST /projects/{project_id}/invitations',
  about:
    'Invites an email address to the team. The person gets a mail and joins by signing ' +
    'in with that address and accepting. A second invitation replaces the first.',
  keywords:
    'invite, login for a colleague, add user, team member, employee, access, help out, email, ' +
    'staff, niece, sister, log in too, partner, bookkeeper, new user, joins us, send the ' +
    'invitation again',
  access: 'admin',
  fresh: true,
  effect: 'outside',
  body: InvitationInput,
  status: 201,
  reply: Invitation,
  errors: ['conflict', 'plan_limit_reached'],
  run: ({ body }, caller) => context.invite(caller, body),
})

export const withdraw = peopleOperation({
  name: 'invitations.withdraw',
  route: 'DELETE /projects/{project_id}/invitations/{invitation_id}',
  about: 'Withdraws an open invitation.',
  keywords: 'cancel invite, revoke, sent by mistake, uninvite, wrong person, take back',
  access: 'admin',
  fresh: true,
  effect: 'write',
  params: InvitationParams,
  status: 204,
  errors: ['not_found'],
  run: ({ params }, caller) => context.withdraw(caller, params.invitation_id),
})
