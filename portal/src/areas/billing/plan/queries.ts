/** Requests about the plan of a project. */
import { queryOptions } from '@tanstack/react-query'
import { api, inProject, read, type Schemas, type Scope } from '../../../api/client.ts'
import { pollEvery } from '../../../api/live.ts'

export type ProjectPlan = Schemas['ProjectPlan']
export type OfferedPlan = ProjectPlan['plans'][number]
export type LimitName = OfferedPlan['limits'][number]['name']
export type Excess = OfferedPlan['does_not_fit'][number]

/** Polling interval while a card payment is pending. */
const PENDING_MS = 5_000

export function planKey({ project_id }: Scope) {
  return ['plan', project_id] as const
}

export function planQuery(scope: Scope) {
  const params = inProject(scope)
  return queryOptions({
    queryKey: planKey(scope),
    queryFn: ({ signal }) => read(api.GET('/projects/{project_id}/plan', { params, signal })),
    refetchInterval: ({ state }) => (state.data?.pending_payment ? pollEvery(PENDING_MS)() : false),
  })
}

export function changePlan(
  scope: Scope,
  { plan, price_now_eur }: OfferedPlan,
): Promise<ProjectPlan> {
  const body = { plan, price_now_eur }
  return read(api.PUT('/projects/{project_id}/plan', { params: inProject(scope), body }))
}

export function cancelDowngrade(scope: Scope): Promise<ProjectPlan> {
  return read(api.DELETE('/projects/{project_id}/plan/planned', { params: inProject(scope) }))
}

export function payPlan(scope: Scope): Promise<ProjectPlan> {
  return read(api.POST('/projects/{project_id}/plan/payments', { params: inProject(scope) }))
}
