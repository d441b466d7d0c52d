/**
 * Which operations need the consent of a person: those that cost money, contact outsiders or delete.
 * Derived from the declarations, so that it covers every operation.
 */
import type { Caller } from '../../../contract/caller.ts'
import type { Loss, Operation } from '../../../contract/operation.ts'

/** Whether an operation is dangerous with a live key. */
export function isDangerous({ effect, method }: Operation): boolean {
  return method === 'DELETE' || effect === 'money' || effect === 'outside'
}

/**
 * Whether this caller needs consent, given what the arguments would delete. A test key spends no
 * money and contacts no outsiders (specification: Modes), but its deletions are real.
 */
export function needsConsent(
  operation: Operation,
  { mode }: Pick<Caller, 'mode'>,
  loss: Loss | null = null,
): boolean {
  const deletes = operation.method === 'DELETE' || loss !== null
  return deletes || (isDangerous(operation) && mode === 'live')
}
