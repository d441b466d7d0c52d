/** What operators of the installation see and do. */
import { queryOptions } from '@tanstack/react-query'
import { api, read, type Schemas } from '../../api/client.ts'
import { listQuery } from '../../api/list-query.ts'

export type OperatedProject = Schemas['OperatedProject']
export type Review = Schemas['OperatorReview']
export type Work = Schemas['OperatorWork']
export type WorkHistory = Schemas['OperatorWorkHistory']
export type WorkRange = '24h' | '7d' | '30d'
export type Provider = Schemas['OperatorProvider']
export type Act = Schemas['OperatorAct']
export const operatedPlans = ['free', 'online', 'reachable', 'business', 'enterprise'] as const
export type OperatedPlan = (typeof operatedPlans)[number]

const REFRESH_MS = 15_000
const HISTORY_REFRESH_MS = 300_000

export const operatorKey = ['operator'] as const

export interface ProjectFilter {
  search?: string
  only?: 'offline'
}

export function operatedProjectsQuery(filter: ProjectFilter) {
  return listQuery({
    key: [...operatorKey, 'projects', filter],
    read: (page, signal) => {
      const params = { query: { ...filter, ...page } }
      return read(api.GET('/operator/projects', { params, signal }))
    },
  })
}

export function reviewsQuery(open: boolean) {
  return queryOptions({
    queryKey: [...operatorKey, 'reviews', open],
    queryFn: async ({ signal }) =>
      (await read(api.GET('/operator/reviews', { params: { query: { open } }, signal }))).data,
  })
}

export const workQuery = queryOptions({
  queryKey: [...operatorKey, 'work'],
  queryFn: ({ signal }) => read(api.GET('/operator/work', { signal })),
  refetchInterval: REFRESH_MS,
})

export function workHistoryQuery(range: WorkRange) {
  return queryOptions({
    queryKey: [...operatorKey, 'work-history', range],
    queryFn: ({ signal }) =>
      read(api.GET('/operator/work/history', { params: { query: { range } }, signal })),
    refetchInterval: HISTORY_REFRESH_MS,
  })
}

export const providersQuery = queryOptions({
  queryKey: [...operatorKey, 'providers'],
  queryFn: async ({ signal }) => (await read(api.GET('/operator/providers', { signal }))).data,
  refetchInterval: REFRESH_MS,
})

export interface ActFilter {
  operator?: string
  operation?: string
  entry_point?: 'operator' | 'command_line'
  from?: string
}

export function actsQuery(filter: ActFilter) {
  return listQuery({
    key: [...operatorKey, 'acts', filter],
    read: (page, signal) => {
      const params = { query: { ...filter, ...page } }
      return read(api.GET('/operator/acts', { params, signal }))
    },
  })
}

export function exportActs(filter: ActFilter) {
  return read(api.GET('/operator/acts/export', { params: { query: filter } }))
}

export function setPlan(id: string, plan: OperatedPlan) {
  return read(api.PUT('/operator/projects/{id}/plan', { params: { path: { id } }, body: { plan } }))
}

export function setPhone(id: string, verified: boolean) {
  const given = { params: { path: { id } }, body: { verified } }
  return read(api.PUT('/operator/projects/{id}/phone', given))
}

export function takeOffline(id: string, reason: string) {
  const given = { params: { path: { id } }, body: { reason } }
  return read(api.POST('/operator/projects/{id}/offline', given))
}

export function putOnline(id: string) {
  return read(api.POST('/operator/projects/{id}/online', { params: { path: { id } } }))
}

export interface Decision {
  decision: 'allowed' | 'upheld'
  note: string
}

export function decide(id: string, { decision, note }: Decision) {
  const body = { decision, ...(note.trim() !== '' && { note: note.trim() }) }
  return read(api.POST('/operator/reviews/{id}/decide', { params: { path: { id } }, body }))
}

export function retryJobs() {
  return read(api.POST('/operator/jobs/retry', {}))
}
