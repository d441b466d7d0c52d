/**
 * The scripts for websites, for any origin: GET /forms.js, GET /shop.js, GET /widget.js (the loader
 * of the chat) and GET /widget-panel.js (the rest of it). Their sources are widget/forms, widget/shop
 * and widget/chat; `npm run write` bundles them.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { constants, gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { sha256 } from '../../kernel/secrets/crypto.ts'
import { selectEncoding } from '../sites/serving/encodings.ts'

const folder = join(import.meta.dirname, '../../../widget')
const KEPT_S = 3600
const YEAR_S = 365 * 24 * 3600
const VERSION_CHARACTERS = 12

const scripts = {
  '/forms.js': 'forms.js',
  '/shop.js': 'shop.js',
  '/widget.js': 'chat.js',
  '/widget-panel.js': 'chat-panel.js',
} as const

export function addWidgetScripts(app: FastifyInstance): void {
  for (const [path, file] of Object.entries(scripts)) addScript(app, path, file)
}

function addScript(app: FastifyInstance, path: string, file: string): void {
  const text = readFileSync(join(folder, file), 'utf8')
  const packed = gzipSync(text, { level: constants.Z_BEST_COMPRESSION })
  const hash = sha256(text)
  const etag = `"${hash.toString('base64url')}"`
  const version = hash.toString('hex').slice(0, VERSION_CHARACTERS)
  const sizes = { encodings: { gzip: packed.length } }
  app.get(path, (request, reply) => {
    reply.headers({
      ETag: etag,
      'Cache-Control': cacheControl(Object(request.query).v === version),
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      Vary: 'Accept-Encoding',
    })
    if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
    reply.type('text/javascript; charset=utf-8')
    const encoding = selectEncoding(request.headers['accept-encoding'], sizes)
    return encoding === null
      ? reply.send(text)
      : reply.header('Content-Encoding', encoding).send(packed)
  })
}

/** An address with the version of the script never changes its content. */
function cacheControl(is_versioned: boolean): string {
  return is_versioned
    ? `public, max-age=${YEAR_S}, immutable`
    : `public, max-age=${KEPT_S}, stale-while-revalidate=${KEPT_S * 24}`
}
