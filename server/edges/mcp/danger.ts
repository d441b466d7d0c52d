/**
 * Which operations a person has to say yes to: what costs money, what contacts an outside person,
 * and what deletes. Read from the declaration, so that no operation can be forgotten.
 */
import type { Caller } from '../../contract/caller.ts'
import type { Loss, Operation } from '../../contract/operation.ts'

/** Dangerous with a key for real. */
export function isDangerous({ effect, method }: Operation): boolean {
  return method === 'DELETE' || effect === 'money' || effect === 'outside'
}

/**
 * Dangerous for this caller, with what the arguments would delete. A test key spends nothing and
 * reaches nobody (specification: Modes), but what it deletes is gone.
 */
export function needsConsent(
  operation: Operation,
  { mode }: Pick<Caller, 'mode'>,
  loss: Loss | null = null,
): boolean {
  const deletes = operation.method === 'DELETE' || loss !== null
  return deletes || (isDangerous(operation) && mode === 'live')
}
