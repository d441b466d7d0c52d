/** Refusals of team rules as problems. */
import { TeamRefusal, type TeamRefusalKind } from '../../areas/people/service.ts'
import { askTheOwnerStep } from '../../contract/access.ts'
import type { ErrorSlug } from '../../contract/error-catalogue.ts'
import { Problem } from '../../contract/errors.ts'

export function toTeamProblem(error: unknown): unknown {
  if (!(error instanceof TeamRefusal)) return error
  const { kind, message: user_message } = error
  return new Problem(slugs[kind], user_message, {
    user_message,
    ...(kind === 'no_room' && { status: 409 }),
    ...(kind === 'not_allowed' && { next_step: askTheOwnerStep }),
  })
}

const slugs = {
  missing: 'not_found',
  not_allowed: 'forbidden',
  clash: 'conflict',
  no_room: 'plan_limit_reached',
} as const satisfies Record<TeamRefusalKind, ErrorSlug>
