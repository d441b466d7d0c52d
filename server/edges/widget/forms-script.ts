/**
 * GET /forms.js, the script of forms on websites. It is served as it is written, without its
 * comments and indents; it needs no build, and any page of any site may load it.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { constants, gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { sha256 } from '../../kernel/crypto.ts'
import { encodingFor } from '../sites/encodings.ts'

const file = join(import.meta.dirname, '../../../widget/forms/forms.js')
const KEPT_S = 3600

export function addFormsScript(app: FastifyInstance): void {
  const text = withoutNotes(readFileSync(file, 'utf8'))
  const packed = gzipSync(text, { level: constants.Z_BEST_COMPRESSION })
  const etag = `"${sha256(text).toString('base64url')}"`
  const forms = { encodings: { gzip: packed.length } }
  app.get('/forms.js', (request, reply) => {
    reply.headers({
      ETag: etag,
      'Cache-Control': `public, max-age=${KEPT_S}, stale-while-revalidate=${KEPT_S * 24}`,
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      Vary: 'Accept-Encoding',
    })
    if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
    reply.type('text/javascript; charset=utf-8')
    const encoding = encodingFor(request.headers['accept-encoding'], forms)
    return encoding === null
      ? reply.send(text)
      : reply.header('Content-Encoding', encoding).send(packed)
  })
}

/**
 * Comments stand on lines of their own there, so that lines are all that need to be known; and a
 * line is never ended where a bracket has just opened, is about to close, or a comma was.
 */
function withoutNotes(source: string): string {
  const lines = source.split('\n').map((line) => line.trim())
  const kept = lines.filter((line) => line !== '' && !/^(?:\/\/|\/\*\*.*\*\/$)/.test(line))
  return kept.join('\n').replaceAll(/(?<=[,([{])\n|\n(?=[)\]}.?:])/g, '')
}
