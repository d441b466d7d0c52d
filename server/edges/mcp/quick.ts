/**
 * Answers the two messages that come by far the most, tools/list and tools/call, without a server
 * of the SDK, which takes longer than the work itself. Only what is plain and right is answered
 * here; whatever is unusual (a question to the person, an unknown tool, a header that does not fit)
 * is left to the SDK, which knows what to say. A test compares the two.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { Asking } from './consent.ts'
import { needsConsent } from './danger.ts'
import { identity, listHint } from './identity.ts'
import { isRecord, type JsonRecord } from './record.ts'
import { problemResult } from './result.ts'
import type { Surface, Visit } from './surface.ts'

export interface Incoming {
  headers: IncomingHttpHeaders
  message: JsonRecord
  surface: Surface
  visit: Visit
}

type Era = 'legacy' | 'modern'

const MODERN = '2026-07-28'
const earlier = new Set(['2025-03-26', '2025-06-18', '2025-11-25'])
const prefix = 'io.modelcontextprotocol/'
const key = {
  version: `${prefix}protocolVersion`,
  capabilities: `${prefix}clientCapabilities`,
  client: `${prefix}clientInfo`,
  server: `${prefix}serverInfo`,
} as const

/** The reply as JSON text; null: the SDK is to answer. */
export async function quickReply(incoming: Incoming): Promise<string | null> {
  const { headers, message } = incoming
  const { id, method, params = {} } = message
  if (!isPlain(message) || !isRecord(params) || !takesJson(headers)) return null
  const era = eraOf(headers, method, params)
  if (era === null) return null
  const result =
    method === 'tools/list' ? list(incoming, params, era) : await call(incoming, params)
  if (result === null) return null
  const reply = { jsonrpc: '2.0', id, result: era === 'modern' ? modern(result) : result }
  return JSON.stringify(reply)
}

const parts = new Set(['jsonrpc', 'id', 'method', 'params'])

function isPlain(message: JsonRecord): boolean {
  const { jsonrpc, id, method } = message
  const known = method === 'tools/list' || method === 'tools/call'
  const isId = typeof id === 'string' || Number.isSafeInteger(id)
  return jsonrpc === '2.0' && known && isId && Object.keys(message).every((one) => parts.has(one))
}

function takesJson({ accept = '', 'content-type': type }: IncomingHttpHeaders): boolean {
  return (
    type === 'application/json' &&
    accept.includes('application/json') &&
    accept.includes('text/event-stream')
  )
}

function eraOf(headers: IncomingHttpHeaders, method: unknown, params: JsonRecord): Era | null {
  const { 'mcp-protocol-version': version, 'mcp-method': named, 'mcp-name': tool } = headers
  const meta = params['_meta'] ?? {}
  if (!isRecord(meta)) return null
  if (version === MODERN) {
    const wanted = method === 'tools/call' ? params['name'] : undefined
    return named === method && tool === wanted && isEnvelope(meta) ? 'modern' : null
  }
  const isEarlier = version === undefined || earlier.has(String(version))
  const isBare = !Object.keys(meta).some((one) => one.startsWith(prefix))
  return isEarlier && isBare && named === undefined && tool === undefined ? 'legacy' : null
}

/** The envelope of a client that has said everything and asks for nothing more. */
function isEnvelope(meta: JsonRecord): boolean {
  const client = meta[key.client]
  const capabilities = meta[key.capabilities]
  return (
    meta[key.version] === MODERN &&
    isRecord(client) &&
    Object.keys(client).every((one) => one === 'name' || one === 'version') &&
    typeof client['name'] === 'string' &&
    typeof client['version'] === 'string' &&
    isRecord(capabilities) &&
    Object.values(capabilities).every((one) => isRecord(one) && isEmptyDeep(one)) &&
    Object.keys(meta).every((one) => !one.startsWith(prefix) || usual.has(one))
  )
}

const usual: ReadonlySet<string> = new Set([key.version, key.capabilities, key.client])

function isEmptyDeep(value: JsonRecord): boolean {
  return Object.values(value).every((one) => isRecord(one) && Object.keys(one).length === 0)
}

function list({ surface, visit }: Incoming, params: JsonRecord, era: Era): JsonRecord | null {
  if (Object.keys(params).some((one) => one !== '_meta')) return null
  const shown = [...surface.tools.values()].filter((tool) => tool.isShown(visit))
  const tools = shown.map(({ listing }) => listing)
  return { tools, ...(era === 'modern' && listHint) }
}

const called = new Set(['name', 'arguments', '_meta'])

async function call({ surface, visit }: Incoming, params: JsonRecord): Promise<JsonRecord | null> {
  const { name, arguments: given } = params
  const tool = typeof name === 'string' ? surface.tools.get(name) : undefined
  const plain = Object.keys(params).every((one) => called.has(one))
  if (!tool || !plain || (given !== undefined && !isRecord(given))) return null
  // What needs a yes is not for here, nor what may need one.
  const operation = tool.operationFor(given)
  if (operation && (operation.consent?.loses || needsConsent(operation, visit.caller))) return null
  try {
    const result = await tool.run(given, visit, nobodyAsked)
    return 'content' in result ? result : null
  } catch (error) {
    return problemResult(error, visit, surface.phrasing)
  }
}

const nobodyAsked: Asking = { asks: false, answer: null, state: undefined }

function modern(result: JsonRecord): JsonRecord {
  return { resultType: 'complete', ...result, _meta: { [key.server]: identity } }
}
