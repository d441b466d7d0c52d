/**
 * Runs an operation once per Idempotency-Key: a retry gets the reply of the first request, not a
 * second effect. The reply is kept in the transaction that makes it true; a refusal before any
 * effect is not kept, so that the caller can mend it and try again with the same key.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import type { Operation } from '../../contract/operation.ts'
import { sha256 } from '../../kernel/crypto.ts'
import {
  forget,
  loosen,
  openGate,
  readIdempotencyKey,
  remember,
  TicketLost,
} from '../../kernel/idempotency.ts'
import { serialize } from '../../kernel/verbatim.ts'
import { sendReply } from './reply.ts'
import type { inputReader } from './request.ts'

export interface OnceExchange {
  operation: Operation
  request: FastifyRequest
  reply: FastifyReply
  readInput: ReturnType<typeof inputReader>
  caller: Caller
}

export async function runOnce({
  operation,
  request,
  reply,
  readInput,
  caller,
}: OnceExchange): Promise<FastifyReply> {
  const key = requireKey(request)
  const input = readInput(request)
  const { house, project } = caller
  const request_hash = sha256(`${operation.method} ${request.url}\n${input.text}`)
  const gate = await openGate(house, { project_id: project.id, key, request_hash })
  if ('refused' in gate) throw refusal(gate)
  if ('replay' in gate) return replay(reply, gate.replay)
  const ticket = { project_id: project.id, key, token: gate.fresh }
  let remembered = false
  let replayed = false
  const once: Caller = {
    ...caller,
    idempotency_key: key,
    async remember(tx, value, how = { replayed: false }) {
      await remember(tx, house, { ...ticket, status: operation.status, reply: serialize(value) })
      remembered = true
      replayed = how.replayed
    },
  }
  try {
    const value = await operation.run(input, once)
    if (!remembered) throw new Error(`${operation.name} did not remember its reply.`)
    if (replayed) reply.header('Idempotent-Replayed', 'true')
    return sendReply(reply, operation, value)
  } catch (error) {
    // A problem is a refusal before any effect, unless it says that the outcome is not known: then
    // a retry may pass at once, but only the same request. After anything else the key stays taken
    // until its lock runs out.
    if (error instanceof Problem)
      await (error.extra.outcome_unknown ? loosen(house, ticket) : forget(house, ticket))
    if (error instanceof TicketLost) throw refusal({ refused: 'in_progress', retry_after_s: 1 })
    throw error
  }
}

function requireKey(request: FastifyRequest): string {
  const read = readIdempotencyKey(request.headers['idempotency-key'])
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

function replay(
  reply: FastifyReply,
  { status, reply: text }: { status: number; reply: string },
): FastifyReply {
  return reply
    .code(status)
    .header('Idempotent-Replayed', 'true')
    .type('application/json; charset=utf-8')
    .send(text)
}
