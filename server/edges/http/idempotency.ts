/**
 * Runs an operation once per Idempotency-Key: a retry gets the reply of the first request, not a
 * second effect. The reply is kept in the transaction that makes it true; a refusal before any
 * effect is not kept, so that the caller can mend it and try again with the same key.
 */
import type { Caller } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import type { Operation } from '../../contract/operation.ts'
import { sha256 } from '../../kernel/secrets/crypto.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import {
  findVerdict,
  forget,
  loosen,
  openGate,
  readIdempotencyKey,
  remember,
  TicketLost,
} from '../../kernel/idempotency/idempotency.ts'
import { serialize } from '../../kernel/database/driver/verbatim.ts'
import type { inputReader } from './request.ts'

export interface OnceRequest {
  operation: Operation
  /** The path and query, as they came over HTTP or would have come. */
  address: string
  /** The Idempotency-Key. */
  key: string | string[] | undefined
  /** The person whose keys these are; without one they are those of the project's API keys. */
  person_id?: string
  /** Read only once the key is known to be one. */
  readInput(): ReturnType<ReturnType<typeof inputReader>>
  caller: Caller
  /** Gets the reply in the transaction that makes it true. */
  keep?: (tx: Transaction, reply: string) => Promise<void>
}

/** What was done now, or the reply that an earlier request had. */
export type Once =
  | { value: unknown; replayed: boolean }
  | { kept: { status: number; reply: string }; replayed: true }

/** The reply that a retry gets, as JSON text; null when the request is the first with its key. */
export async function findKept(request: OnceRequest): Promise<string | null> {
  const { approach } = approachOf(request)
  const verdict = await findVerdict(request.caller.runtime, approach)
  if (verdict && 'refused' in verdict) throw refusal(verdict)
  return verdict && verdict.replay.reply
}

/** What the request is known by, and its arguments. */
function approachOf({ operation, address, key: sent, person_id, readInput, caller }: OnceRequest) {
  // No key has a space in it, so those of a person are nobody else's.
  const key = [...(person_id === undefined ? [] : [person_id]), requireKey(sent)].join(' ')
  const input = readInput()
  const request_hash = sha256(`${operation.method} ${address}\n${input.text}`)
  return { input, approach: { project_id: caller.project.id, key, request_hash } }
}

export async function runOnce(request: OnceRequest): Promise<Once> {
  const { operation, caller, keep } = request
  const { input, approach } = approachOf(request)
  const { key } = approach
  const { runtime, project } = caller
  const gate = await openGate(runtime, approach)
  if ('refused' in gate) throw refusal(gate)
  if ('replay' in gate) return { kept: gate.replay, replayed: true }
  const ticket = { project_id: project.id, key, token: gate.fresh }
  let remembered = false
  let replayed = false
  const once: Caller = {
    ...caller,
    idempotency_key: key,
    async remember(tx, value, how = { replayed: false }) {
      const reply = serialize(value)
      await remember(tx, runtime, { ...ticket, status: operation.status, reply })
      await keep?.(tx, reply)
      remembered = true
      replayed = how.replayed
    },
  }
  try {
    const value = await operation.run(input, once)
    if (!remembered) throw new Error(`${operation.name} did not remember its reply.`)
    return { value, replayed }
  } catch (error) {
    // A problem is a refusal before any effect, unless it says that the outcome is not known: then
    // a retry may pass at once, but only the same request. After anything else the key stays taken
    // until its lock runs out.
    if (error instanceof Problem)
      await (error.extra.outcome_unknown ? loosen(runtime, ticket) : forget(runtime, ticket))
    if (error instanceof TicketLost) throw refusal({ refused: 'in_progress', retry_after_s: 1 })
    throw error
  }
}

function requireKey(sent: string | string[] | undefined): string {
  const read = readIdempotencyKey(sent)
  if ('key' in read) return read.key
  if (read.fault === 'missing') {
    throw new Problem('idempotency_key_missing', 'This route needs an Idempotency-Key header.')
  }
  throw new Problem(
    'idempotency_key_invalid',
    'The Idempotency-Key must be 1 to 255 visible ASCII characters without spaces.',
  )
}

function refusal(
  gate: { refused: 'reused' } | { refused: 'in_progress'; retry_after_s: number },
): Problem {
  if (gate.refused === 'reused') {
    return new Problem(
      'idempotency_key_reused',
      'This Idempotency-Key was used before with a different request.',
    )
  }
  const { retry_after_s } = gate
  return new Problem(
    'idempotency_request_in_progress',
    'The first request with this Idempotency-Key is still running.',
    { retry_after_s },
  )
}
