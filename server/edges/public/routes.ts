/**
 * Registers the routes below /public for pages in visitors' browsers, one per guest operation. The
 * page is authenticated first; the body is read only when the operation requests it.
 */
import assert from 'node:assert/strict'
import { finished } from 'node:stream/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { acceptsEvents, eventsIn } from '../../contract/operations/event-replies.ts'
import type {
  GuestCaller,
  GuestOperation,
  SubmittedForm,
  TakeFile,
} from '../../contract/operations/guests.ts'
import type { Operation } from '../../contract/operation.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { formatSize } from '../../kernel/values/size.ts'
import { addStreams, type Streams } from '../http/bodies/streams.ts'
import { toProblem, sendProblem } from '../http/problems.ts'
import { decodeBody } from '../http/bodies/content-encoding.ts'
import { sendReply } from '../http/reply.ts'
import { createInputReader } from '../http/request.ts'
import { API_ROOT } from '../http/routes.ts'
import { createPublicAdmission, type AdmittedPage, type PublicAdmission } from './admission.ts'
import { findEncoding, multipart_bytes_max, createSubmissionReader } from './body.ts'
import { sendFaults, sendThanks, wantsPage } from '../http/reply-pages.ts'
import { findNetwork, hashAddress } from '../http/visitor-address.ts'

const ADDRESS_CHARACTERS_MAX = 2_000

/**
 * Returns the absolute URL of the page after a form without a script; a path such as `/thanks` is
 * relative to the origin of the form's page. It is a page on an allowed origin of the token; other
 * URLs are refused to prevent open redirects.
 */
// oxlint-disable-next-line max-params -- the page, the text, and the name of its parameter
function readRedirect(page: AdmittedPage, text: string, name = 'redirect'): string {
  const url = text.length <= ADDRESS_CHARACTERS_MAX ? URL.parse(text, page.origin) : null
  const safe =
    url !== null &&
    // A URL of the scheme blob: has an allowed origin inside, but is not a web page.
    /^https?:$/.test(url.protocol) &&
    url.username + url.password === '' &&
    (url.origin === page.origin || page.allowed_origins.includes(url.origin)) &&
    !/[\p{Cc}\\]/u.test(text)
  if (safe) return url.href
  throw new Problem(
    'invalid_parameter',
    `${name} must be an address on one of the allowed origins of the public token.`,
  )
}

/** Form fields that are for the service and not part of the document. */
const ours = ['token', 'redirect'] as const

export function addPublic(
  app: FastifyInstance,
  { runtime, operations }: { runtime: Runtime; operations: readonly Operation[] },
): void {
  const admission = createPublicAdmission(runtime)
  // A separate Fastify scope, because only these routes leave bodies unparsed.
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    scope.addHook('onRequest', async (_request, reply) => void reply.header('Vary', 'Origin'))
    scope.setErrorHandler((error, request, reply) => sendFault(runtime, { error, request, reply }))
    scope.options(`${API_ROOT}/public/*`, (request, reply) => admission.preflight(request, reply))
    const streams = addStreams(scope, runtime)
    for (const operation of operations) {
      if (operation.kind === 'guest') addRoute(scope, { runtime, admission, streams }, operation)
    }
  })
}

interface RouteContext {
  runtime: Runtime
  admission: PublicAdmission
  streams: Streams
}

function addRoute(scope: FastifyInstance, context: RouteContext, operation: GuestOperation): void {
  const { params, query, body } = operation
  const readInput = createInputReader({
    method: operation.method,
    ...(params && { params }),
    ...(query && { query }),
    ...(body && operation.takes !== 'form' && { body }),
  })
  const { runtime } = context
  scope.route({
    method: operation.method,
    url: API_ROOT + operation.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    handler: (request, reply) => answer({ ...context, operation, readInput, request, reply }),
    onResponse: async (_request, reply) => {
      const labels = { operation: operation.name, status: String(reply.statusCode) }
      runtime.metrics.requests.observe(labels, reply.elapsedTime / 1000)
    },
  })
}

interface GuestExchange extends RouteContext {
  operation: GuestOperation
  readInput: ReturnType<typeof createInputReader>
  request: FastifyRequest
  reply: FastifyReply
}

async function answer(exchange: GuestExchange): Promise<FastifyReply> {
  const { runtime, operation, readInput, request, reply, streams } = exchange
  const { page, takeForm, redirect } = await admitPage(exchange)
  const { headers, params: given, query: asked } = request
  const bytes = operation.body && operation.takes !== 'form' ? await readBytes(request) : undefined
  const input = readInput({ headers, params: given, query: asked, body: bytes })
  const guest: GuestCaller = {
    runtime,
    db: runtime.db,
    request_id: request.id,
    project: page.project,
    token_id: page.token_id,
    site_id: page.site_id,
    origin: page.origin,
    address: hashAddress(request.ip),
    conversation_token: textOf(headers['x-conversation-token']),
    browser: browserOf(request),
    takeForm,
    readPageUrl: (name, text) => readRedirect(page, text, name),
  }
  if (operation.events && acceptsEvents(headers.accept)) {
    const run: GuestOperation['run'] = operation.events.run
    return streams.sendEvents(reply, eventsIn(await run(input, guest)))
  }
  const value = await operation.run(input, guest)
  if (!wantsPage(request)) return sendReply(reply, operation, value)
  const address = operation.leads_to ? operation.leads_to(value) : redirect()
  if (address !== null) return reply.redirect(address, 303)
  return sendThanks(reply, page.origin)
}

