/**
 * `npm run bench -- mcp`: the overhead of MCP over REST. A kept-alive connection requests the list
 * of calls over REST, and by the tool calls_list in protocol versions 2025 and 2026, and
 * tools/list, alternating and sequentially. Reports medians and the ratios of medians over the
 * rounds of one run.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { embeddedConnection } from '../../server/kernel/database/embedded-postgres.ts'
import { startServer } from '../../test/fixtures/server-process.ts'
import { addKeys } from '../support/keys.ts'
import { readOptions } from '../support/options.ts'
import { begin } from '../support/result.ts'
import { median, ratios, spread } from '../support/spread.ts'

const options = readOptions()
const finish = begin('mcp', options)
const REQUESTS = 300
// A key is limited to 120 requests per minute.
const KEYS = 1_000

const folder = mkdtempSync(join(tmpdir(), 'homeport-bench-'))
const server = await startServer(folder, { HOMEPORT_LOG_LEVEL: 'error' })
const client = new pg.Client(embeddedConnection(folder))
await client.connect()
const keys = await addKeys(client, server.banner['project_id']!, KEYS)
await client.query('analyze')
await client.end()
const { port } = new URL(server.banner['base_url']!)
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
let asked = 0

interface Sent {
  path: string
  message?: object
  headers?: Record<string, string>
}

/** Latency from the first byte sent to the last byte read, in milliseconds. */
function ask({ path, message, headers = {} }: Sent): Promise<number> {
  asked += 1
  const key = keys[asked % keys.length]!
  const body = message ? JSON.stringify(message) : undefined
  const begun = performance.now()
  return new Promise((resolve, reject) => {
    const request = httpRequest({
      agent,
      port,
      host: '127.0.0.1',
      path,
      method: body ? 'POST' : 'GET',
      headers: {
        authorization: `Bearer ${key}`,
        accept: 'application/json, text/event-stream',
        ...(body && { 'content-type': 'application/json', 'content-length': body.length }),
        ...headers,
      },
    })
    request.on('response', (response) => {
      response.on('data', () => {})
      response.on('end', () => {
        if (response.statusCode === 200) resolve(performance.now() - begun)
        else reject(new Error(`${path} answered ${response.statusCode}.`))
      })
    })
    request.on('error', reject)
    request.end(body)
  })
}

const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
}
const call = { name: 'calls_list', arguments: {} }
const modern = { 'mcp-protocol-version': '2026-07-28' }
const rpc = (method: string, params: object) => ({ jsonrpc: '2.0', id: 1, method, params })

const measured: Record<string, Sent> = {
  rest: { path: '/api/v1/calls' },
  call_2025: { path: '/mcp', message: rpc('tools/call', call) },
  call_2026: {
    path: '/mcp',
    message: rpc('tools/call', { ...call, _meta: envelope }),
    headers: { ...modern, 'mcp-method': 'tools/call', 'mcp-name': call.name },
  },
  list_2025: { path: '/mcp', message: rpc('tools/list', {}) },
  list_2026: {
    path: '/mcp',
    message: rpc('tools/list', { _meta: envelope }),
    headers: { ...modern, 'mcp-method': 'tools/list' },
  },
}

/** Requests each path once, so that other load on the machine affects all equally. */
async function round(): Promise<Record<string, number>> {
  const times = new Map(Object.keys(measured).map((name) => [name, [] as number[]]))
  for (let count = 0; count < REQUESTS; count++)
    for (const [name, sent] of Object.entries(measured)) times.get(name)?.push(await ask(sent))
  return Object.fromEntries([...times].map(([name, list]) => [name, median(list)]))
}

await round()
const rounds: Record<string, number>[] = []
for (let count = 0; count < options.rounds; count++) rounds.push(await round())
const of = (name: string) => rounds.map((one) => one[name]!)
const titles: Record<string, string> = {
  rest: 'GET /calls',
  call_2025: 'tools/call calls_list, in the words of 2025',
  call_2026: 'tools/call calls_list, in the words of 2026',
  list_2025: 'tools/list, 2025',
  list_2026: 'tools/list, 2026',
}
finish({
  generator: `one connection that is kept, ${REQUESTS} requests of each a round`,
  tables: [
    {
      title: 'What a tool costs beside the REST call that it makes',
      columns: ['request', 'p50 ms', 'to REST'],
      rows: Object.keys(measured).map((name) => [
        titles[name] ?? name,
        spread(of(name)),
        name === 'rest' ? null : ratios(of(name), of('rest')),
      ]),
    },
  ],
})
agent.destroy()
await server.stop()
rmSync(folder, { recursive: true })
