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

export const deletedProjectsQuery = queryOptions({
  queryKey: ['deleted-projects'],
  queryFn: async ({ signal }) => (await read(api.GET('/deleted-projects', { signal }))).data,
})

/**
 * The list without the test projects of live and test pairs, where the person has both projects.
 */
export function joinPairs(projects: readonly OwnProject[]): OwnProject[] {
  const ids = new Set(projects.map(({ id }) => id))
  return projects.filter(({ shape, pair_id }) => shape !== 'test' || !ids.has(pair_id ?? ''))
}

const ranks: readonly Role[] = ['viewer', 'member', 'admin', 'owner']

export function hasRole(role: Role, least: Role): boolean {
  return ranks.indexOf(role) >= ranks.indexOf(least)
}
