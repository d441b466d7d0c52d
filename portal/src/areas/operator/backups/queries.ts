/** Backups of the installation, for operators. */
import { queryOptions } from '@tanstack/react-query'
import { api, read, type Schemas } from '../../../api/client.ts'
import { operatorKey } from '../queries.ts'

export type Backups = Schemas['OperatedBackups']
export type Backup = Backups['data'][number]

const REFRESH_MS = 10_000

export const backupsKey = [...operatorKey, 'backups'] as const

export const backupsQuery = queryOptions({
  queryKey: backupsKey,
  queryFn: ({ signal }) => read(api.GET('/operator/backups', { signal })),
  refetchInterval: REFRESH_MS,
})

export function backUpNow() {
  return read(api.POST('/operator/backups', {}))
}

export function testNewest() {
  return read(api.POST('/operator/backups/verify', {}))
}
