/**
 * Tests of approvals of orders: the price is shown before the decision, and every purchase rule
 * applies at execution.
 */
import assert from 'node:assert/strict'
import { writeFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join as pathOf } from 'node:path'
import { after, describe, test } from 'node:test'
import {
  callPortalApi,
  propose,
  decide,
  readApproval,
  addTeamMember,
  problemOf,
  runTool,
  waitingOf,
} from '../../../../test/fixtures/mcp/approvals.ts'
import { valueOf } from '../../../../test/fixtures/mcp/mcp.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import { newTestClock } from '../../../../test/fixtures/test-clock.ts'
import { liveFixture, type LiveProject } from '../../../../test/fixtures/live-projects.ts'
import type { PortalVisitor } from '../../../../test/fixtures/portal/portal.ts'
import * as keys from '../../keys/service.ts'
import { executeApproval } from './execute.ts'
import { microFromEuro } from '../../../kernel/values/money.ts'

const folder = mkdtempSync(pathOf(tmpdir(), 'homeport-prices-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const clock = newTestClock()
const tomorrow = new Date(clock.now_ms() + 48 * 3_600_000).toISOString().slice(0, 10)
const prices = pathOf(folder, 'prices.json')
writeFileSync(
  prices,
  JSON.stringify({
    'number.national': [
      { from: '2020-01-01', price_eur: 5 },
      { from: tomorrow, price_eur: 50 },
    ],
  }),
)
const fixture = await openTestRuntime({ clock, settings: { HOMEPORT_PRICES: prices } })
const live = liveFixture(fixture)
let people = 0

async function ready(): Promise<LiveProject & { owner: PortalVisitor; owner_email: string }> {
  const project = await live.readyProject()
  const owner_email = `owner-${(people += 1)}@bakery.example`
  const { project_id } = project
  const owner = await addTeamMember(fixture, project_id, { email: owner_email, role: 'owner' })
  return { ...project, owner, owner_email }
}

const order = (key: string, idempotency_key: string) =>
  propose(fixture, 'numbers.order', { idempotency_key }, key)

describe('an order that needs approval', () => {
  test('is pending with its price, is not duplicated by repeated requests, and is placed once', async () => {
    const { project_id, key, owner } = await ready()
    const waiting = waitingOf(
      await runTool(fixture, 'numbers.order', { idempotency_key: 'a' }, key),
    )
    assert.match(waiting.cost, /5 euro a month/)
    assert.match(waiting.user_message, /Orders a phone number.*\n.*costs 5 euro a month/)
    assert.doesNotMatch(waiting.user_message, /idempotency|test key|geographic/i)
    const { id } = waiting.approval
    assert.equal(await order(key, 'b'), id)
    assert.deepEqual(await live.listed(key), [])
    const done = await decide(fixture, owner, { project_id, id, verb: 'approve' })
    assert.equal(done.body.status, 'executed', JSON.stringify(done.body))
    assert.match(done.body.reply.e164, /^\+/)
    const listed = await live.listed(key)
    assert.deepEqual([listed.length, listed[0].id], [1, done.body.reply.id])
    assert.equal((await live.order(key, {}, 'a')).body.id, done.body.reply.id)
    assert.equal((await live.listed(key)).length, 1)
  })

  test('replays the stored reply for the same key without a new approval', async () => {
    const { project_id, key, owner } = await ready()
    const given = { idempotency_key: 'once' }
    const id = await propose(fixture, 'numbers.order', given, key)
    const { body } = await decide(fixture, owner, { project_id, id, verb: 'approve' })
    const again = await runTool(fixture, 'numbers.order', given, key)
    assert.deepEqual(valueOf(again), body.reply)
    const other = problemOf(await runTool(fixture, 'numbers.order', { ...given, area: '020' }, key))
    assert.equal(other.slug, 'idempotency_key_reused')
    assert.doesNotMatch(other.next_step, /Idempotency-Key|body/)
    assert.equal((await live.listed(key)).length, 1)
    const { data } = (await fixture.call('GET /approvals', { key })).body
    assert.equal(data.length, 1)
    const next = await propose(fixture, 'numbers.order', { idempotency_key: 'another' }, key)
    assert.notEqual(next, id)
  })

  test('replays the stored reply for the same key after a person edited the order', async () => {
    const { project_id, key, owner } = await ready()
    const free = (await fixture.call('GET /numbers/available', { key })).body.data
    const given = { idempotency_key: 'edited', e164: free[0].e164 }
    const id = await propose(fixture, 'numbers.order', given, key)
    const { body: waits } = await fixture.call(`GET /approvals/${id}`, { key })
    const changed = { input_hash: waits.input_hash, arguments: { ...given, e164: free[1].e164 } }
    const edited = await callPortalApi(
      fixture,
      owner,
      `PUT /projects/${project_id}/approvals/${id}/arguments`,
      changed,
    )
    assert.equal(edited.status, 200, JSON.stringify(edited.body))
    const { body } = await decide(fixture, owner, { project_id, id, verb: 'approve' })
    assert.equal(body.status, 'executed', JSON.stringify(body))
    const again = await runTool(fixture, 'numbers.order', given, key)
    assert.deepEqual(valueOf(again), body.reply)
    assert.equal(valueOf(again).e164, free[1].e164)
  })

  test('is refused at once if it could not be placed now', async () => {
    const bare = await live.bareProject()
    const given = { idempotency_key: 'a' }
    const missing = problemOf(await runTool(fixture, 'numbers.order', given, bare.key))
    assert.equal(missing.slug, 'company_details_missing')
    const poor = await live.readyProject({ euro: 1 })
    const refused = problemOf(await runTool(fixture, 'numbers.order', given, poor.key))
    assert.equal(refused.slug, 'insufficient_balance')
    const { body } = await fixture.call('GET /approvals', { key: poor.key })
    assert.deepEqual(body.data, [])
  })

  test('fails at execution without a charge if the spending cap was lowered meanwhile', async () => {
    const { project_id, key, owner } = await ready()
    const id = await order(key, 'a')
    await live.change(project_id, { spending_limit_micro: microFromEuro(1) })
    const done = await decide(fixture, owner, { project_id, id, verb: 'approve' })
    assert.equal(done.body.status, 'failed')
    assert.match(done.body.problem.type, /billing_blocked$/)
    assert.deepEqual((await live.books(key)).amounts, [100])
  })

  test('is not compared again once an attempt with its key has started', async () => {
    const { project_id, key } = await ready()
    const id = await order(key, 'started')
    const placed = await live.order(key, {}, 'started')
    const change = {
      status: 'approved' as const,
      decided_at: fixture.clock.now(),
      input_hash: Buffer.alloc(32),
    }
    await fixture.runtime.db.transact((tx) =>
      tx.updateTable('approvals').set(change).where('id', '=', id).execute(),
    )
    await executeApproval(fixture.runtime, { project_id, id })
    const { status, reply } = await readApproval(fixture, id, key)
    assert.deepEqual([status, reply?.id], ['executed', placed.body.id])
  })

  test('ends with an unknown outcome if its key was revoked after an attempt that got no answer', async () => {
    const { project_id, key, owner } = await ready()
    const e164 = '+31850009005'
    const id = await propose(fixture, 'numbers.order', { idempotency_key: 'lost', e164 }, key)
    const { status } = (await decide(fixture, owner, { project_id, id, verb: 'approve' })).body
    assert.equal(status, 'approved')
    const { db } = fixture.runtime
    const mine = db.selectFrom('api_keys').select('id').where('project_id', '=', project_id)
    for (const one of await mine.execute()) await keys.revoke(fixture.runtime, one.id)
    await executeApproval(fixture.runtime, { project_id, id })
    const route = `GET /projects/${project_id}/approvals/${id}`
    const { body } = await callPortalApi(fixture, owner, route)
    assert.equal(body.status, 'failed', JSON.stringify(body))
    assert.match(body.problem.user_message, /^We cannot tell whether this was done/)
    assert.doesNotMatch(JSON.stringify(body.problem), /nothing was done/)
  })

  test('needs a new decision after a price increase', async () => {
    const { project_id, key, owner, owner_email } = await ready()
    const id = await order(key, 'a')
    const { input_hash } = await readApproval(fixture, id, key)
    fixture.passes('50 hours')
    const fresh_at = fixture.clock.now()
    await fixture.runtime.db.transact((tx) =>
      tx.updateTable('sessions').set({ fresh_at }).execute(),
    )
    const route = `POST /projects/${project_id}/approvals/${id}/approve`
    const dearer = await callPortalApi(fixture, owner, route, { input_hash })
    assert.deepEqual([dearer.status, dearer.slug], [409, 'conflict'], owner_email)
    assert.match(dearer.body.user_message, /cost has changed/)
    assert.deepEqual(await live.listed(key), [])
    const agreed = await decide(fixture, owner, { project_id, id, verb: 'approve' })
    assert.match(agreed.body.cost, /50 euro a month/)
    assert.equal(agreed.body.status, 'executed')
    assert.deepEqual((await live.books(key)).amounts, [100, -50])
  })
})
