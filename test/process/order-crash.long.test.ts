/**
 * Tests that an order is created, paid, counted in stock and refunded exactly once, at whatever step its
 * process is killed with SIGKILL. A lock on the timeline stops a real server in the middle of a
 * transaction; the test kills it there and starts another one.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { databaseUrl } from '../fixtures/command-line.ts'
import { findPayment } from '../../server/kernel/builtin-payments.ts'
import { eventually } from '../fixtures/eventually.ts'
import { loaf } from '../fixtures/payments/shop.ts'
import { openStorefront } from '../fixtures/payments/storefront.ts'
import { openTestRuntime } from '../fixtures/runtime.ts'
import { movableClock } from '../../server/kernel/clock.ts'
import { startServer, type ServerProcess } from '../fixtures/server-process.ts'

const secret = 'a master key for tests that is long enough'
const fixture = await openTestRuntime({
  clock: movableClock(),
  work: false,
  settings: { HOMEPORT_SECRET: secret },
})
const { db } = fixture.runtime
const folder = mkdtempSync(join(tmpdir(), 'homeport-orders-'))
const servers = new Set<ServerProcess>()
after(async () => {
  for (const server of servers) await server.stop('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

type Server = ServerProcess & { url: string }

async function newServer(): Promise<Server> {
  const server = await startServer(folder, {
    DATABASE_URL: databaseUrl(fixture.connection),
    HOMEPORT_SECRET: secret,
    HOMEPORT_TEST_CLOCK: '1',
    HOMEPORT_LOG_LEVEL: 'error',
  })
  servers.add(server)
  return { ...server, url: new URL(server.banner['base_url']!).origin }
}

/** Kills a server while the step, or a job that it causes, waits for the lock of a table. */
async function killDuring(
  step: (server: Server) => Promise<unknown>,
  table: 'order_timeline' | 'builtin_payments' = 'order_timeline',
): Promise<void> {
  const server = await newServer()
  const client = new pg.Client(fixture.connection)
  await client.connect()
  await client.query('begin')
  await client.query(`lock table ${table} in share row exclusive mode`)
  const asked = step(server).catch(() => null)
  await eventually(async () => {
    await client.query('select pg_stat_clear_snapshot()')
    const { rows } = await client.query(
      `select count(*)::int as count from pg_stat_activity
       where pg_backend_pid() = any(pg_blocking_pids(pid))`,
    )
    return rows[0].count > 0
  })
  await server.stop('SIGKILL')
  await client.query('rollback')
  await client.end()
  await asked
}

async function passes({ url }: Server, advance_seconds = 60): Promise<void> {
  const body = JSON.stringify({ advance_seconds })
  const headers = { 'content-type': 'application/json' }
  await fetch(`${url}/dev/clock`, { method: 'POST', headers, body })
}

/** Lets due work of a new server run until the condition holds. */
async function recovers(server: Server, condition: () => Promise<boolean>): Promise<void> {
  await eventually(async () => {
    await passes(server)
    return condition()
  })
}

const store = await openStorefront(fixture)
const { project_id, key } = store

/**
 * The path is the idempotency key too: each is requested once. The request of a killed process counts as
 * running for a while.
 */
async function post(server: Server, path: string, body: object): Promise<any> {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'idempotency-key': path,
  }
  const url = `${server.url}/api/v1${path}`
  return eventually(async () => {
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    const text = await answer.text()
    if (answer.status === 409) {
      await passes(server)
      return null
    }
    assert.equal(answer.status, 201, text)
    return JSON.parse(text)
  })
}

async function countEvents(type: string): Promise<number> {
  const rows = await db
    .selectFrom('events')
    .select('id')
    .where('project_id', '=', project_id)
    .where('type', '=', type)
    .execute()
  return rows.length
}

