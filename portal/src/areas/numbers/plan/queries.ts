/** The call plan of a number: reading, checking and replacing it. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api, inProject, read, type Schemas, type Scope } from '../../../api/client.ts'
import { numbersKey } from '../queries.ts'
import { isObject } from './model/json.ts'
import type { NodeSchemas } from './model/node-schema.ts'
import type { Plan } from './model/plan.ts'

export type PlanCheck = Schemas['CallPlanCheck']

const REFRESH_MS = 20_000

export interface StoredPlan {
  version: number
  source: 'number' | 'project'
  plan: Plan
}

export function planKey(scope: Scope, id: string) {
  return [...numbersKey(scope), 'plan', id] as const
}

export function planQuery(scope: Scope, id: string) {
  const params = inProject(scope, { id })
  return queryOptions({
    queryKey: planKey(scope, id),
    queryFn: async ({ signal }) => {
      const asked = { params, signal }
      return stored(await read(api.GET('/projects/{project_id}/numbers/{id}/call-plan', asked)))
    },
    refetchInterval: REFRESH_MS,
  })
}

function stored({
  version,
  source,
  plan,
}: Omit<StoredPlan, 'plan'> & { plan: unknown }): StoredPlan {
  return { version, source, plan: isObject(plan) ? plan : {} }
}

/** Replaces the plan with the text as it is, if it still has the version. */
export async function putPlan(
  scope: Scope,
  id: string,
  given: { text: string; version: number },
): Promise<StoredPlan> {
  const { path, header } = inProject(scope, { id })
  const params = { path, header: { ...header, 'If-Match': `"${given.version}"` } }
  const asked = {
    params,
    body: JSON.parse(given.text),
    bodySerializer: () => given.text,
    headers: { 'content-type': 'application/json' },
  }
  return stored(await read(api.PUT('/projects/{project_id}/numbers/{id}/call-plan', asked)))
}

/** What the server finds in a plan that is not saved yet. */
export function checkQuery(scope: Scope, id: string, text: string) {
  const params = inProject(scope, { id })
  return queryOptions({
    queryKey: [...planKey(scope, id), 'check', text],
    queryFn: ({ signal }) =>
      read(
        api.POST('/projects/{project_id}/numbers/{id}/call-plan/check', {
          params,
          body: JSON.parse(text),
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
    gcTime: 60_000,
  })
}

/** The fields of each node type, as the API publishes them. */
export function schemasQuery(scope: Scope) {
  const params = inProject(scope)
  return queryOptions({
    queryKey: ['call-plan-schema'],
    queryFn: async ({ signal }): Promise<NodeSchemas> => {
      const asked = { params, signal }
      const { nodes } = await read(
        api.GET('/projects/{project_id}/numbers/call-plan-schema', asked),
      )
      return nodes as NodeSchemas
    },
    staleTime: Infinity,
  })
}
