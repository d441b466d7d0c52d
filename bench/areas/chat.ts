/**
 * `npm run bench -- chat`: the latency of a reply in a text conversation: of the built-in model, with
 * as many facts as a project can have, in 1 and in 50 conversations at once; and the time to the
 * first token of a configured model, through the service and directly.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { embeddedConnection } from '../../server/kernel/database/embedded-postgres.ts'
import { startServer } from '../../test/fixtures/server-process.ts'
import { addKeys } from '../support/keys.ts'
import { readOptions } from '../support/options.ts'
import { begin } from '../support/result.ts'
import { percentile, ratios, spread } from '../support/spread.ts'
import { openModelServer } from '../targets/model-server.ts'

const options = readOptions()
const finish = begin('chat', options)
const CONVERSATIONS = 50
const MESSAGES = 10
/** Between two messages of a visitor. */
const PAUSE_MS = 2_000
const FIRST_TOKENS = 60
// A key is limited to 120 requests per minute.
const KEYS = 2_000
const FACTS = 200
const DOCUMENTS = 1_000

const nouns = 'bread cake tart pie roll bagel scone muffin waffle bun'.split(' ')
const kinds = 'rye oat corn plum pear fig nut seed salt herb'.split(' ')
const sizes = 'small large round flat long short mini party family double tiny giant'.split(' ')
const nameOf = (at: number) =>
  `${sizes[at % 12]} ${kinds[Math.floor(at / 12) % 10]} ${nouns[Math.floor(at / 120) % 10]}`
const factOf = (at: number) => ({
  question: `What does the ${nameOf(at)} cost?`,
  answer: `The ${nameOf(at)} costs ${1 + (at % 9)} euro ${10 + (at % 89)}.`,
})

interface Service {
  port: string
  project_id: string
  client: pg.Client
  next(): string
  stop(): Promise<void>
}

const agent = new Agent({ keepAlive: true, maxSockets: CONVERSATIONS })

async function openService(settings: Record<string, string>): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), 'homeport-bench-'))
  const server = await startServer(folder, { HOMEPORT_LOG_LEVEL: 'error', ...settings })
  const client = new pg.Client(embeddedConnection(folder))
  await client.connect()
  const project_id = server.banner['project_id']!
  const keys = await addKeys(client, project_id, KEYS)
  let used = 0
  return {
    port: new URL(server.banner['base_url']!).port,
    project_id,
    client,
    next: () => keys[(used += 1) % keys.length]!,
    async stop() {
      await client.end()
      await server.stop()
      rmSync(folder, { recursive: true })
    },
  }
}

interface Timed {
  /** Milliseconds to the first event with text, and to the end. */
  first_ms: number
  whole_ms: number
  body: string
}

interface Asked {
  port: string | number
  method?: string
  path: string
  headers: Record<string, string>
  body: object
  /** A text whose arrival is the first token. */
  until?: string
}

function ask({ port, method = 'POST', path, headers, body, until = '' }: Asked): Promise<Timed> {
  const sent_body = JSON.stringify(body)
  const begun = performance.now()
  const sent = {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(sent_body)),
    ...headers,
  }
  return new Promise((resolve, reject) => {
    const request = httpRequest({ agent, port, host: '127.0.0.1', path, method, headers: sent })
    request.on('response', (response) => {
      let text = ''
      let first_ms = 0
      response.on('data', (chunk: Buffer) => {
        text += String(chunk)
        if (first_ms === 0 && text.includes(until)) first_ms = performance.now() - begun
      })
      response.on('end', () => {
        const whole_ms = performance.now() - begun
        if ((response.statusCode ?? 500) < 300) resolve({ first_ms, whole_ms, body: text })
        else reject(new Error(`${path} answered ${response.statusCode}: ${text}`))
      })
    })
    request.on('error', reject)
    request.end(sent_body)
  })
}

interface Called extends Partial<Asked> {
  path: string
  body: object
}

const api = ({ port, next }: Service, { path, headers, ...more }: Called) =>
  ask({
    port,
    ...more,
    path: `/api/v1${path}`,
    headers: { authorization: `Bearer ${next()}`, ...headers },
  })

async function startConversations(service: Service, count: number): Promise<string[]> {
  // A test project can start 25 conversations a day.
  await service.client.query('delete from conversation_days')
  const ids: string[] = []
  for (let at = 0; at < count; at += 1) {
    if (at % 20 === 0) await service.client.query('delete from conversation_days')
    const { body } = await api(service, { path: '/conversations', body: {} })
    ids.push(JSON.parse(body).conversation.id)
  }
  return ids
}

