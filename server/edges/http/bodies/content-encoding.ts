/** Decodes compressed request bodies. Their limit counts decoded bytes. */
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { createGunzip, gunzip } from 'node:zlib'
import { errorCodes, type FastifyRequest } from 'fastify'
import { Problem } from '../../../contract/errors.ts'

const unpack = promisify(gunzip)

/** Whether the body is compressed with gzip. Throws a Problem for another encoding. */
export function isGzip({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  const encoding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  if (encoding === 'identity' || encoding === '') return false
  if (encoding === 'gzip' || encoding === 'x-gzip') return true
  const detail = `The body has the Content-Encoding ${encoding.slice(0, 60)}. Send it with gzip, or without one.`
  throw new Problem('bad_request', detail)
}

/** Returns the decoded bytes of a body that has been read. */
export async function decodeBody(
  request: Pick<FastifyRequest, 'headers'>,
  body: Buffer,
  bytes_max: number,
): Promise<Buffer> {
  if (!isGzip(request)) return body
  try {
    return await unpack(body, { maxOutputLength: bytes_max })
  } catch (error) {
    throw isTooLarge(error) ? new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE() : notGzip()
  }
}

/** Yields the decoded bytes of a body while it arrives. */
export async function* decodeStream(
  request: Pick<FastifyRequest, 'headers'>,
  body: Readable,
): AsyncGenerator<Uint8Array> {
  if (!isGzip(request)) {
    yield* body.iterator({ destroyOnReturn: false })
    return
  }
  const decoded = createGunzip()
  body.once('error', (error) => decoded.destroy(error))
  try {
    yield* body.pipe(decoded)
  } catch {
    throw body.errored ?? notGzip()
  } finally {
    body.unpipe(decoded)
  }
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
}

function notGzip(): Problem {
  return new Problem('bad_request', 'The Content-Encoding is gzip, but the body is not gzip.')
}
