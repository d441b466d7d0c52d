/**
 * Runs an operation once per Idempotency-Key: a retry gets the reply of the first request. The
 * reply is stored in the transaction of the effect. A refusal without an effect is not stored, so
 * that the caller can fix the request and use the same key.
 */
import type { Caller } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import type { AnyInput, OperationBase } from '../../contract/operation.ts'
import { sha256 } from '../../kernel/secrets/crypto.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import {
  findAttempt as findAttemptOf,
  findClaim,
  releaseKey,
  unlockKey,
  claimKey,
  readIdempotencyKey,
  storeKeyedReply,
  KeyLost,
  type Attempt,
} from '../../kernel/idempotency/idempotency.ts'
import { serialize } from '../../kernel/database/driver/verbatim.ts'

/** Whether a request with this Idempotency-Key, or without one, runs once per key. */
export function runsOnce(
  { headers }: Pick<OperationBase, 'headers'>,
  key: string | string[] | undefined,
): boolean {
  if (headers?.idempotency_key === undefined) return false
  return headers.idempotency_key === 'required' || key !== undefined
}

export interface OnceRequest {
  operation: OperationBase
  /** Path and query of the request; for MCP, those of the equivalent REST request. */
  address: string
  key: string | string[] | undefined
  /**
   * The person to whom the keys belong; undefined for API keys, whose keys belong to the project.
   */
  person_id?: string
  /** Parses the input. Called only after the key is validated. */
  readInput(): AnyInput
  /** Runs the operation for the caller with the Idempotency-Key. */
  run(input: AnyInput, caller: Caller): Promise<unknown>
  caller: Caller
  /** Called with the reply in the transaction of the effect. */
  keep?: (tx: Transaction, reply: string) => Promise<void>
}

/** Whose key it is; of a request whose sender has no rights any more, the rest of a Caller is unknown. */
export interface Claimant {
  runtime: Caller['runtime']
  project: Pick<Caller['project'], 'id'>
}

/** A new result, or the stored reply of the first request. */
export type OnceResult =
  | { value: unknown; replayed: boolean }
  | { kept: { status: number; reply: string }; replayed: true }

/** The stored reply for a retry, as JSON text; null for the first request with this key. */
export async function findStoredReply(request: Omit<OnceRequest, 'run'>): Promise<string | null> {
  const { approach } = approachOf(request)
  const verdict = await findClaim(request.caller.runtime, approach)
  if (verdict && 'refused' in verdict) throw refusal(verdict)
  return verdict && verdict.replay.reply
}

/** What became of the last attempt of this request with its key. */
export function findAttempt(
  request: Omit<OnceRequest, 'run' | 'caller'> & { caller: Claimant },
): Promise<Attempt> {
  return findAttemptOf(request.caller.runtime, approachOf(request).approach)
}

/** Returns the identity of the request and its input. */
function approachOf({
  operation,
  address,
  key: sent,
  person_id,
  readInput,
  caller,
}: Omit<OnceRequest, 'run' | 'caller'> & { caller: Claimant }) {
  // The prefix separates the keys of each person, because keys contain no spaces.
  const key = [...(person_id === undefined ? [] : [person_id]), requireKey(sent)].join(' ')
  const input = readInput()
  const request_hash = sha256(`${operation.method} ${address}\n${input.text}`)
  return { input, approach: { project_id: caller.project.id, key, request_hash } }
}

export async function runOnce(request: OnceRequest): Promise<OnceResult> {
  const { operation, caller, keep, run } = request
  const { input, approach } = approachOf(request)
  const { key } = approach
  const { runtime, project } = caller
  const gate = await claimKey(runtime, approach)
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
      await storeKeyedReply(tx, runtime, { ...ticket, status: operation.status, reply })
      await keep?.(tx, reply)
      remembered = true
      replayed = how.replayed
    },
  }
  try {
    const value = await run(input, once)
    if (!remembered) throw new Error(`${operation.name} did not remember its reply.`)
    return { value, replayed }
  } catch (error) {
    // A Problem has no effect, unless its outcome is unknown; then only the same request may be
    // retried with this key. After any other error the key stays reserved until its lock expires.
    if (error instanceof Problem)
      await (error.extra.outcome_unknown ? unlockKey(runtime, ticket) : releaseKey(runtime, ticket))
    if (error instanceof KeyLost) throw refusal({ refused: 'in_progress', retry_after_s: 1 })
    throw error
  }
}

function requireKey(sent: string | string[] | undefined): string {
  const read = readIdempotencyKey(sent)
  if ('key' in read) return read.key
  if (read.fault === 'missing') {
    throw new Problem('idempotency_key_missing', 'This needs an idempotency key.')
  }
  throw new Problem(
    'idempotency_key_invalid',
    'The idempotency key must be 1 to 255 visible ASCII characters without spaces.',
  )
}

function refusal(
  gate: { refused: 'reused' } | { refused: 'in_progress'; retry_after_s: number },
): Problem {
  if (gate.refused === 'reused') {
    return new Problem(
      'idempotency_key_reused',
      'This idempotency key was used before with a different request.',
    )
  }
  const { retry_after_s } = gate
  return new Problem(
    'idempotency_request_in_progress',
    'The first request with this idempotency key is still running.',
    { retry_after_s },
  )
}
