/**
 * Sends a file of a site: in the negotiated encoding, whole, in part or as a 304. Cached bytes are
 * sent synchronously.
 */
import { pipeline } from 'node:stream'
import { openFile } from '../../../areas/files/service.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { createBodyCache, type ResponseBody } from './body-cache.ts'
import { checkPreconditions, readRange, type RequestedRange } from './conditions.ts'
import { selectEncoding } from './encodings.ts'
import { hasBody, type SiteExchange, type ResponseSender } from './send.ts'
import {
  prepareRepresentation,
  toFileVariant,
  type Representation,
  type SiteResource,
  type VersionLayout,
} from './version-layout.ts'

const CLOSED = ['Connection', 'close']

export interface FileSender {
  sendResource(exchange: SiteExchange, layout: VersionLayout, resource: SiteResource): void
}

interface Parts {
  runtime: Runtime
  sender: ResponseSender
  plain(exchange: SiteExchange, status: number, text: string): void
  fail(exchange: SiteExchange, error: unknown): void
}

export function createFileSender({ runtime, sender, plain, fail }: Parts): FileSender {
  const bodies = createBodyCache(runtime)

  function sendResource(
    exchange: SiteExchange,
    layout: VersionLayout,
    resource: SiteResource,
  ): void {
    const { headers, method } = exchange.request
    const whole = resource.status !== 200 || method !== 'GET' || headers.range === undefined
    const encoding = whole ? selectEncoding(headers['accept-encoding'], resource.file) : null
    const representation = prepareRepresentation(layout, resource, encoding)
    const settled =
      resource.status === 200 ? checkPreconditions(headers, representation.etag) : null
    if (settled === 304) {
      return sender.send(exchange, { status: 304, fields: representation.not_modified })
    }
    if (settled === 412) return plain(exchange, 412, 'The file has changed.')
    const span = whole ? null : readRange(headers, representation.etag, representation.bytes)
    if (span === 'beyond') return sender.send(exchange, beyond(resource, representation))
    if (method === 'HEAD' || representation.bytes === 0)
      return sendBody(exchange, { resource, representation, span }, '')
    const body = bodies.get(representation)
    if (body !== undefined) return sendBody(exchange, { resource, representation, span }, body)
    if (!bodies.isKept(representation))
      return void stream(exchange, layout, { resource, representation, span })
    bodies.read(layout, resource, representation).then(
      (read) => sendBody(exchange, { resource, representation, span }, read),
      (error: unknown) => fail(exchange, error),
    )
  }

  function sendBody(
    exchange: SiteExchange,
    { resource, representation, span }: Part,
    body: ResponseBody,
  ): void {
    if (span !== null) {
      const part = {
        status: 206,
        fields: partFields(resource, representation, span),
        body: cut(body, span),
      }
      return sender.send(exchange, part)
    }
    return sender.send(exchange, { status: resource.status, fields: representation.fields, body })
  }

  /** Streams a file that is too large for the cache. */
  async function stream(
    exchange: SiteExchange,
    layout: VersionLayout,
    { resource, representation, span }: Part,
  ) {
    const { request, response } = exchange
    const which = { ...toFileVariant(resource, representation), ...(span ? { range: span } : {}) }
    try {
      const bytes = await openFile(runtime, layout.project_id, {
        id: resource.file.file_id,
        ...which,
      })
      const status = span === null ? resource.status : 206
      const fields =
        span === null ? representation.fields : partFields(resource, representation, span)
      response.writeHead(status, hasBody(request) ? [...fields, ...CLOSED] : [...fields])
      sender.count(status)
      // A visitor who disconnects causes no error message.
      pipeline(bytes, response, (error) => error && response.destroy())
    } catch (error) {
      fail(exchange, error)
    }
  }

  return { sendResource }
}

interface Part {
  resource: SiteResource
  representation: Representation
  span: RequestedRange | null
}

function cut(body: ResponseBody, { start, end }: RequestedRange): ResponseBody {
  return typeof body === 'string' ? body.slice(start, end + 1) : body.subarray(start, end + 1)
}

function partFields(
  { fields }: SiteResource,
  { etag, bytes }: Representation,
  { start, end }: RequestedRange,
): string[] {
  const range = ['Content-Range', `bytes ${start}-${end}/${bytes}`]
  return [...fields, 'ETag', etag, ...range, 'Content-Length', String(end - start + 1)]
}

function beyond({ fields }: SiteResource, { bytes }: Representation) {
  const type = fields.indexOf('Content-Type')
  const rest = fields.filter((_, at) => at !== type && at !== type + 1)
  const range = ['Content-Range', `bytes */${bytes}`, 'Content-Length', '0']
  return { status: 416, fields: [...rest, ...range] }
}
