/** Requests about sites, their versions and the files of versions. */
import { queryOptions } from '@tanstack/react-query'
import { api, inProject, read, type Schemas, type Scope } from '../../api/client.ts'
import { pollEvery } from '../../api/live.ts'

export type Site = Schemas['Site']
export type Version = Schemas['SiteVersion']
export type Visibility = Site['visibility']
export type SiteFile = Schemas['SitesFilesReply']['data'][number]
export type FileContent = Schemas['SitesFileReply']
export type SiteChange = Schemas['SitesUpdateBody']
export type FormToken = Schemas['ChatTokensListReply']['data'][number]

export interface NewSite {
  slug: string
  visibility: Visibility
  password?: string
}

const REFRESH_MS = 15_000
const TOKENS_MAX = 100

const VISITS_MS = 60_000

export function sitesKey({ project_id }: Scope) {
  return ['sites', project_id] as const
}

export function sitesQuery(scope: Scope) {
  const params = inProject(scope)
  return queryOptions({
    queryKey: [...sitesKey(scope), 'list'],
    queryFn: async ({ signal }) =>
      (await read(api.GET('/projects/{project_id}/sites', { params, signal }))).data,
    refetchInterval: pollEvery(REFRESH_MS),
  })
}

export function siteQuery(scope: Scope, id: string) {
  const params = inProject(scope, { id })
  return queryOptions({
    queryKey: [...sitesKey(scope), 'one', id],
    queryFn: ({ signal }) => read(api.GET('/projects/{project_id}/sites/{id}', { params, signal })),
    refetchInterval: pollEvery(REFRESH_MS),
  })
}

export function versionsQuery(scope: Scope, id: string) {
  const params = inProject(scope, { id })
  return queryOptions({
    queryKey: [...sitesKey(scope), 'versions', id],
    queryFn: async ({ signal }) =>
      (await read(api.GET('/projects/{project_id}/sites/{id}/versions', { params, signal }))).data,
  })
}

export type Visits = Schemas['SitesVisitsReply']
export type VisitDays = '7' | '30' | '90'
const DAY_MS = 86_400_000

/** The page views of the last days, today included. Days are those of UTC. */
export function visitsQuery(scope: Scope, id: string, days: VisitDays) {
  const params = inProject(scope, { id })
  return queryOptions({
    queryKey: [...sitesKey(scope), 'visits', id, days],
    queryFn: ({ signal }) => {
      const first_ms = Date.now() - (Number(days) - 1) * DAY_MS
      const query = { from: new Date(first_ms).toISOString().slice(0, 10) }
      const route = '/projects/{project_id}/sites/{id}/visits'
      return read<Visits>(api.GET(route, { params: { ...params, query }, signal }))
    },
    refetchInterval: VISITS_MS,
  })
}

/** The files of a version, which never change. */
export function filesQuery(scope: Scope, id: string, version: number) {
  const params = { ...inProject(scope, { id }), query: { version } }
  return queryOptions({
    queryKey: ['site-files', scope.project_id, id, version],
    queryFn: async ({ signal }) =>
      (await read(api.GET('/projects/{project_id}/sites/{id}/files', { params, signal }))).data,
    staleTime: Infinity,
  })
}

export function fileQuery(scope: Scope, id: string, given: { version: number; path: string }) {
  const { path, header } = inProject(scope, { id })
  const params = {
    path: { ...path, path: given.path },
    header,
    query: { version: given.version },
  }
  return queryOptions({
    queryKey: ['site-file', scope.project_id, id, given.version, given.path],
    queryFn: ({ signal }) =>
      read(api.GET('/projects/{project_id}/sites/{id}/files/{path}', { params, signal })),
    staleTime: Infinity,
  })
}

export function changeSite(scope: Scope, id: string, body: SiteChange) {
  const params = inProject(scope, { id })
  return read<Site>(api.PATCH('/projects/{project_id}/sites/{id}', { params, body }))
}

export function deleteSite(scope: Scope, id: string) {
  const params = inProject(scope, { id })
  return read(api.DELETE('/projects/{project_id}/sites/{id}', { params }))
}

/** Makes an earlier version live. */
export function rollBack(scope: Scope, id: string, version: number) {
  const params = inProject(scope, { id })
  const body = { version }
  return read<Site>(api.POST('/projects/{project_id}/sites/{id}/rollback', { params, body }))
}

/** The public tokens that the forms of a site use. */
export function tokensQuery(scope: Scope, site_id: string) {
  const params = { ...inProject(scope), query: { limit: TOKENS_MAX } }
  return queryOptions({
    queryKey: [...sitesKey(scope), 'tokens', site_id],
    queryFn: async ({ signal }) => {
      const { data } = await read(api.GET('/projects/{project_id}/chat-tokens', { params, signal }))
      return data.filter((token) => token.site_id === site_id && token.active)
    },
  })
}

export function revokeToken(scope: Scope, id: string) {
  const params = inProject(scope, { id })
  return read(api.DELETE('/projects/{project_id}/chat-tokens/{id}', { params }))
}
