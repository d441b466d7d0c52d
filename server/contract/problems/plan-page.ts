/** Adds the page of the plan, and the plan that allows more, to errors that a larger plan resolves. */
import type { Caller } from '../caller.ts'
import type { ErrorSlug } from '../error-catalogue.ts'
import { Problem } from '../errors.ts'
import { isLargerPlan, planNames, plans, type Plan } from '../plans.ts'
import { toProjectUrl } from '../manifest/portal-pages.ts'

export const PLAN_PAGE = '/billing/plan'

const resolved: ReadonlySet<ErrorSlug> = new Set([
  'plan_limit_reached',
  'collection_limit_reached',
  'app_too_large',
])

/** Returns the error with `plan_url`; unchanged if a larger plan does not resolve it. */
export function withPlanPage(
  error: unknown,
  { runtime, project }: Pick<Caller, 'runtime' | 'project'>,
): unknown {
  if (!(error instanceof Problem) || !resolved.has(error.slug)) return error
  const { slug, detail, status, extra } = error
  const plan_url = toProjectUrl(runtime.config, project.id, PLAN_PAGE)
  const larger_plan = findLargerPlan(error, project.plan)
  const added = { plan_url, ...(larger_plan !== null && { larger_plan }) }
  return new Problem(slug, detail, { ...extra, status, fields: { ...extra.fields, ...added } })
}

/** The title of the smallest plan that allows more; null if none does, or if the plan gets smaller. */
function findLargerPlan({ extra }: Problem, present: Plan): string | null {
  if (extra.fields?.['does_not_fit'] !== undefined) return null
  const larger = planNames.find((plan) => isLargerPlan(plan, present))
  return larger === undefined ? null : plans[larger].title
}
