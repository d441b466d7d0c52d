/**
 * The two official clients of MCP, connected to a test house with a key: the one of 2026-07-28 and
 * the one of the years before; and messages written by hand, for what no client would send.
 */
import { Client as ModernClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import type { TestHouse } from './house.ts'

type Ground = Pick<TestHouse, 'url' | 'key'>

export interface ConnectOptions {
  key?: string
  /** What follows /mcp in the address, such as `?read_only=true`. */
  query?: string
}

const identity = { name: 'a-test', version: '1.0.0' }

function addressOf(ground: Ground, { key = ground.key, query = '' }: ConnectOptions) {
  const requestInit = { headers: { authorization: `Bearer ${key}` } }
  return [new URL(`${ground.url}/mcp${query}`), { requestInit }] as const
}

/** A client of 2026-07-28. `answer` is what its person says to questions; without it, it has none. */
export async function connectModern(
  ground: Ground,
  options: ConnectOptions & { answer?: (message: string) => 'yes' | 'no' | 'away' } = {},
) {
  const { answer } = options
  const client = new ModernClient(identity, {
    versionNegotiation: { mode: 'auto' },
    ...(answer && { capabilities: { elicitation: { form: {} } } }),
  })
  if (answer)
    client.setRequestHandler('elicitation/create', (request: any) => {
      const said = answer(request.params.message)
      if (said === 'away') return { action: 'cancel' as const }
      return { action: 'accept' as const, content: { yes: said === 'yes' } }
    })
  await client.connect(new StreamableHTTPClientTransport(...addressOf(ground, options)))
  return client
}

/** A client of 2025. */
export async function connectEarlier(ground: Ground, options: ConnectOptions = {}) {
  const client = new EarlierClient(identity)
  // Its own types say `sessionId?: string` where its transport has `string | undefined`.
  const transport: any = new EarlierTransport(...addressOf(ground, options))
  await client.connect(transport)
  return client
}

/** A client of 2025 whose person answers; `answer` gets the question, and may take its time. */
export async function connectAsking(
  ground: Ground,
  options: ConnectOptions & { answer(message: string): Promise<AnswerOfPerson> | AnswerOfPerson },
) {
  const client = new EarlierClient(identity, { capabilities: { elicitation: {} } })
  client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
    const said = await options.answer(params.message)
    if (said === 'decline' || said === 'cancel') return { action: said }
    return { action: 'accept' as const, content: { yes: said === 'yes' } }
  })
  const transport: any = new EarlierTransport(...addressOf(ground, options))
  await client.connect(transport)
  const session_id: string = transport.sessionId ?? ''
  return { client, session_id, end: () => transport.terminateSession() }
}

export type AnswerOfPerson = 'yes' | 'no' | 'decline' | 'cancel'

/** What both clients have in common. */
export interface AnyClient {
  listTools(): Promise<any>
  callTool(params: { name: string; arguments?: Record<string, unknown> }): Promise<any>
  close(): Promise<void>
}

export interface Posted {
  status: number
  headers: Headers
  text: string
  body: any
}

/** One message as it is, in the words of 2025 unless the headers say otherwise. */
export async function post(
  ground: Ground,
  message: unknown,
  {
    key = ground.key,
    query = '',
    headers = {},
  }: { key?: string | null; query?: string; headers?: Record<string, string> } = {},
): Promise<Posted> {
  const response = await fetch(`${ground.url}/mcp${query}`, {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...(key ? { authorization: `Bearer ${key}` } : {}),
      ...headers,
    },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  })
  const text = await response.text()
  const json = /^data: (.*)$/m.exec(text)?.[1] ?? text
  return { status: response.status, headers: response.headers, text, body: parsed(json) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export function callMessage(name: string, given: Record<string, unknown> = {}) {
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }
}
