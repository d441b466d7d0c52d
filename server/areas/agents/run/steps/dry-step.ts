/**
 * A step of a dry run that does more than read. It is only tried: in a transaction that is rolled
 * back, up to its first write, or not at all (see `dryRun`). Nothing is sent, and no person is asked.
 */
import { dryRun, type PreparedOperation } from '../../../approvals/service.ts'
import type { Caller } from '../../../../contract/caller.ts'

export type DryStatus = 'would_run' | 'would_wait'

/** Throws the Problem that the operation would reply with. */
export async function tryStep(
  caller: Caller,
  prepared: PreparedOperation,
  needs_person: boolean,
): Promise<DryStatus> {
  await dryRun(caller, prepared)
  return needs_person ? 'would_wait' : 'would_run'
}
