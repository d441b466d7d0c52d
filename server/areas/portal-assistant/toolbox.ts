/**
 * The interface of the portal assistant to the documentation and the operations. Areas import
 * neither; the edges register a toolbox when the server opens.
 */
import assert from 'node:assert/strict'
import type { MemberCaller } from '../../contract/people.ts'
import type { Loss, Operation } from '../../contract/operation.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import type { PortalSource } from './schema.ts'

/** JSON Schema, as far as forms need it. */
export type Shape = Readonly<Record<string, unknown>>

/** An operation that the assistant may run or propose. */
export interface KnownOperation {
  operation: Operation
  /** Its name in words. */
  title: string
  /** Schema of its arguments, without those of the interface. */
  shape: Shape
  /** Its arguments by name, with every constraint. */
  fields: Shape
  /** Its arguments in one line. */
  signature: string
  /** Path of its page in the portal, below the project; null if it has none. */
  page: string | null
}

/** An operation with validated arguments. */
export interface PreparedOperation {
  operation: Operation
  /** Runs it as this person. Returns the reply as JSON text, empty for a reply without a body. */
  run(caller: MemberCaller): Promise<string>
  findLoss(caller: MemberCaller): Promise<Loss | null>
  findSubject(caller: MemberCaller): Promise<string | null>
}

export interface OperationHits {
  /** Best first; empty if no operation has a word of the wish. */
  hits: readonly KnownOperation[]
  /** Other operations on the same subjects. */
  others: readonly Operation[]
  /** The share of the words that the best hit has, from 0 to 1. */
  share: number
}

export interface Toolbox {
  /** `otherwise`: English search words, for a sentence in another language. */
  searchDocs(words: string, otherwise?: string): Promise<PortalSource[]>
  /** The wish is in English or Dutch. */
  searchOperations(wish: string): OperationHits
  /** Records whose names or contents match, as far as this person may read them. */
  searchRecords(caller: MemberCaller, words: string): Promise<PortalSource[]>
  /** Returns null for an unknown operation and for one that the assistant never runs. */
  find(name: string): KnownOperation | null
  /** The arguments of a model, some of which put them into `body`. */
  unwrap(name: string, given: Record<string, unknown>): Record<string, unknown>
  /** Throws a Problem if the arguments are invalid. `once` is the Idempotency-Key. */
  prepare(name: string, asked: { given: unknown; once: string }): Promise<PreparedOperation>
  /** Throws a Problem if this person may not use the operation in this project and mode. */
  allow(operation: Operation, caller: MemberCaller): Promise<void>
  /** Throws a Problem if the operation needs a recent confirmation of the identity. */
  requireFresh(operation: Operation, caller: MemberCaller): Promise<void>
  /** The price, or that nothing real happens for this person; null if it is free. */
  costOf(asked: { operation: Operation; given: unknown }, caller: MemberCaller): string | null
  readState(caller: MemberCaller): Promise<string>
  /** The reply as a model reads it: text of outsiders is marked, and long replies are cut. */
  wrapReply(name: string, reply: string): string
  /** The problem document of an error, with its next step phrased for the portal. */
  describeProblem(error: unknown, caller: MemberCaller): Record<string, unknown>
}

const toolboxes = new WeakMap<Runtime, Toolbox>()

export function registerToolbox(runtime: Runtime, toolbox: Toolbox): void {
  toolboxes.set(runtime, toolbox)
}

export function findToolbox(runtime: Runtime): Toolbox {
  const toolbox = toolboxes.get(runtime)
  assert(toolbox, 'No toolbox of the portal assistant was set.')
  return toolbox
}
