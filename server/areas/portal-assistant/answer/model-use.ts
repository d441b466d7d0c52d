/** Whether a language model answers this person. */
import type { MemberCaller } from '../../../contract/people.ts'

/** A viewer may not spend money, so the search answers them. */
export function canUseModel({
  runtime,
  person,
}: Pick<MemberCaller, 'runtime' | 'person'>): boolean {
  return runtime.config.model.provider !== 'builtin' && person.role !== 'viewer'
}
