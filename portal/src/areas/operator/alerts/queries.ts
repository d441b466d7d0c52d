/** Alerts of the installation, for operators. */
import { queryOptions } from '@tanstack/react-query'
import { api, read, type Schemas } from '../../../api/client.ts'
import { operatorKey } from '../queries.ts'

export type Alerts = Schemas['OperatedAlerts']
export type Alert = Schemas['OperatedAlert']

const REFRESH_MS = 30_000

export const alertsKey = [...operatorKey, 'alerts'] as const

export const alertsQuery = queryOptions({
  queryKey: alertsKey,
  queryFn: ({ signal }) => read(api.GET('/operator/alerts', { signal })),
  refetchInterval: REFRESH_MS,
})

export function sendTest() {
  return read(api.POST('/operator/alerts/test', {}))
}
