/** What a rule of teams refuses, in the same sentence for whoever asked, on a page and in the API. */
import { TeamRefusal, type TeamRefusalKind } from '../../areas/people/service.ts'
import { Problem, type ErrorSlug } from '../../contract/errors.ts'

export function asProblem(error: unknown): unknown {
  if (!(error instanceof TeamRefusal)) return error
  const { kind, message: user_message } = error
  const extra = kind === 'no_room' ? { user_message, status: 409 } : { user_message }
  return new Problem(slugs[kind], user_message, extra)
}

const slugs = {
  missing: 'not_found',
  not_allowed: 'forbidden',
  clash: 'conflict',
  no_room: 'plan_limit_reached',
} as const satisfies Record<TeamRefusalKind, ErrorSlug>
