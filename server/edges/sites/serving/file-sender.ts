/**
 * Sends a file of a site: in the negotiated encoding, whole, in part or as a 304. Cached bytes are
 * sent synchronously.
 */
import { pipeline } from 'node:stream'
import { openFile } from '../../../areas/files/service.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { createBodies, type Body } from './bodies.ts'
import { settledBy, spanOf, type Span } from './conditions.ts'
import { encodingFor } from './encodings.ts'
import { hasBody, type Exchange, type Sender } from './send.ts'
import { formOf, whichOf, type Form, type Page, type Sheet } from './sheet.ts'

export interface FileSender {
  sendPage(exchange: Exchange, sheet: Sheet, page: Page): void
}

interface Parts {
  runtime: Runtime
  sender: Sender
  plain(exchange: Exchange, status: number, text: string): void
  fail(exchange: Exchange, error: unknown): void
}

export function createFileSender({ runtime, sender, plain, fail }: Parts): FileSender {
  const bodies = createBodies(runtime)

  function sendPage(exchange: Exchange, sheet: Sheet, page: Page): void {
    const { headers, method } = exchange.request
    const whole = page.status !== 200 || method !== 'GET' || headers.range === undefined
    const encoding = whole ? encodingFor(headers['accept-encoding'], page.file) : null
    const form = formOf(sheet, page, encoding)
    const settled = page.status === 200 ? settledBy(headers, form.etag) : null
    if (settled === 304) {
      return sender.send(exchange, { status: 304, fields: form.not_modified })
    }
    if (settled === 412) return plain(exchange, 412, 'The file has changed.')
    const span = whole ? null : spanOf(headers, form.etag, form.bytes)
    if (span === 'beyond') return sender.send(exchange, beyond(page, form))
    if (method === 'HEAD' || form.bytes === 0) return sendBody(exchange, { page, form, span }, '')
    const body = bodies.get(form)
    if (body !== undefined) return sendBody(exchange, { page, form, span }, body)
    if (!bodies.isKept(form)) return void stream(exchange, sheet, { page, form, span })
    bodies.read(sheet, page, form).then(
      (read) => sendBody(exchange, { page, form, span }, read),
      (error: unknown) => fail(exchange, error),
    )
  }

  function sendBody(exchange: Exchange, { page, form, span }: Part, body: Body): void {
    if (span !== null) {
      const part = { status: 206, fields: partFields(page, form, span), body: cut(body, span) }
      return sender.send(exchange, part)
    }
    return sender.send(exchange, { status: page.status, fields: form.fields, body })
  }

  /** Streams a file that is too large for the cache. */
  async function stream(exchange: Exchange, sheet: Sheet, { page, form, span }: Part) {
    const { request, response } = exchange
    const which = { ...whichOf(page, form), ...(span ? { range: span } : {}) }
    try {
      const bytes = await openFile(runtime, sheet.project_id, { id: page.file.file_id, ...which })
      const status = span === null ? page.status : 206
      const fields = span === null ? form.fields : partFields(page, form, span)
      response.writeHead(
        status,
        hasBody(request) ? [...fields, 'Connection', 'close'] : [...fields],
      )
      sender.count(status)
      // A visitor who disconnects is no error.
      pipeline(bytes, response, (error) => error && response.destroy())
    } catch (error) {
      fail(exchange, error)
    }
  }

  return { sendPage }
}

interface Part {
  page: Page
  form: Form
  span: Span | null
}

function cut(body: Body, { start, end }: Span): Body {
  return typeof body === 'string' ? body.slice(start, end + 1) : body.subarray(start, end + 1)
}

function partFields({ fields }: Page, { etag, bytes }: Form, { start, end }: Span): string[] {
  const range = ['Content-Range', `bytes ${start}-${end}/${bytes}`]
  return [...fields, 'ETag', etag, ...range, 'Content-Length', String(end - start + 1)]
}

function beyond({ fields }: Page, { bytes }: Form) {
  const type = fields.indexOf('Content-Type')
  const rest = fields.filter((_, at) => at !== type && at !== type + 1)
  const range = ['Content-Range', `bytes */${bytes}`, 'Content-Length', '0']
  return { status: 416, fields: [...rest, ...range] }
}
