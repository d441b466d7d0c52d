/** Whether an assistant or a program is connected to the project, for all lists of next steps. */
import { useQuery } from '@tanstack/react-query'
import { useProjectScope } from '../../api/project-scope.tsx'
import { connectionsQuery } from '../connections/queries.ts'
import { keysQuery } from '../keys/queries.ts'
import { firstRequestQuery } from './queries.ts'

/** null until it is known. Only owners and admins see the keys; for others their requests count. */
export function useIsConnected(): boolean | null {
  const scope = useProjectScope()
  const manages = scope.may('admin')
  const connections = useQuery(connectionsQuery(scope)).data
  const keys = useQuery({ ...keysQuery(scope), enabled: manages }).data
  const isLinked = (connections?.length ?? 0) > 0 || (keys?.length ?? 0) > 0
  const first = { ...firstRequestQuery(scope), enabled: !isLinked, refetchInterval: false } as const
  const request = useQuery(first).data
  if (isLinked || request) return true
  return connections === undefined || request === undefined ? null : false
}
