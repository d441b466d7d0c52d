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
import type { Attempt } from '../../../kernel/idempotency/idempotency.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import type { ApprovalRow } from '../store.ts'

/** An operation with validated arguments. */
export interface PreparedOperation {
  operation: Operation
  /**
   * Runs the operation and returns its reply as JSON text, empty for a reply without a body. `keep`
   * is for operations with an Idempotency-Key; it is called with the reply in the transaction of
   * the effect.
   */
  run(caller: Caller, keep?: StoreReply): Promise<string>
  /** Returns what the operation would delete now; null if nothing. */
  findLoss(caller: Caller): Promise<Loss | null>
  /** Returns the target's declared name; null if it has none or does not exist. */
  findSubject(caller: Caller): Promise<string | null>
  /** What became of the last attempt with the same Idempotency-Key; null without one. */
  findAttempt(asker: { runtime: Runtime; project: { id: string } }): Promise<Attempt>
  /** Runs the operation without an idempotency record. The caller rolls it back. */
  dryRun(caller: Caller): Promise<void>
}

export type StoreReply = (tx: Transaction, reply: string) => Promise<void>

export interface OperationRunner {
  /** Returns the operation; null if there is none. */
  find(name: string): Operation | null
  /** What an existing operation does, and the JSON Schema of its arguments. */
  describe(name: string): { about: string; shape: Readonly<Record<string, unknown>> }
  /** The arguments of a model, some of which put them into `body`; those of an unknown operation as they are. */
  unwrap(name: string, given: Record<string, unknown>): Record<string, unknown>
  /** Throws a Problem if the arguments are invalid. */
  prepare(name: string, given: unknown): PreparedOperation
  /**
   * Returns today's price as a sentence, or that nothing real happens for this caller; null if the
   * operation is free.
   */
  costOf(asked: { operation: Operation; given: unknown }, caller: Caller): string | null
  /**
   * Returns the requester with their current permissions. Throws a Problem if the key or connection
   * is no longer valid.
   */
  recognise(asked: Pick<ApprovalRow, 'project_id' | 'asked_by' | 'id'>): Promise<Caller>
  /** Throws a Problem if the caller may not use the operation. */
  allow(operation: Operation, caller: Caller): Promise<void>
  /** Whether a problem leaves the outcome undecided, so that the job has to retry. */
  isOpen(problem: Problem): boolean
  /** Reads the target as this caller sees it now; null if no operation reads it. */
  readSubject(name: string, given: Record<string, unknown>, caller: Caller): Promise<string | null>
  /** How stored problems name operations. */
  phrasing: Phrasing
  /** Returns the display name of the caller's key or connection. */
  nameOf(caller: Caller): Promise<string>
}

const runners = new WeakMap<Runtime, OperationRunner>()

export function registerRunner(runtime: Runtime, runner: OperationRunner): void {
  runners.set(runtime, runner)
}

export function findRunner(runtime: Runtime): OperationRunner {
  const runner = runners.get(runtime)
  assert(runner, 'No runner for approved operations was set.')
  return runner
}

/** The request id under which an approval is executed. */
export function executionRequestId(approval_id: string): string {
  return `approval-${approval_id}`
}

/** The mechanism that prevents a second execution of an approved operation. */
export type ExecutionMode =
  /**
   * Uses the operation's Idempotency-Key: the stored reply and the end of the approval are one
   * transaction.
   */
  | 'idempotent'
  /** All writes of the operation and the end of the approval are one transaction. */
  | 'transactional'
  /** The first write of the operation sets `begun_at`; after that it never starts again. */
  | 'at_most_once'

export function executionModeOf({ headers, effect }: Operation): ExecutionMode {
  if (headers?.idempotency_key === 'required') return 'idempotent'
  if (headers?.idempotency_key === 'optional') return 'transactional'
  return effect === 'write' ? 'transactional' : 'at_most_once'
}
