/** Incidents and maintenance of the status page, and proposals, for operators. */
import { queryOptions } from '@tanstack/react-query'
import { api, read, type Schemas } from '../../../api/client.ts'
import { listQuery } from '../../../api/list-query.ts'
import { operatorKey } from '../queries.ts'

export type Incident = Schemas['StatusIncident']
export type Proposal = Schemas['StatusProposal']
export type Impact = Incident['impact']
export type IncidentState = Incident['state']
export type Component = Incident['components'][number]

const PAGE_SIZE = 25
const REFRESH_MS = 30_000

export const incidentsQuery = listQuery({
  key: [...operatorKey, 'incidents'],
  size: PAGE_SIZE,
  refresh_ms: REFRESH_MS,
  read: (page, signal) => read(api.GET('/operator/incidents', { params: { query: page }, signal })),
})

export const proposalsQuery = queryOptions({
  queryKey: [...operatorKey, 'incident-proposals'],
  queryFn: async ({ signal }) =>
    (await read(api.GET('/operator/incident-proposals', { signal }))).data,
  refetchInterval: REFRESH_MS,
})

export const statusPageQuery = queryOptions({
  queryKey: [...operatorKey, 'status-page'],
  queryFn: ({ signal }) => read(api.GET('/operator/status-page', { signal })),
})

export interface IncidentText {
  title: string
  message: string
  components: Component[]
}

export interface NewIncident extends IncidentText {
  impact: Impact
  state: 'investigating' | 'identified' | 'monitoring' | 'resolved'
  proposal_id?: string
}

export function reportIncident(body: NewIncident) {
  return read(api.POST('/operator/incidents', { body }))
}

export interface NewMaintenance extends IncidentText {
  starts_at: string
  ends_at: string
}

export function planMaintenance(body: NewMaintenance) {
  return read(api.POST('/operator/maintenance', { body }))
}

export interface NewUpdate {
  state: IncidentState
  message: string
  impact?: Impact
  components?: Component[]
  proposal_id?: string
}

export function postUpdate(id: string, body: NewUpdate) {
  return read(api.POST('/operator/incidents/{id}/updates', { params: { path: { id } }, body }))
}

export interface IncidentChange {
  title?: string
  impact?: Impact
  components?: Component[]
  starts_at?: string
  ends_at?: string
}

export function changeIncident(id: string, body: IncidentChange) {
  return read(api.PATCH('/operator/incidents/{id}', { params: { path: { id } }, body }))
}

export function deleteIncident(id: string) {
  return read(api.DELETE('/operator/incidents/{id}', { params: { path: { id } } }))
}

export function dismissProposal(id: string) {
  const path = '/operator/incident-proposals/{id}/dismiss'
  return read(api.POST(path, { params: { path: { id } } }))
}
