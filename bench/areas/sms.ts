/**
 * `npm run bench -- sms`: text messages a second, from the request to the confirmed delivery: accept
 * over HTTP with count and hold, hand over to the simulated carrier over HTTP, settle the charge, and
 * take its signed callbacks. Server, simulator and database share the machine with the clients.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { Pool } from 'undici'
import { buildApp, startWork } from '../../server/app.ts'
import * as billing from '../../server/areas/billing/service.ts'
import * as keys from '../../server/areas/keys/service.ts'
import * as projects from '../../server/areas/projects/service.ts'
import { readConfig, withPort } from '../../server/kernel/config/config.ts'
import { openRuntime } from '../../server/kernel/open-runtime.ts'
import { microFromEuro } from '../../server/kernel/values/money.ts'
import { readOptions } from '../support/options.ts'
import { begin } from '../support/result.ts'
import { spread } from '../support/spread.ts'

const options = readOptions()
const finish = begin('sms', options)
const PROJECTS = 20
const MESSAGES_EACH = 100
const MESSAGES = PROJECTS * MESSAGES_EACH
const HANDS = 32
const BALANCE_EUR = 100
const CAP_EUR = 500

const folder = mkdtempSync(join(tmpdir(), 'homeport-bench-'))
const settings = { HOMEPORT_DATA_DIR: folder, HOMEPORT_LOG_LEVEL: 'error', HOMEPORT_PORT: '0' }
const opened = await openRuntime(readConfig(settings, folder))
const { runtime } = opened
const app = buildApp(runtime, null)
await app.listen({ host: '127.0.0.1', port: 0 })
const address = app.server.address()
const port = typeof address === 'object' && address ? address.port : 0
runtime.config = withPort(runtime.config, port)
const client = new pg.Client(opened.connection)
await client.connect()
const requests = new Pool(`http://127.0.0.1:${port}`, { connections: HANDS })

/** A project whose messages are real, with money and a live key. */
async function newSender(): Promise<string> {
  const made = await projects.create(runtime, {
    name: 'bench',
    shape: 'single',
    plan: 'reachable',
    owner_email: null,
  })
  const project_id = 'project_id' in made ? made.project_id : ''
  await projects.change(runtime.db, project_id, { spending_limit_micro: microFromEuro(CAP_EUR) })
  await projects.setRail(runtime.db, { project_id, rail: 'sms', mode: 'live' })
  await runtime.db.transact((tx) =>
    billing.topUp(tx, runtime, {
      project_id,
      amount_micro: microFromEuro(BALANCE_EUR),
      source: 'payment',
      description: 'Top-up',
      reference: project_id,
    }),
  )
  const scopes = keys.allScopes
  const { key } = await keys.create(runtime, {
    project_id,
    mode: 'live',
    name: 'bench',
    scopes,
    access: null,
  })
  return key
}

async function send(key: string, to: string): Promise<void> {
  const reply = await requests.request({
    path: '/api/v1/messages',
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ to, from: 'MillBakery', text: 'Your order is ready until 17:00.' }),
  })
  if (reply.statusCode !== 201) throw new Error(await reply.body.text())
  await reply.body.dump()
}

async function countDelivered(): Promise<number> {
  const { rows } = await client.query(
    "select count(*)::int as count from messages where status = 'delivered'",
  )
  return rows[0].count
}

interface Round {
  accepted_per_second: number
  delivered_per_second: number
}

async function sendAll(): Promise<Round> {
  const senders: string[] = []
  for (let n = 0; n < PROJECTS; n += 1) senders.push(await newSender())
  const before = await countDelivered()
  const begun_ms = performance.now()
  let next = 0
  const hand = async () => {
    while (next < MESSAGES) {
      const n = next
      next += 1
      await send(senders[n % PROJECTS]!, `+3161234${String(5000 + (n % 900) + 20)}`)
    }
  }
  await Promise.all(Array.from({ length: HANDS }, hand))
  const accepted_s = (performance.now() - begun_ms) / 1000
  while ((await countDelivered()) < before + MESSAGES) await delay(50)
  const delivered_s = (performance.now() - begun_ms) / 1000
  return {
    accepted_per_second: MESSAGES / accepted_s,
    delivered_per_second: MESSAGES / delivered_s,
  }
}

const work = startWork(runtime)
const rounds: Round[] = []
for (let round = -1; round < options.rounds; round += 1) {
  const measured = await sendAll()
  // The first round is the warm-up.
  if (round >= 0) rounds.push(measured)
}
const of = (figure: keyof Round) => spread(rounds.map((one) => one[figure]))
finish({
  generator: `${HANDS} connections of undici in the process of the server`,
  tables: [
    {
      title: 'Text messages a second',
      about:
        `${MESSAGES.toLocaleString('en')} messages of ${PROJECTS} projects over the API. Accepted: checked, counted, ` +
        'its price held, and stored. Delivered: also handed over to the simulated carrier by HTTP, charged, and ' +
        'confirmed by its signed callbacks.',
      columns: ['what', 'a second'],
      rows: [
        ['accepted, while others are handed over', of('accepted_per_second')],
        ['delivered, from the first request to the last callback', of('delivered_per_second')],
      ],
    },
  ],
})
await work.stop()
await requests.close()
await app.close()
await client.end()
await opened.close()
rmSync(folder, { recursive: true, force: true })
