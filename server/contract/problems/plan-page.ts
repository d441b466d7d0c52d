/** Adds `plan_url`, the page of the plan, to errors that a larger plan resolves. */
import type { Caller } from '../caller.ts'
import { Problem, type ErrorSlug } from '../errors.ts'
import { toProjectUrl } from '../manifest/portal-pages.ts'

export const PLAN_PAGE = '/billing/plan'

const resolved: ReadonlySet<ErrorSlug> = new Set([
  'plan_limit_reached',
  'collection_limit_reached',
  'app_too_large',
  'dedicated_ip_not_available',
])

/** Returns the error with `plan_url`; unchanged if a larger plan does not resolve it. */
export function withPlanPage(
  error: unknown,
  { runtime, project }: Pick<Caller, 'runtime' | 'project'>,
): unknown {
  if (!(error instanceof Problem) || !resolved.has(error.slug)) return error
  const plan_url = toProjectUrl(runtime.config, project.id, PLAN_PAGE)
  const { slug, detail, status, extra } = error
  return new Problem(slug, detail, { ...extra, status, fields: { ...extra.fields, plan_url } })
}
