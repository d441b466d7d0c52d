/** Requests about apps. */
import { queryOptions } from '@tanstack/react-query'
import { api, inProject, read, type Schemas, type Scope } from '../../api/client.ts'
import { listQuery } from '../../api/list-query.ts'
import { pollEvery } from '../../api/live.ts'

export type App = Schemas['App']
export type AppWithCode = Schemas['AppWithCode']
export type AppVersion = Schemas['AppVersion']
export type AppModule = AppWithCode['modules'][number]
export type LogLine = Schemas['AppLogLine']
export type AppUser = Schemas['AppUser']
export type Schedule = Schemas['AppSchedule']
export type Secret = Schemas['AppSecret']
export type LogLevel = 'error' | 'all'

const PAGE_SIZE = 100
/** A project has as many apps as sites, so the list needs one page. */
const APPS_MAX = 100
const REFRESH_MS = 5_000

export function appsKey({ project_id, mode }: Scope) {
  return ['apps', project_id, mode] as const
}

export function appsQuery(scope: Scope) {
  const params = { ...inProject(scope), query: { limit: APPS_MAX } }
  return queryOptions({
    queryKey: [...appsKey(scope), 'list'],
    queryFn: async ({ signal }) =>
      (await read(api.GET('/projects/{project_id}/apps', { params, signal }))).data,
    refetchInterval: pollEvery(REFRESH_MS),
  })
}

function ofApp(scope: Scope, id: string) {
  const { path, header } = inProject(scope)
  return { path: { ...path, id }, header }
}

export function appQuery(scope: Scope, id: string) {
  const params = ofApp(scope, id)
  return queryOptions({
    queryKey: [...appsKey(scope), 'one', id],
    queryFn: ({ signal }) => read(api.GET('/projects/{project_id}/apps/{id}', { params, signal })),
    refetchInterval: pollEvery(REFRESH_MS),
  })
}

export function versionsQuery(scope: Scope, id: string) {
  const params = ofApp(scope, id)
  return queryOptions({
    queryKey: [...appsKey(scope), 'versions', id],
    queryFn: async ({ signal }) =>
      (await read(api.GET('/projects/{project_id}/apps/{id}/versions', { params, signal }))).data,
  })
}

export function versionQuery(scope: Scope, id: string, version: number) {
  const { path, header } = ofApp(scope, id)
  const params = { path: { ...path, version }, header }
  return queryOptions({
    queryKey: [...appsKey(scope), 'version', id, version],
    queryFn: ({ signal }) =>
      read(api.GET('/projects/{project_id}/apps/{id}/versions/{version}', { params, signal })),
    staleTime: Infinity,
  })
}

export function hoursQuery(scope: Scope, id: string) {
  const params = ofApp(scope, id)
  return queryOptions({
    queryKey: [...appsKey(scope), 'hours', id],
    queryFn: async ({ signal }) =>
      (await read(api.GET('/projects/{project_id}/apps/{id}/hours', { params, signal }))).data,
    refetchInterval: pollEvery(REFRESH_MS),
  })
}

export function logQuery(scope: Scope, id: string, level: LogLevel) {
  return listQuery({
    key: [...appsKey(scope), 'log', id, level],
    size: PAGE_SIZE,
    refresh_ms: REFRESH_MS,
    read: async (page, signal) => {
      const params = { ...ofApp(scope, id), query: { level, ...page } }
      const reply = await read(api.GET('/projects/{project_id}/apps/{id}/logs', { params, signal }))
      if (typeof reply === 'string') throw new TypeError('Only a request for events gets a stream.')
      return reply
    },
  })
}

export function usersQuery(scope: Scope, id: string) {
  return listQuery({
    key: [...appsKey(scope), 'users', id],
    size: PAGE_SIZE,
    refresh_ms: REFRESH_MS,
    read: (page, signal) => {
      const params = { ...ofApp(scope, id), query: page }
      return read(api.GET('/projects/{project_id}/apps/{id}/users', { params, signal }))
    },
  })
}

export function schedulesQuery(scope: Scope, id: string) {
  const params = ofApp(scope, id)
  return queryOptions({
    queryKey: [...appsKey(scope), 'schedules', id],
    queryFn: async ({ signal }) =>
      (await read(api.GET('/projects/{project_id}/apps/{id}/schedules', { params, signal }))).data,
    refetchInterval: REFRESH_MS,
  })
}

export function secretsQuery(scope: Scope, id: string) {
  const params = ofApp(scope, id)
  return queryOptions({
    queryKey: [...appsKey(scope), 'secrets', id],
    queryFn: async ({ signal }) =>
      (await read(api.GET('/projects/{project_id}/apps/{id}/secrets', { params, signal }))).data,
  })
}

export function createApp(scope: Scope, body: Schemas['AppsCreateBody']) {
  const params = inProject(scope)
  return read<App>(api.POST('/projects/{project_id}/apps', { params, body }))
}

export function deployApp(scope: Scope, id: string, body: Schemas['AppsDeployBody']) {
  const params = ofApp(scope, id)
  return read<App>(api.PUT('/projects/{project_id}/apps/{id}', { params, body }))
}

export function removeApp(scope: Scope, id: string) {
  const params = ofApp(scope, id)
  return read(api.DELETE('/projects/{project_id}/apps/{id}', { params }))
}

export function rollbackApp(scope: Scope, id: string, version: number) {
  const params = ofApp(scope, id)
  const body = { version }
  return read<App>(api.POST('/projects/{project_id}/apps/{id}/rollback', { params, body }))
}

export function queryDatabase(scope: Scope, id: string, sql: string) {
  const params = ofApp(scope, id)
  return read(api.POST('/projects/{project_id}/apps/{id}/query', { params, body: { sql } }))
}

export function putSecrets(scope: Scope, id: string, secrets: Record<string, string | null>) {
  const params = ofApp(scope, id)
  return read(api.PUT('/projects/{project_id}/apps/{id}/secrets', { params, body: { secrets } }))
}

export function blockUser(scope: Scope, id: string, user: Pick<AppUser, 'id' | 'blocked'>) {
  const { path, header } = ofApp(scope, id)
  const params = { path: { ...path, user_id: user.id }, header }
  const body = { blocked: user.blocked }
  return read(api.PATCH('/projects/{project_id}/apps/{id}/users/{user_id}', { params, body }))
}
