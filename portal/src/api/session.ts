/** Queries that belong to the person: who is signed in, and their projects. */
import { queryOptions } from '@tanstack/react-query'
import { api, read, type Schemas } from './client.ts'

export type OwnProject = Schemas['ProjectsCreateReply']
export type Role = OwnProject['role']

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => read(api.GET('/me', { signal })),
})

export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: async ({ signal }) => (await read(api.GET('/projects', { signal }))).data,
})

export const invitationsQuery = queryOptions({
  queryKey: ['invitations'],
  queryFn: async ({ signal }) => (await read(api.GET('/invitations', { signal }))).data,
})

const ranks: readonly Role[] = ['viewer', 'member', 'admin', 'owner']

export function hasRole(role: Role, least: Role): boolean {
  return ranks.indexOf(role) >= ranks.indexOf(least)
}
