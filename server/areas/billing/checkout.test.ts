/**
 * Tests of top-ups through the payment page, over HTTP, with the payment provider simulated by this
 * server: nothing is credited before payment, and each payment once.
 */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, describe, test } from 'node:test'
import { standingClock } from '../../../test/fixtures/bare-runtime.ts'
import { openTestRuntime, type Answer, type TestRuntime } from '../../../test/fixtures/runtime.ts'
import { newTeam, newSession, type TestTeam } from '../../../test/fixtures/portal/sessions.ts'
import { limits } from '../../contract/limits.ts'
import { checkOpenCheckouts } from './checkout.ts'
import { listen } from '../../../test/fixtures/loopback.ts'

const fixture = await openTestRuntime({ work: false, clock: standingClock() })
const { runtime } = fixture
const slugOf = ({ body }: Answer): string => body.type.split('/').at(-1)

const order = ({ owner, project_id }: TestTeam, body: object = { amount_eur: 25 }) =>
  owner.call(`POST /projects/${project_id}/top-ups`, { body })
const read = ({ owner, project_id }: TestTeam, id: string) =>
  owner.call(`GET /projects/${project_id}/top-ups/${id}`)
const balanceOf = async ({ owner, project_id }: TestTeam) =>
  (await owner.call(`GET /projects/${project_id}/balance`)).body

/** Pays on the payment page with a simulated card. */
const pay = (url: string, card = 'pm_card_visa') =>
  fetch(url, { method: 'POST', body: new URLSearchParams({ card }), redirect: 'manual' })

const look = () => checkOpenCheckouts.run(runtime)

describe('a top-up', () => {
  test('creates a payment page at the provider and credits nothing before payment', async () => {
    const team = await newTeam(fixture)
    const made = await order(team)
    assert.equal(made.status, 201, made.text)
    const { id, state, amount_eur, url, expires_at, created_at } = made.body
    assert.deepEqual([state, amount_eur], ['open', 25])
    assert.equal(Date.parse(expires_at) - Date.parse(created_at), limits.top_up_open_s * 1000)
    const page = await fetch(url)
    assert.match(await page.text(), /Pay € 25\.00/)
    assert.equal((await read(team, id)).body.state, 'open')
    assert.equal((await balanceOf(team)).balance_eur, 0)
  })

  test('is credited on return from the payment page and redirects to the right page', async () => {
    const team = await newTeam(fixture)
    const { id, url } = (await order(team)).body
    const paid = await pay(url)
    const page = `${runtime.config.public_url}/portal/app/projects/${team.project_id}/billing?top_up=${id}`
    assert.deepEqual([paid.status, paid.headers.get('location')], [303, page])
    const { body } = await read(team, id)
    assert.deepEqual([body.state, body.url], ['paid', null])
    const balance = await balanceOf(team)
    assert.equal(balance.balance_eur, 25)
    const [entry] = balance.transactions
    assert.deepEqual([entry.type, entry.source, entry.reference_id], ['top_up', 'payment', id])
  })

  test('is found within a minute if the buyer closes the payment page', async () => {
    const team = await newTeam(fixture)
    const { id, url } = (await order(team)).body
    await pay(url)
    await look()
    assert.equal((await balanceOf(team)).balance_eur, 25)
    assert.equal((await read(team, id)).body.state, 'paid')
    assert.equal(checkOpenCheckouts.every_s, 60)
  })

  test('is credited once by concurrent checks', async () => {
    const team = await newTeam(fixture)
    const { id, url } = (await order(team)).body
    await pay(url)
    await Promise.all([
      ...Array.from({ length: 5 }, () => read(team, id)),
      ...Array.from({ length: 3 }, look),
    ])
    await look()
    const { balance_eur, transactions } = await balanceOf(team)
    assert.deepEqual([balance_eur, transactions.length], [25, 1])
  })

  test('expires if unpaid, and cannot be paid afterwards', async () => {
    const team = await newTeam(fixture)
    const { id, url } = (await order(team)).body
    fixture.passes('61 minutes')
    await look()
    const row = await runtime.db
      .selectFrom('billing_checkouts')
      .select(['state', 'ended_at'])
      .where('project_id', '=', team.project_id)
      .where('id', '=', id)
      .executeTakeFirst()
    assert.equal(row?.state, 'expired')
    assert.ok(row.ended_at)
    assert.equal((await pay(url)).status, 404)
    assert.equal((await balanceOf(team)).balance_eur, 0)
  })

  test('keeps the card if requested and records the authentication by the bank', async () => {
    const team = await newTeam(fixture)
    const verification = async () => {
      const route = `GET /projects/${team.project_id}/verification`
      const { card, payment_authenticated } = (await team.owner.call(route)).body
      return { card, payment_authenticated }
    }
    const once = (await order(team, { amount_eur: 10 })).body
    await pay(once.url, 'pm_card_mastercard')
    await look()
    assert.deepEqual(await verification(), { card: false, payment_authenticated: true })
    const kept = (await order(team, { amount_eur: 12.34, save_card: true })).body
    await pay(kept.url, 'pm_card_mastercard')
    await look()
    assert.deepEqual(await verification(), { card: true, payment_authenticated: true })
    assert.equal((await balanceOf(team)).balance_eur, 22.34)
    const settings = await runtime.db
      .selectFrom('billing_settings')
      .select(['payment_method', 'customer'])
      .where('project_id', '=', team.project_id)
      .executeTakeFirstOrThrow()
    assert.equal(settings.payment_method, 'pm_card_mastercard')
    assert.match(settings.customer ?? '', /^cus_/)
  })

  test('stays open after a refused card', async () => {
    const team = await newTeam(fixture)
    const { id, url } = (await order(team)).body
    const refused = await pay(url, 'pm_card_chargeDeclined')
    assert.equal(refused.status, 402)
    assert.match(await refused.text(), /Your card was declined/)
    assert.equal((await read(team, id)).body.state, 'open')
    assert.equal((await pay(url, 'pm_card_authenticationRequired')).status, 303)
    assert.equal((await read(team, id)).body.state, 'paid')
  })

  test('accepts 5 to 10,000 euro in whole cents', async () => {
    const team = await newTeam(fixture)
    for (const amount_eur of [4.99, 0, -5, 10_000.01, 12.345, '25', null, 1e308]) {
      const answer = await order(team, { amount_eur })
      assert.deepEqual([answer.status, slugOf(answer)], [422, 'validation_failed'], answer.text)
      assert.equal(answer.body.errors[0].path, '/amount_eur')
    }
    for (const amount_eur of [5, 19.99, 10_000]) {
      assert.equal((await order(team, { amount_eur })).body.amount_eur, amount_eur)
    }
  })

  test('allows at most ten open top-ups', async () => {
    const team = await newTeam(fixture)
    for (let at = 0; at < limits.top_ups_open_max; at += 1) {
      assert.equal((await order(team)).status, 201)
    }
    const answer = await order(team)
    assert.deepEqual([answer.status, slugOf(answer)], [409, 'conflict'])
    const { body } = await team.owner.call(`GET /projects/${team.project_id}/top-ups`)
    assert.equal(body.data.length, limits.top_ups_open_max)
    fixture.passes('61 minutes')
    await look()
    const owner = await newSession(fixture, team.owner.email)
    assert.equal((await order({ ...team, owner })).status, 201)
  })

  test('is not found by another project', async () => {
    const [one, two] = [await newTeam(fixture), await newTeam(fixture)]
    const { id } = (await order(one)).body
    const stolen = await two.owner.call(`GET /projects/${two.project_id}/top-ups/${id}`)
    assert.deepEqual([stolen.status, slugOf(stolen)], [404, 'not_found'])
  })

  test('requires a recent confirmation of identity and the role admin', async () => {
    const team = await newTeam(fixture)
    const route = `POST /projects/${team.project_id}/top-ups`
    const body = { amount_eur: 25 }
    assert.equal((await team.member.call(route, { body })).status, 403)
    fixture.passes('16 minutes')
    const answer = await team.admin.call(route, { body })
    assert.deepEqual([answer.status, slugOf(answer)], [403, 'forbidden'])
    assert.ok(answer.body.confirm_url)
  })
})

