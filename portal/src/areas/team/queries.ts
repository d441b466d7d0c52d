/** Requests about the members of a project and its invitations. */
import { queryOptions } from '@tanstack/react-query'
import { api, inProject, read, type Schemas, type Scope } from '../../api/client.ts'

export type Member = Schemas['MembersChangeReply']
export type Invitation = Schemas['InvitationsCreateReply']

export function teamKey({ project_id }: Scope) {
  return ['team', project_id] as const
}

export function membersQuery(scope: Scope) {
  const params = inProject(scope)
  return queryOptions({
    queryKey: [...teamKey(scope), 'members'],
    queryFn: async ({ signal }) =>
      (await read(api.GET('/projects/{project_id}/members', { params, signal }))).data,
  })
}

export function invitationsQuery(scope: Scope) {
  const params = inProject(scope)
  return queryOptions({
    queryKey: [...teamKey(scope), 'invitations'],
    queryFn: async ({ signal }) =>
      (await read(api.GET('/projects/{project_id}/invitations', { params, signal }))).data,
  })
}

export function invite(scope: Scope, body: Schemas['InvitationsCreateBody']) {
  return read(api.POST('/projects/{project_id}/invitations', { params: inProject(scope), body }))
}

export function withdraw(scope: Scope, invitation_id: string) {
  const params = inProject(scope, { invitation_id })
  return read(api.DELETE('/projects/{project_id}/invitations/{invitation_id}', { params }))
}

export function changeMember(scope: Scope, person_id: string, body: Schemas['MembersChangeBody']) {
  const params = inProject(scope, { person_id })
  return read(api.PATCH('/projects/{project_id}/members/{person_id}', { params, body }))
}

export function removeMember(scope: Scope, person_id: string) {
  const params = inProject(scope, { person_id })
  return read(api.DELETE('/projects/{project_id}/members/{person_id}', { params }))
}