/** The latencies of all replies. Each visitor writes their next message after `pause_ms`. */
async function talk(service: Service, conversations: number, pause_ms = 0): Promise<number[]> {
  const ids = await startConversations(service, conversations)
  const times: number[] = []
  await Promise.all(
    ids.map(async (id, at) => {
      await delay((pause_ms * at) / conversations)
      for (let turn = 0; turn < MESSAGES; turn += 1) {
        const text = factOf((at * MESSAGES + turn * 7) % (FACTS + DOCUMENTS)).question
        const path = `/conversations/${id}/messages`
        const { whole_ms } = await api(service, { path, body: { text } })
        times.push(whole_ms)
        await delay(pause_ms)
      }
    }),
  )
  return times
}

const builtin = await openService({})
const fields = {
  type: 'object',
  properties: { question: { type: 'string' }, answer: { type: 'string' } },
}
await api(builtin, {
  method: 'PUT',
  path: '/assistant',
  body: { name: 'Mill', facts: Array.from({ length: FACTS }, (_, at) => factOf(at)) },
})
await api(builtin, {
  path: '/collections',
  body: { name: 'prices', schema: fields, assistant_facts: true },
})
for (let first = 0; first < DOCUMENTS; first += 100) {
  const operations = Array.from({ length: 100 }, (_, at) => ({
    op: 'create',
    data: factOf(FACTS + first + at),
  }))
  await api(builtin, { path: '/collections/prices/documents/batch', body: { operations } })
}
await builtin.client.query('analyze')
await talk(builtin, 1)
const alone: number[][] = []
const paced: number[][] = []
const crowd: number[][] = []
for (let round = 0; round < options.rounds; round += 1) {
  alone.push(await talk(builtin, 1))
  paced.push(await talk(builtin, CONVERSATIONS, PAUSE_MS))
  crowd.push(await talk(builtin, CONVERSATIONS))
}
await builtin.stop()

const model = await openModelServer()
const streaming = await openService(model.settings)
// The free replies of a test project would end the run.
await streaming.client.query(`update projects set plan = 'enterprise'`)
await api(streaming, {
  method: 'PUT',
  path: '/assistant',
  body: { name: 'Mill', facts: [factOf(1)] },
})

async function firstTokens(): Promise<{ through: number[]; direct: number[] }> {
  const through: number[] = []
  const direct: number[] = []
  await streaming.client.query('delete from assistant_test_replies')
  const ids = await startConversations(streaming, Math.ceil(FIRST_TOKENS / MESSAGES))
  for (let at = 0; at < FIRST_TOKENS; at += 1) {
    const id = ids[Math.floor(at / MESSAGES)]
    const text = factOf(at).question
    const own = await api(streaming, {
      path: `/conversations/${id}/messages`,
      body: { text },
      headers: { accept: 'text/event-stream' },
      until: 'event: message.delta',
    })
    through.push(own.first_ms)
    const plain = await ask({
      port: model.port,
      path: '/v1/chat/completions',
      headers: {},
      body: { model: 'bench', stream: true, messages: [{ role: 'user', content: text }] },
      until: '"content"',
    })
    direct.push(plain.first_ms)
  }
  return { through, direct }
}

await firstTokens()
const tokens: { through: number[]; direct: number[] }[] = []
for (let round = 0; round < options.rounds; round += 1) tokens.push(await firstTokens())
await streaming.stop()
model.close()
agent.destroy()

const at = (times: readonly number[][], share: number) => times.map((one) => percentile(one, share))
const through = at(
  tokens.map((one) => one.through),
  0.5,
)
const direct = at(
  tokens.map((one) => one.direct),
  0.5,
)
finish({
  generator: `${CONVERSATIONS} kept connections, ${MESSAGES} messages in each conversation`,
  tables: [
    {
      title: 'A reply of the built-in model',
      about: `The project has ${FACTS} facts and ${DOCUMENTS} documents with an answer.`,
      columns: ['conversations at once', 'p50 ms', 'p99 ms'],
      rows: [
        ['1', spread(at(alone, 0.5)), spread(at(alone, 0.99))],
        [
          `${CONVERSATIONS}, a message every ${PAUSE_MS / 1000} s in each`,
          spread(at(paced, 0.5)),
          spread(at(paced, 0.99)),
        ],
        [`${CONVERSATIONS}, without a pause`, spread(at(crowd, 0.5)), spread(at(crowd, 0.99))],
      ],
    },
    {
      title: 'The first token of a configured model',
      columns: ['request', 'p50 ms', 'to direct'],
      rows: [
        ['the model directly', spread(direct), null],
        ['a message of a conversation, as events', spread(through), ratios(through, direct)],
        ['added', spread(through.map((one, round) => one - (direct[round] ?? 0))), null],
      ],
    },
  ],
})