test('an order is created once when its process is killed and the request is repeated', async () => {
  const create = (server: Server) => post(server, '/orders', { items: [loaf] })
  await killDuring(create)
  const server = await newServer()
  const first = await create(server)
  const second = await create(server)
  assert.equal(second.order.id, first.order.id)
  const { body } = await fixture.look('GET /orders', project_id)
  assert.deepEqual(
    body.data.map(({ number }: any) => number),
    [1],
  )
  await server.stop('SIGKILL')
})

test('an order is paid, counted and refunded once, however often its process is killed', async () => {
  const product_id = await store.product({ stock: 5 })
  const { order, checkout_url } = (await store.buy([{ product_id, quantity: 2 }])).body
  const path = new URL(checkout_url).pathname
  const choose = (server: Server, form: Record<string, string>) =>
    fetch(server.url + path, {
      method: 'POST',
      body: new URLSearchParams(form),
      redirect: 'manual',
    })
  await killDuring((server) => fetch(server.url + path))
  await killDuring((server) => choose(server, { outcome: 'paid' }))
  let server = await newServer()
  // The payment may have succeeded at the provider before the process was killed.
  await choose(server, { outcome: 'paid', silent: 'yes' })
  await server.stop('SIGKILL')
  await killDuring((one) => fetch(`${one.url}${path}/return`, { redirect: 'manual' }))
  server = await newServer()
  await fetch(`${server.url}${path}/return`, { redirect: 'manual' })
  await recovers(server, async () => (await store.find(order.id)).status === 'paid')
  await server.stop('SIGKILL')
  assert.equal(await countEvents('order.paid'), 1)
  const { stock, reserved } = await store.show(product_id)
  assert.deepEqual([stock, reserved], [3, 0])
  const refund = (one: Server) => post(one, `/orders/${order.id}/refunds`, { amount_eur: 4 })
  await killDuring(refund)
  server = await newServer()
  await refund(server)
  await server.stop('SIGKILL')
  server = await newServer()
  await recovers(server, async () => (await store.find(order.id)).refunded_eur === 4)
  const found = await store.find(order.id)
  assert.equal(found.refunds.length, 1)
  assert.equal(await countEvents('order.refunded'), 1)
  const invoices = (await fixture.look('GET /invoices', project_id)).body.data
  assert.deepEqual(
    invoices.map(({ kind }: any) => kind),
    ['credit_note', 'invoice'],
  )
  await server.stop('SIGKILL')
})

test('a refund is made once when its job is killed at the provider and before it is recorded', async () => {
  const product_id = await store.product({ stock: 5 })
  const { order, checkout_url } = (await store.buy([{ product_id, quantity: 2 }])).body
  let server = await newServer()
  const form = new URLSearchParams({ outcome: 'paid' })
  await fetch(server.url + new URL(checkout_url).pathname, { method: 'POST', body: form })
  await recovers(server, async () => (await store.find(order.id)).status === 'paid')
  await server.stop('SIGKILL')
  const [refunds, notes] = [await countEvents('order.refunded'), await countCreditNotes()]
  const ask = (one: Server) => post(one, `/orders/${order.id}/refunds`, { amount_eur: 3 })
  // The provider does not answer.
  await killDuring(ask, 'builtin_payments')
  // The provider has made the refund, and the lock stops the transaction that records it.
  await killDuring(async (one) => {
    for (;;) await passes(one)
  })
  assert.equal((await store.find(order.id)).refunds[0].status, 'pending')
  // Two crashes quarantine the job, so the refund is asked again a day later.
  server = await newServer()
  await passes(server, 26 * 3_600)
  await recovers(server, async () => (await store.find(order.id)).refunded_eur === 3)
  await server.stop('SIGKILL')
  const paid = await findPayment(db, { project_id, reference: order.id })
  assert.deepEqual([paid!.refunded_cents, paid!.refund_ids.length], [300n, 1])
  assert.equal(await countEvents('order.refunded'), refunds + 1)
  assert.equal(await countCreditNotes(), notes + 1)
})

async function countCreditNotes(): Promise<number> {
  const { data } = (await fixture.look('GET /invoices', project_id)).body
  return data.filter(({ kind }: any) => kind === 'credit_note').length
}
