/**
 * GET /forms.js, the script of forms, for any origin. Its source is widget/forms; `npm run write`
 * bundles it into widget/forms.js.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { constants, gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { sha256 } from '../../kernel/secrets/crypto.ts'
import { selectEncoding } from '../sites/serving/encodings.ts'

const file = join(import.meta.dirname, '../../../widget/forms.js')
const KEPT_S = 3600

export function addFormsScript(app: FastifyInstance): void {
  const text = readFileSync(file, 'utf8')
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
    const encoding = selectEncoding(request.headers['accept-encoding'], forms)
    return encoding === null
      ? reply.send(text)
      : reply.header('Content-Encoding', encoding).send(packed)
  })
}
