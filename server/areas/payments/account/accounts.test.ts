/** Tests of orders that are paid at the project's own account at Stripe and Mollie, over sockets. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Stripe } from 'stripe'
import { standingClock } from '../../../../test/fixtures/bare-runtime.ts'
import { eventually } from '../../../../test/fixtures/eventually.ts'
import { slugOfProblem } from '../../../../test/fixtures/live-projects.ts'
import { openPage, openShop } from '../../../../test/fixtures/payments/shop.ts'
import { newTeam } from '../../../../test/fixtures/portal/sessions.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import * as projects from '../../projects/service.ts'
import * as accounts from './account-store.ts'
import { CALLBACK_PURPOSE, KEY_PURPOSE } from './open-account.ts'

const runtime = await openTestRuntime({ clock: standingClock() })
const { db, seal } = runtime.runtime
const keys = {
  stripe: 'sk_test_4eC39HqLyjWDarjtT1zdp7dc',
  mollie: 'live_dHar4XY7LxsDOtmnkVtjNVWXL',
}

async function openAccount(provider: 'stripe' | 'mollie', key = keys[provider]) {
  const { owner, project_id } = await newTeam(runtime)
  await projects.setRail(db, { project_id, rail: 'payments', mode: 'live' })
  const put = (body: object) =>
    owner.call(`PUT /projects/${project_id}/payments/account`, {
      body,
      headers: { 'homeport-mode': 'live' },
    })
  // Each project has its own account at the provider.
  const own = `${key}${project_id.replaceAll('-', '').slice(-8)}`
  const connected = await put({ provider, key: own })
  const checked = await put({ provider })
  const refused = await put({ provider, key: 'wrong_key_0000' })
  const shop = await openShop(runtime, {
    project_id,
    key: await runtime.newKey({ project_id, mode: 'live' }),
  })
  const row = await accounts.find(db, { project_id, test: false })
  return { ...shop, put, connected, checked, refused, row: row!, own }
}

type Opened = Awaited<ReturnType<typeof openAccount>>

/** Opens the page at the provider and chooses; returns where the provider sends the customer. */
async function choose(order: { checkout_url: string }, form: Record<string, string>) {
  const { to } = await openPage(runtime, order.checkout_url)
  assert(to)
  const answer = await fetch(to, {
    method: 'POST',
    body: new URLSearchParams(form),
    redirect: 'manual',
  })
  await answer.text()
  return { page: to, back: answer.headers.get('location') ?? '' }
}

const shops = { stripe: await openAccount('stripe'), mollie: await openAccount('mollie') }
const eventsOf = ({ timeline }: any) => timeline.map(({ event }: any) => event)

for (const provider of ['stripe', 'mollie'] as const) {
  describe(`an account at ${provider}`, () => {
    it('is connected with its state, and its key is sealed and never shown', async () => {
      const { connected, checked, refused, row, own } = shops[provider]
      assert.equal(connected.status, 200, connected.text)
      const { status, methods, missing, mode, missing_at_provider } = connected.body
      assert.deepEqual([connected.body.provider, status, mode], [provider, 'active', 'live'])
      assert(methods.includes('ideal'))
      assert.deepEqual([missing, missing_at_provider], [[], []])
      assert(!connected.text.includes(own))
      assert(!row.sealed_key!.toString('latin1').includes(own))
      assert.equal(checked.body.status, 'active')
      assert.equal(slugOfProblem(refused), 'validation_failed')
    })

    it('shows what the provider still wants, and notices when it changes', async () => {
      const key = provider === 'stripe' ? 'sk_test_unverified' : 'live_unverified0'
      const { connected, project_id } = await openAccount(provider, key)
      assert.equal(connected.body.status, 'pending')
      assert.deepEqual(connected.body.missing, ['provider'])
      assert.equal(connected.body.missing_at_provider.length > 0, true)
      const before = connected.body.checked_at
      runtime.passes('2 hours')
      await eventually(async () => {
        const { checked_at } = (await accounts.find(db, { project_id, test: false }))!
        return checked_at!.toISOString() > before
      })
    })

    it('takes a payment whose callback comes before the customer returns, once', async () => {
      const { order, until, find } = shops[provider]
      const made = await order({ success_url: 'https://www.bakery.example/thanks' })
      const first = await openPage(runtime, made.checkout_url)
      const again = await openPage(runtime, made.checkout_url)
      assert.equal(again.to, first.to)
      const { back } = await choose(made, { outcome: 'paid' })
      await until(made.id, 'paid')
      assert.equal((await openPage(runtime, back)).to, 'https://www.bakery.example/thanks')
      const paid = await find(made.id)
      assert.deepEqual(eventsOf(paid), ['created', 'checkout_opened', 'paid'])
      assert.match(paid.provider_reference, provider === 'stripe' ? /^cs_/ : /^tr_/)
    })

    it('finds a payment that nothing called back about when the customer returns', async () => {
      const { order, find } = shops[provider]
      const made = await order()
      const { back } = await choose(made, { outcome: 'paid', silent: 'yes' })
      assert.equal((await find(made.id)).status, 'open')
      await openPage(runtime, back)
      assert.equal((await find(made.id)).status, 'paid')
    })

    it('closes the page at the expiry, and counts money that arrives later', async () => {
      const { order, until } = shops[provider]
      const made = await order()
      const { page } = await openPage(runtime, made.checkout_url).then(({ to }) => ({ page: to! }))
      runtime.passes('61 minutes')
      await until(made.id, provider === 'stripe' ? 'expired' : 'canceled')
      await fetch(page, { method: 'POST', body: new URLSearchParams({ outcome: 'paid' }) })
      const paid = await until(made.id, 'paid')
      assert.equal(eventsOf(paid).filter((event: string) => event === 'paid').length, 1)
    })

    it('refunds a part and the rest, and hears of a chargeback', async () => {
      const { order, refund, until } = shops[provider]
      const made = await order()
      const { page } = await choose(made, { outcome: 'paid' })
      await until(made.id, 'paid')
      assert.equal((await refund(made.id, { amount_eur: 9.01 })).status, 422)
      await refund(made.id, { amount_eur: 4 })
      assert.equal((await until(made.id, 'partially_refunded')).refunded_eur, 4)
      await refund(made.id)
      await until(made.id, 'refunded')
      await fetch(page, { method: 'POST', body: new URLSearchParams({ outcome: 'charged_back' }) })
      await until(made.id, 'charged_back')
    })
  })
}

