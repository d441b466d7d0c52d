/** Merges several problems of a request into one, so that a client sees all faults at once. */
import { errorCatalogue } from '../error-catalogue.ts'
import { Problem, type ProblemExtra } from '../errors.ts'
import { joinSteps } from './next-steps.ts'

/**
 * Returns the first problem, with the sentences and next steps of all. Null for an empty list.
 * `extra` replaces members of the first problem.
 */
export function mergeProblems(
  problems: readonly Problem[],
  extra: ProblemExtra = {},
): Problem | null {
  const [first, ...others] = problems
  if (!first) return null
  const { slug, status } = first
  const detail = problems.map((problem) => problem.detail).join(' ')
  const whole = { ...first.extra, ...extra, status }
  if (others.length === 0) return new Problem(slug, detail, whole)
  const users = problems.map(({ slug, extra }) => extra.user_message ?? errorCatalogue[slug].user)
  const steps = problems.map(({ slug, extra }) => extra.next_step ?? errorCatalogue[slug].next)
  return new Problem(slug, detail, {
    ...whole,
    user_message: [...new Set(users)].join(' '),
    next_step: joinSteps([
      'Several things are missing. Settle all of them before you send this again.',
      ...new Set(steps),
    ]),
  })
}
