/**
 * The functions that approvals need from operations. Areas do not import operations; the edges
 * register a runner when the server opens.
 */
import assert from 'node:assert/strict'
import type { Caller } from '../../../contract/caller.ts'
import type { Problem } from '../../../contract/errors.ts'
import type { Phrasing } from '../../../contract/problems/next-steps.ts'
import type { Loss, Operation } from '../../../contract/operation.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import type { ApprovalRow } from '../store.ts'

/** An operation with validated arguments. */
export interface PreparedOperation {
  operation: Operation
  /**
   * Runs it and returns its reply as JSON text, empty for a reply without a body. `keep` is for
   * operations with an Idempotency-Key; it is called with the reply in the transaction of the
   * effect.
   */
  run(caller: Caller, keep?: StoreReply): Promise<string>
  /** Returns what it would delete now; null if it deletes nothing unusual for the operation. */
  findLoss(caller: Caller): Promise<Loss | null>
  /** Returns the target's declared name; null if it has none or does not exist. */
  findSubject(caller: Caller): Promise<string | null>
  /** Runs it without an idempotency record; the caller rolls it back. */
  dryRun(caller: Caller): Promise<void>
}

export type StoreReply = (tx: Transaction, reply: string) => Promise<void>

export interface Runner {
  /** Throws a Problem if the arguments are invalid. */
  prepare(name: string, given: unknown): PreparedOperation
  /** Today's price as a sentence; null if it is free. */
  costOf(asked: { operation: Operation; given: unknown }): string | null
  /**
   * The requester with their current permissions. Throws a Problem if the key or connection is no
   * longer valid.
   */
  recognise(asked: Pick<ApprovalRow, 'project_id' | 'asked_by' | 'id'>): Promise<Caller>
  /** Throws a Problem if the caller may not use the operation. */
  allow(operation: Operation, caller: Caller): Promise<void>
  /** Whether the outcome is undecided, so that the job has to retry. */
  isOpen(problem: Problem): boolean
  /** Reads the target as this caller sees it now; null if no operation reads it. */
  readSubject(name: string, given: Record<string, unknown>, caller: Caller): Promise<string | null>
  /** Style of operation names in stored problems. */
  phrasing: Phrasing
  /** The display name of the caller's key or connection. */
  nameOf(caller: Caller): Promise<string>
}

const runners = new WeakMap<Runtime, Runner>()

export function setRunner(runtime: Runtime, runner: Runner): void {
  runners.set(runtime, runner)
}

export function runnerOf(runtime: Runtime): Runner {
  const runner = runners.get(runtime)
  assert(runner, 'No runner for approved operations was set.')
  return runner
}

/** The request id under which an approval is executed. */
export function executionRequestId(approval_id: string): string {
  return `approval-${approval_id}`
}

/** The mechanism that prevents a second execution. */
export type ExecutionMode =
  /** Its Idempotency-Key: the stored reply and the end of the approval are one transaction. */
  | 'idempotent'
  /** All its writes and the end of the approval are one transaction. */
  | 'transactional'
  /** Its first write sets `begun_at`; it never starts again after that. */
  | 'at_most_once'

export function executionModeOf({ headers, effect }: Operation): ExecutionMode {
  if (headers?.idempotency_key) return 'idempotent'
  return effect === 'write' ? 'transactional' : 'at_most_once'
}