/** Replaces the account in the database, as if time or the provider had changed it. */
async function change(row: accounts.AccountRow, changes: Partial<accounts.AccountRow>) {
  const state = JSON.stringify(row.state)
  await db.transact((tx) => accounts.put(tx, { ...row, ...changes, state }))
}

for (const provider of ['stripe', 'mollie'] as const) {
  describe(`an account at ${provider} that does not work any more`, () => {
    it('lets subscriptions wait until there is one again', async () => {
      const { project_id, key, row } = await openAccount(provider)
      const wanted = { description: 'Bread', amount_eur: 18, interval: 'week' }
      const body = { ...wanted, customer: { email: 'anna@example.com' } }
      const made = (await runtime.call('POST /payment-subscriptions', { key, body })).body
      const route = `GET /payment-subscriptions/${made.subscription.id}`
      const show = async () => (await runtime.look(route, project_id)).body
      const untilPaid = (times: number) =>
        eventually(async () => (await show()).paid_times === times && show())
      await choose(made, { outcome: 'paid' })
      await untilPaid(1)
      runtime.passes('7 days')
      const { next_payment_at } = await untilPaid(2)
      await db.transact((tx) => accounts.remove(tx, row))
      runtime.passes('7 days')
      await eventually(async () => (await show()).next_payment_at > next_payment_at)
      await change(row, {})
      runtime.passes('2 hours')
      await untilPaid(3)
    })

    it('fails a refund when the key stays refused', async () => {
      const { order, until, find, refund, row } = await openAccount(provider)
      const made = await order()
      await choose(made, { outcome: 'paid' })
      await until(made.id, 'paid')
      await change(row, { sealed_key: seal.seal('revoked', KEY_PURPOSE) })
      await refund(made.id)
      const skip = () =>
        db.transact((tx) =>
          tx
            .updateTable('jobs')
            .set({ attempt: 9 })
            .where('project_id', '=', row.project_id)
            .where('kind', '=', 'orders.refund')
            .where('state', '=', 'waiting')
            .where('attempt', '=', 1)
            .executeTakeFirst(),
        )
      await eventually(async () => (await skip()).numUpdatedRows === 1n)
      runtime.passes('1 minute')
      await eventually(async () => (await find(made.id)).refunds[0].status === 'failed')
    })

    it('repeats a refund whose job died', async () => {
      const { order, until, find, refund, row } = await openAccount(provider)
      const made = await order()
      await choose(made, { outcome: 'paid' })
      await until(made.id, 'paid')
      await change(row, { sealed_key: seal.seal('revoked', KEY_PURPOSE) })
      await refund(made.id)
      const lose = () =>
        db.transact((tx) =>
          tx
            .deleteFrom('jobs')
            .where('project_id', '=', row.project_id)
            .where('kind', '=', 'orders.refund')
            .where('state', '=', 'waiting')
            .executeTakeFirst(),
        )
      await eventually(async () => (await lose()).numDeletedRows === 1n)
      await change(row, {})
      runtime.passes('26 hours')
      await eventually(async () => (await find(made.id)).refunds[0].status === 'succeeded')
    })

    it('expires its orders when the key is refused', async () => {
      const { order, until, row } = await openAccount(provider)
      const made = await order()
      await openPage(runtime, made.checkout_url)
      await change(row, { sealed_key: seal.seal('revoked', KEY_PURPOSE) })
      runtime.passes('61 minutes')
      await until(made.id, 'expired')
    })
  })
}

