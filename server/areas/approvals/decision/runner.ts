/**
 * What approvals need of the operations they are about. Areas know no operations, so the edges hand
 * in how one is read, judged, priced and run, when the server is opened.
 */
import assert from 'node:assert/strict'
import type { Caller } from '../../../contract/caller.ts'
import type { Problem } from '../../../contract/errors.ts'
import type { Phrasing } from '../../../contract/next-steps.ts'
import type { Loss, Operation } from '../../../contract/operation.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import type { ApprovalRow } from '../store.ts'

/** An operation with arguments that were read and found right. */
export interface Prepared {
  operation: Operation
  /**
   * Runs it and gives its reply as JSON text, empty where there is none. `keep` is for operations
   * with an Idempotency-Key: it gets the reply in the transaction that makes it true.
   */
  run(caller: Caller, keep?: Keep): Promise<string>
  /** What it would delete now; null: nothing but what the operation always does. */
  findLoss(caller: Caller): Promise<Loss | null>
  /** The declared name of what it is about; null: it has none or is not there. */
  findSubject(caller: Caller): Promise<string | null>
  /** Runs it without remembering anything, to be undone. */
  rehearse(caller: Caller): Promise<void>
}

export type Keep = (tx: Transaction, reply: string) => Promise<void>

export interface Runner {
  /** Throws the Problem that says what is wrong with the arguments. */
  prepare(name: string, given: unknown): Prepared
  /** What it costs today with these arguments, in a sentence; null where it costs nothing. */
  costOf(asked: { operation: Operation; given: unknown }): string | null
  /** Who asked, as their key or connection is now. Throws the Problem of one that may no longer. */
  recognise(asked: Pick<ApprovalRow, 'project_id' | 'asked_by' | 'id'>): Promise<Caller>
  /** Throws the Problem that says why this caller may not use the operation. */
  allow(operation: Operation, caller: Caller): Promise<void>
  /** Whether what became of it may be known later, and is to be asked for again. */
  isOpen(problem: Problem): boolean
  /** What it is about, as this caller may read it now; null where nothing reads it. */
  readSubject(name: string, given: Record<string, unknown>, caller: Caller): Promise<string | null>
  /** How a problem that is kept with an approval names operations. */
  phrasing: Phrasing
  /** What the key or connection of a caller is called. */
  nameOf(caller: Caller): Promise<string>
}

const runners = new WeakMap<Runtime, Runner>()

export function handInRunner(runtime: Runtime, runner: Runner): void {
  runners.set(runtime, runner)
}

export function runnerOf(runtime: Runtime): Runner {
  const runner = runners.get(runtime)
  assert(runner, 'The runner of approved operations was not handed in.')
  return runner
}

/** The request that an approval is carried out as. */
export function requestOf(approval_id: string): string {
  return `approval-${approval_id}`
}

/** How an operation is kept from being done twice. */
export type Way =
  /** By its Idempotency-Key: its reply and the end of the approval are one transaction. */
  | 'keyed'
  /** All that it writes and the end of the approval are one transaction. */
  | 'whole'
  /** Its first write says that it was begun; what was begun is never begun again. */
  | 'begun'

export function wayOf({ headers, effect }: Operation): Way {
  if (headers?.idempotency_key) return 'keyed'
  return effect === 'write' ? 'whole' : 'begun'
}
