/** Sends the reply of an operation: status, version as ETag, JSON. */
import type { FastifyReply } from 'fastify'
import type { Operation } from '../../contract/operation.ts'
import { isKnown } from './versions.ts'
import { serialize } from '../../kernel/database/driver/verbatim.ts'

export function sendReply(
  reply: FastifyReply,
  operation: Pick<Operation, 'method' | 'status' | 'headers'>,
  value: unknown,
): FastifyReply {
  if (operation.status === 204) return reply.code(204).send()
  const etag = operation.headers?.etag
  if (etag) {
    const tag = `"${versionOf(value, etag)}"`
    reply.header('ETag', tag)
    if (operation.method === 'GET' && isKnown(reply.request.headers, tag))
      return reply.code(304).send()
  }
  return reply.code(operation.status).type('application/json; charset=utf-8').send(serialize(value))
}

function versionOf(value: unknown, field: 'version' | 'revision'): number {
  const version = Number(Object(value)[field])
  if (Number.isSafeInteger(version)) return version
  throw new Error(`A versioned reply has the integer field ${field}.`)
}