describe('an account at mollie', () => {
  it('fails a refund that Mollie takes and then reports as failed', async () => {
    const { order, until, find, refund } = shops.mollie
    const made = await order()
    await choose(made, { outcome: 'paid' })
    await until(made.id, 'paid')
    await refund(made.id, { reason: 'refund_that_fails' })
    await eventually(async () => (await find(made.id)).refunds[0].status === 'failed')
  })
})

describe('an account at stripe without a secret for callbacks', () => {
  it('says so, and gets one when it is checked again', async () => {
    const { key, project_id, row, put } = await openAccount('stripe')
    await change(row, { sealed_callback_secret: null })
    const { body } = await runtime.call('GET /payments/account', { key })
    assert.deepEqual(body.missing_at_provider, ['webhook_endpoint'])
    assert.deepEqual((await put({ provider: 'stripe' })).body.missing_at_provider, [])
    assert((await accounts.find(db, { project_id, test: false }))!.sealed_callback_secret)
  })
})

describe('callbacks', () => {
  const hook = async ({ row }: Opened, init: RequestInit) => {
    const url = `${runtime.url}/hooks/${row.provider}/${row.id}`
    const answer = await fetch(url, { method: 'POST', ...init })
    await answer.text()
    return answer.status
  }

  it("of Stripe need its SDK's signature, of the last five minutes", async () => {
    const shop = shops.stripe
    const made = await shop.order()
    await choose(made, { outcome: 'paid', silent: 'yes' })
    const { provider_reference: id } = await shop.find(made.id)
    const payload = JSON.stringify({ data: { object: { id } } })
    const secret = seal.open(shop.row.sealed_callback_secret!, CALLBACK_PURPOSE)
    const now_s = Math.floor(runtime.clock.now_ms() / 1000)
    const sign = (timestamp: number, key = secret) =>
      Stripe.webhooks.generateTestHeaderString({ payload, secret: key, timestamp })
    const send = (signature: string) =>
      hook(shop, { body: payload, headers: { 'stripe-signature': signature } })
    assert.equal(await send(''), 403)
    assert.equal(await send(sign(now_s - 301)), 403)
    assert.equal(await send(sign(now_s, 'whsec_of_another')), 403)
    assert.equal((await shop.find(made.id)).status, 'open')
    assert.equal(await send(sign(now_s)), 200)
    await shop.until(made.id, 'paid')
  })

  it('of Mollie are not believed: the payment is read', async () => {
    const shop = shops.mollie
    const made = await shop.order()
    await openPage(runtime, made.checkout_url)
    const { provider_reference: id } = await shop.find(made.id)
    assert.equal(await hook(shop, { body: new URLSearchParams({ id, status: 'paid' }) }), 200)
    assert.equal(await hook(shop, { body: new URLSearchParams({ id: 'tr_unknown' }) }), 200)
    const wrong = { ...shop, row: { ...shop.row, id: crypto.randomUUID() } }
    assert.equal(await hook(wrong, { body: new URLSearchParams({ id }) }), 404)
    await eventually(async () => (await shop.find(made.id)).status === 'open')
  })

  it('about a second payment of one order leave a note, and no second event', async () => {
    const shop = shops.mollie
    const made = await shop.order()
    await choose(made, { outcome: 'paid' })
    await shop.until(made.id, 'paid')
    // Another payment of the same order, as after a crash between opening it and storing its id.
    const body = {
      amount: { currency: 'EUR', value: '9.00' },
      description: 'Order 1',
      redirectUrl: 'https://www.bakery.example/',
      webhookUrl: `${runtime.url}/hooks/mollie/${shop.row.id}`,
      metadata: { order_id: made.id },
    }
    const second = await fetch(`${runtime.runtime.config.simulators_url}/mollie/v2/payments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${shop.own}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    const { _links }: any = await second.json()
    const pay = { method: 'POST', body: new URLSearchParams({ outcome: 'paid' }) } as const
    await fetch(_links.checkout.href, { ...pay, redirect: 'manual' })
    await eventually(async () => eventsOf(await shop.find(made.id)).includes('paid_twice'))
    const events = eventsOf(await shop.find(made.id))
    assert.deepEqual(events, ['created', 'checkout_opened', 'paid', 'paid_twice'])
  })
})
