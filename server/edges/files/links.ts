/**
 * GET /files/{token}: a file of the media library by a signed link. Files share the service's
 * origin, so only pictures, audio, video and PDF are displayed; everything else is a download and
 * cannot run scripts.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { openFile } from '../../areas/files/service.ts'
import { openLink, type OpenedLink } from '../../areas/media/service.ts'
import { Problem } from '../../contract/errors.ts'
import { BlobMissing } from '../../kernel/blobs/faults.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { BEEP_PATH, createBeep } from '../../providers/carrier/calls/beep.ts'
import { checkPreconditions, readRange, type RequestedRange } from '../sites/serving/conditions.ts'

export function addFileLinks(app: FastifyInstance, runtime: Runtime): void {
  const beep = createBeep()
  app.get(BEEP_PATH, (_request, reply) =>
    reply.header('Cache-Control', 'public, max-age=86400').type('audio/wav').send(beep),
  )
  app.route<{ Params: { token: string } }>({
    method: ['GET', 'HEAD'],
    url: '/files/:token',
    async handler(request, reply) {
      const link = await openLink(runtime, request.params.token)
      return send(runtime, { link, request, reply })
    },
  })
}

interface Sending {
  link: OpenedLink
  request: FastifyRequest
  reply: FastifyReply
}

async function send(runtime: Runtime, { link, request, reply }: Sending): Promise<FastifyReply> {
  const etag = `"${link.etag}"`
  reply.headers(headersOf(runtime, link, etag))
  const settled = checkPreconditions(request.headers, etag)
  if (settled !== null) return reply.code(settled).send()
  const span = request.method === 'GET' ? readRange(request.headers, etag, link.bytes) : null
  if (span === 'beyond')
    return reply.code(416).header('Content-Range', `bytes */${link.bytes}`).send()
  // Downloads have a generic type, so that no page of this origin can load one as a script or style
  // sheet.
  reply.header('Content-Type', link.inline ? link.content_type : 'application/octet-stream')
  reply.header('Content-Length', span ? span.end - span.start + 1 : link.bytes)
  if (request.method === 'HEAD') return reply.code(200).send()
  const body = await open(runtime, link, span)
  if (span) {
    reply.code(206)
    reply.header('Content-Range', `bytes ${span.start}-${span.end}/${link.bytes}`)
  }
  return reply.send(body)
}

async function open(runtime: Runtime, link: OpenedLink, span: RequestedRange | null) {
  const { project_id, file_id, suffix } = link
  const which = { ...(suffix !== null && { suffix }), ...(span && { range: span }) }
  try {
    return await openFile(runtime, project_id, { id: file_id, ...which })
  } catch (error) {
    if (!(error instanceof BlobMissing)) throw error
    throw new Problem('not_found', 'The file of this link no longer exists.', { cause: error })
  }
}

function headersOf({ clock }: Runtime, link: OpenedLink, etag: string): Record<string, string> {
  const left_s = Math.max(Math.floor((link.expires_at.getTime() - clock.now_ms()) / 1000), 0)
  return {
    ETag: etag,
    'Accept-Ranges': 'bytes',
    'Cache-Control': `private, max-age=${left_s}`,
    'Content-Disposition': dispositionOf(link),
    'Content-Security-Policy': policyOf(link),
    'X-Content-Type-Options': 'nosniff',
    'X-Robots-Tag': 'noindex',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Access-Control-Allow-Origin': '*',
  }
}

/**
 * No sandbox for PDF, because browsers refuse to show a sandboxed PDF; their viewers isolate it
 * anyway.
 */
function policyOf({ content_type }: OpenedLink): string {
  const rest = "default-src 'none'; media-src 'self'; img-src 'self'; style-src 'unsafe-inline'"
  return content_type === 'application/pdf' ? rest : `sandbox; ${rest}`
}

/** The filename in ASCII for old clients, and encoded in UTF-8 (RFC 6266). */
function dispositionOf({ inline, filename }: OpenedLink): string {
  const plain = filename.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_')
  const exact = encodeURIComponent(filename.toWellFormed()).replaceAll(
    /['()*!]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${inline ? 'inline' : 'attachment'}; filename="${plain}"; filename*=UTF-8''${exact}`
}
