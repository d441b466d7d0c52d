/**
 * Which operations a person has to say yes to: what costs money, what reaches somebody outside,
 * and what deletes. Read from the declaration, so that no operation can be forgotten.
 */
import type { Caller } from '../../contract/caller.ts'
import type { Operation } from '../../contract/operation.ts'

/** Dangerous with a key for real. */
export function isDangerous({ effect, method }: Operation): boolean {
  return method === 'DELETE' || effect === 'money' || effect === 'outside'
}

/**
 * Dangerous for this caller, with these arguments once they are known to be valid. A test key spends
 * nothing and reaches nobody (specification: Modes), but what it deletes is gone.
 */
export function needsConsent(
  operation: Operation,
  { mode }: Pick<Caller, 'mode'>,
  given?: unknown,
): boolean {
  const deletes = operation.method === 'DELETE' || (operation.deletes?.(given) ?? 0) > 0
  return deletes || (isDangerous(operation) && mode === 'live')
}