describe('a payment provider', () => {
  /** Creates a team whose payment provider is a local server that answers as the test says. */
  async function elsewhere(answer: (path: string) => { status: number; json: object } | 'silence') {
    const server = createServer((request, response) => {
      const said = answer(request.url ?? '')
      if (said === 'silence') return request.socket.destroy()
      response.writeHead(said.status, { 'content-type': 'application/json' })
      return response.end(JSON.stringify(said.json))
    })
    const port = await listen({ after }, server)
    const other: TestRuntime = await openTestRuntime({
      work: false,
      settings: {
        HOMEPORT_PAYMENTS: 'stripe',
        HOMEPORT_PAYMENTS_KEY: 'sk_test_x',
        HOMEPORT_PAYMENTS_URL: `http://127.0.0.1:${port}`,
      },
    })
    return { other, team: await newTeam(other) }
  }

  test('answers 503 if the provider does not respond, and stores nothing', async () => {
    const { other, team } = await elsewhere(() => 'silence')
    const answer = await order(team)
    assert.deepEqual([answer.status, slugOf(answer)], [503, 'service_unavailable'])
    assert.equal(answer.headers.get('retry-after'), '30')
    const rows = await other.runtime.db.selectFrom('billing_checkouts').selectAll().execute()
    assert.deepEqual(rows, [])
  })

  test('keeps a top-up open while the provider is unavailable', async () => {
    let paid: object | null = null
    const id = 'cs_test_a1'
    const { other, team } = await elsewhere((path) => {
      if (path === '/v1/checkout/sessions') {
        return { status: 200, json: { id, url: 'https://checkout.stripe.com/c/pay/a1' } }
      }
      return paid === null ? 'silence' : { status: 200, json: paid }
    })
    const made = (await order(team)).body
    assert.equal((await read(team, made.id)).body.state, 'open')
    await checkOpenCheckouts.run(other.runtime)
    assert.equal((await read(team, made.id)).body.state, 'open')
    paid = { id, payment_status: 'paid', status: 'complete', payment_intent: null, customer: null }
    assert.equal((await read(team, made.id)).body.state, 'paid')
    assert.equal((await balanceOf(team)).balance_eur, 25)
    // Paid without authentication by the bank.
    const { body } = await team.owner.call(`GET /projects/${team.project_id}/verification`)
    assert.deepEqual([body.card, body.payment_authenticated], [false, false])
  })

  test('reports that no provider is configured', async () => {
    const none = await openTestRuntime({ work: false, settings: { HOMEPORT_PAYMENTS: 'none' } })
    const answer = await order(await newTeam(none))
    assert.deepEqual([answer.status, slugOf(answer)], [409, 'conflict'])
    assert.match(answer.body.user_message, /no payment provider/)
  })
})