/**
 * Identifies a browser by network and headers, to distinguish visitors behind one address; null for
 * scripts.
 */
function browserOf(request: FastifyRequest): string | null {
  if (!wantsPage(request)) return null
  const { 'user-agent': agent, 'accept-language': language } = request.headers
  return JSON.stringify([findNetwork(request.ip), agent, language])
}

interface AdmittedForm {
  page: AdmittedPage
  takeForm(takeFile: TakeFile): Promise<SubmittedForm>
  /** Returns the requested redirect; known only after the form is parsed. */
  redirect(): string | null
}

/**
 * Authenticates the page. A form may contain its token, so it is parsed up to the token or the
 * first file; any other body stays unread until the operation requests it.
 */
async function admitPage({
  admission,
  operation,
  request,
  reply,
}: GuestExchange): Promise<AdmittedForm> {
  const { rate } = operation
  const shown = tokenOf(request)
  const encoding = findEncoding(request)
  const is_inside =
    shown === undefined &&
    operation.takes === 'form' &&
    (encoding === 'urlencoded' || encoding === 'multipart')
  if (is_inside) admission.meetAddress(request, rate)
  let reading = is_inside ? createSubmissionReader(request) : null
  const token = reading ? await reading.find('token') : shown
  const page = await admission.admit(request, reply, { token, rate, is_met: is_inside })
  let address: string | null = null
  return {
    page,
    redirect: () => address,
    async takeForm(takeFile) {
      reading ??= createSubmissionReader(request)
      const { sent, redirect } = separateFields(await reading.readAll(takeFile))
      const wanted = redirect ?? queryText(request, 'redirect')
      address = wanted ? readRedirect(page, wanted) : null
      return sent
    },
  }
}

/** Reads a JSON body, which is never large. */
async function readBytes({ raw, headers }: FastifyRequest): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of raw.iterator({ destroyOnReturn: false })) {
    assert(chunk instanceof Uint8Array)
    bytes += chunk.length
    if (bytes > limits.public_body_bytes_max) {
      const most = formatSize(limits.public_body_bytes_max)
      throw new Problem('bad_request', `The body is larger than ${most}.`)
    }
    chunks.push(chunk)
  }
  return decodeBody({ headers }, Buffer.concat(chunks), limits.public_body_bytes_max)
}

function textOf(header: string | string[] | undefined): string | null {
  return typeof header === 'string' && header !== '' ? header : null
}

/** Returns the token in the header, otherwise in the query. */
function tokenOf(request: FastifyRequest): string | undefined {
  const { authorization } = request.headers
  if (authorization === undefined) return queryText(request, 'token')
  const [, token] = /^bearer +(\S+) *$/i.exec(authorization) ?? []
  return token ?? ''
}

function queryText({ query }: FastifyRequest, name: string): string | undefined {
  const value: unknown = Object(query)[name]
  return typeof value === 'string' ? value : undefined
}

interface SeparatedForm {
  sent: SubmittedForm
  redirect?: string | undefined
}

/** Separates the service's fields from the collection's. JSON has only fields of the collection. */
function separateFields(sent: SubmittedForm): SeparatedForm {
  if ('json' in sent) return { sent }
  const valueOf = (name: string) => sent.fields.find((field) => field.name === name)?.value
  const fields = sent.fields.filter(({ name }) => !ours.some((one) => one === name))
  return { sent: { fields }, redirect: valueOf('redirect') }
}

interface Failure {
  error: unknown
  request: FastifyRequest
  reply: FastifyReply
}

/**
 * Sends a Problem during a form. Reads the rest of the body first, because browsers read no reply
 * before they have sent everything; does not read a very large rest.
 */
async function sendFault(
  runtime: Runtime,
  { error, request, reply }: Failure,
): Promise<FastifyReply> {
  const { raw } = request
  const is_near = Number(request.headers['content-length'] ?? Infinity) <= multipart_bytes_max
  if (is_near && !raw.destroyed) raw.resume()
  if (is_near) await finished(raw, { writable: false }).catch(() => {})
  if (!raw.complete) reply.header('Connection', 'close')
  if (!wantsPage(request)) return sendProblem(runtime, reply, error)
  return sendFaults(reply, toProblem(error, runtime, request.id))
}
