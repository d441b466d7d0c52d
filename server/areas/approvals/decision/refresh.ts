/**
 * Brings a pending approval up to date: its cost, the name of its target and what it would delete can
 * change while it waits. A person decides about what they read, so a change also changes `input_hash`.
 */
import { Problem } from '../../../contract/errors.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { findStatusAt } from '../present.ts'
import * as store from '../store.ts'
import { isPassing, readInput } from '../subject.ts'
import { findRunner } from './runner.ts'

/** Returns the row as it is now, and stores what changed; the stored row if that cannot be found out now. */
export async function refresh(
  runtime: Runtime,
  row: store.ApprovalRow,
): Promise<store.ApprovalRow> {
  const now = await findChanges(runtime, row).catch((error: unknown) => {
    if (isPassing(error)) return null
    throw error
  })
  if (now === null) return row
  await runtime.db.transact((tx) => store.changePending(tx, row, now))
  return { ...row, ...now }
}

/**
 * Returns what is different now; null if nothing is, or if nothing can be done any more. Throws if it
 * cannot be found out now.
 */
export async function findChanges(
  runtime: Runtime,
  row: store.ApprovalRow,
): Promise<Awaited<ReturnType<typeof readInput>> | null> {
  if (findStatusAt(row, runtime.clock.now()) !== 'pending') return null
  const runner = findRunner(runtime)
  try {
    const given: unknown = JSON.parse(row.arguments)
    const { operation } = runner.prepare(row.operation, given)
    const now = await readInput(await runner.recognise(row), { operation, given })
    return now.input_hash.equals(row.input_hash) ? null : now
  } catch (error) {
    // The execution reports it, such as a key that was revoked.
    if (error instanceof Problem && !isPassing(error)) return null
    throw error
  }
}
