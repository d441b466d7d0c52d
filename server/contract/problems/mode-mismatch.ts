/** The refusal for a test key that would change something live. */
import { isTest, type Caller } from '../caller.ts'
import { Problem } from '../errors.ts'

/**
 * Throws key_mode_mismatch if a test key would change a live record. People of the project may
 * change it in either mode of the portal.
 */
export function requireModeOf(
  caller: Caller,
  { test, what }: { test: boolean; what: string },
): void {
  if (test || !mayChangeTestOnly(caller)) return
  const detail = `This ${what} is live, and a test key changes only what belongs to test mode.`
  throw new Problem('key_mode_mismatch', detail)
}

/** Whether the caller is a test key of a project that also has live records. */
export function mayChangeTestOnly(caller: Caller): boolean {
  return !('person' in caller) && isTest(caller) && caller.project.shape !== 'test'
}
