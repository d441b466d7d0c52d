/**
 * `npm run bench:mcp`: what MCP adds to REST. One connection that is kept asks, in turn and one at
 * a time, for the list of calls over REST and for the same by the tool calls_list, in the words of
 * 2025 and of 2026, and for tools/list. The result is the median of each and the ratio of the
 * medians over the rounds, of one run on one machine. Prints a table and writes
 * bench/results/mcp.json.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { newKeyText, startOf } from '../server/areas/keys/text.ts'
import { scopeNames } from '../server/contract/scopes.ts'
import { systemClock } from '../server/kernel/clock.ts'
import { sha256 } from '../server/kernel/crypto.ts'
import { embeddedConnection } from '../server/kernel/embedded-postgres.ts'
import { newId } from '../server/kernel/ids.ts'
import { startServer } from '../test/ground/server-process.ts'

const ROUNDS = 9
const REQUESTS = 300
// A key may ask 120 times a minute.
const KEYS = 1_000

const folder = mkdtempSync(join(tmpdir(), 'homeport-bench-'))
const server = await startServer(folder, { HOMEPORT_LOG_LEVEL: 'error' })
const keys = await addKeys(embeddedConnection(folder), server.banner['project_id']!)
const { port } = new URL(server.banner['base_url']!)
const agent = new Agent({ keepAlive: true, maxSockets: 1 })
let asked = 0

async function addKeys(connection: pg.PoolConfig, project_id: string): Promise<string[]> {
  const made = Array.from({ length: KEYS }, () => newKeyText('test'))
  const client = new pg.Client(connection)
  await client.connect()
  await client.query(
    `insert into api_keys (id, project_id, hash, start, name, mode, scopes, created_at)
     select id, $1, hash, start, 'bench', 'test', $2, now() from unnest($3::uuid[], $4::bytea[], $5::text[]) as k(id, hash, start)`,
    [
      project_id,
      scopeNames,
      made.map(() => newId(systemClock)),
      made.map(sha256),
      made.map(startOf),
    ],
  )
  await client.query('analyze')
  await client.end()
  return made
}

interface Sent {
  path: string
  message?: object
  headers?: Record<string, string>
}

/** How long an answer takes, from the first byte sent to the last one read, in milliseconds. */
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

/** One of each after the other, so that whatever else the machine does meets all of them. */
async function round(): Promise<Record<string, number>> {
  const times = new Map(Object.keys(measured).map((name) => [name, [] as number[]]))
  for (let count = 0; count < REQUESTS; count++)
    for (const [name, sent] of Object.entries(measured)) times.get(name)?.push(await ask(sent))
  return Object.fromEntries([...times].map(([name, list]) => [name, median(list)]))
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
}

const rounded = (value: number) => Math.round(value * 100) / 100

await round()
const rounds: Record<string, number>[] = []
for (let count = 0; count < ROUNDS; count++) rounds.push(await round())
const p50_ms = Object.fromEntries(
  Object.keys(measured).map((name) => [name, rounded(median(rounds.map((one) => one[name]!)))]),
)
const ratioOf = (name: string) => rounded(median(rounds.map((one) => one[name]! / one['rest']!)))
const result = {
  rounds: ROUNDS,
  requests_of_each: REQUESTS,
  p50_ms,
  call_2025_to_rest: ratioOf('call_2025'),
  call_2026_to_rest: ratioOf('call_2026'),
}
console.table(p50_ms)
console.log(
  `a call to its REST call: ${result.call_2025_to_rest} (2025), ${result.call_2026_to_rest} (2026)`,
)
const results = join(import.meta.dirname, 'results')
mkdirSync(results, { recursive: true })
writeFileSync(join(results, 'mcp.json'), `${JSON.stringify(result, null, 2)}\n`)
agent.destroy()
await server.stop()
rmSync(folder, { recursive: true })
