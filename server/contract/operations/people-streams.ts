/**
 * An operation for people whose reply is JSON, or an event stream for clients that accept one. The
 * stream carries the same result at its end.
 */
import type { Static, TObject, TProperties, TSchema } from 'typebox'
import type { AnyInput, Input } from '../operation.ts'
import {
  peopleOperation,
  type MemberCaller,
  type PeopleDeclaration,
  type PeopleOperation,
  type Role,
} from '../people.ts'
import type { StreamReply } from './streams.ts'

/** The input of such an operation, in addition to the validated input. */
export interface PeopleStreamInput {
  /** Aborts when the client disconnects or stops reading, or at shutdown. */
  signal: AbortSignal
  /** Whether the client accepts an event stream. */
  accepts_stream: boolean
  /** Returns the caller with their current rights; throws a Problem if they lost access. */
  recheck(): Promise<MemberCaller>
}

/** An operation of this kind with its types erased, for the edges. */
export type PeopleStreamOperation = Omit<PeopleOperation, 'run'> & {
  streams: true
  run(input: AnyInput & PeopleStreamInput, caller: MemberCaller): Promise<unknown>
}

export function peopleStream<
  Body extends TSchema | undefined = undefined,
  Reply extends TSchema | undefined = undefined,
  Params extends TObject<TProperties> | undefined = undefined,
>(
  declaration: Omit<PeopleDeclaration<Role, Params, undefined, Body, Reply>, 'run'> & {
    run(
      input: Input<Params, undefined, Body> & PeopleStreamInput,
      caller: MemberCaller,
    ): Promise<(Reply extends TSchema ? Static<Reply> : never) | StreamReply>
  },
): PeopleOperation {
  const run: PeopleStreamOperation['run'] = (input, caller) =>
    declaration.run(input as Input<Params, undefined, Body> & PeopleStreamInput, caller)
  const declared = { ...declaration, run } as unknown as Parameters<typeof peopleOperation>[0]
  return { ...peopleOperation(declared), streams: true }
}

/** Whether `run` of the operation takes a PeopleStreamInput. */
export function isPeopleStream(operation: object): operation is PeopleStreamOperation {
  return 'streams' in operation && operation.streams === true
}
