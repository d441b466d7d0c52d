/** Problems of operations whose effect is not known: what was done must not be reported as undone. */
import { Problem } from '../../../contract/errors.ts'
import { executionModeOf, type PreparedOperation } from './runner.ts'

/**
 * The outcome is not known yet, for example because another process is executing it. The job
 * retries.
 */
export class RetryLater extends Error {
  override readonly name = 'RetryLater'
}

export function unknownOutcome(why: string): Problem {
  return new Problem('internal_error', `It is unknown whether this was done: ${why}.`, {
    user_message: `We cannot tell whether this was done, because ${why}. Please look before you ask for it again.`,
    next_step: 'Read what there is now, tell the user, and ask again only if it was not done.',
  })
}

type Asker = Parameters<PreparedOperation['findAttempt']>[0]

/** What became of the last attempt of an operation that requires an Idempotency-Key; others leave nothing. */
export async function findAttempt(prepared: PreparedOperation, asker: Asker) {
  if (executionModeOf(prepared.operation) !== 'idempotent') return null
  return prepared.findAttempt(asker)
}

/**
 * Returns the problem that ends a request: an unknown outcome if an earlier attempt with its
 * Idempotency-Key may have had its effect. Throws RetryLater while that attempt runs.
 */
export async function orUnknownOutcome(
  problem: Problem,
  prepared: PreparedOperation | null,
  asker: Asker,
): Promise<Problem> {
  const attempt = prepared && (await findAttempt(prepared, asker))
  if (attempt === null) return problem
  if (attempt === 'ended') return unknownOutcome('an attempt was begun and cannot be repeated')
  throw new RetryLater('An earlier attempt is still running.')
}
