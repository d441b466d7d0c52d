/** Tests of orders, checkout pages, refunds and events in test mode, over HTTP. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { standingClock } from '../../../test/fixtures/bare-runtime.ts'
import { eventually } from '../../../test/fixtures/eventually.ts'
import { slugOfProblem } from '../../../test/fixtures/live-projects.ts'
import { loaf, openPage, openShop } from '../../../test/fixtures/payments/shop.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { newTeam } from '../../../test/fixtures/portal/sessions.ts'
import { openReceiver } from '../../../test/fixtures/webhooks/webhook-receiver.ts'
import * as projects from '../projects/service.ts'

const runtime = await openTestRuntime({ clock: standingClock() })

describe('POST /orders', () => {
  it('calculates the amounts and returns the page on which the customer pays', async () => {
    const { key, project_id } = await openShop(runtime)
    const body = {
      items: [loaf, { name: 'Mug', quantity: 1, unit_price_eur: 12.1, vat_percent: 21 }],
      customer: { name: 'Anna de Vries', email: 'Anna@Example.com', phone: '+31612345678' },
      metadata: { table: '12' },
    }
    const answer = await runtime.call('POST /orders', { key, body })
    assert.equal(answer.status, 201, answer.text)
    const { order, checkout_url } = answer.body
    const { id, created_at, expires_at, ...rest } = order
    assert.equal(Date.parse(expires_at) - Date.parse(created_at), 3_600_000)
    assert.match(checkout_url, /\/pay\/[\w-]{64}$/)
    assert.deepEqual(rest, {
      number: 1,
      status: 'open',
      amount_eur: 21.1,
      vat_eur: 2.84,
      currency: 'EUR',
      items: [
        { ...loaf, amount_eur: 9, vat_eur: 0.74, product_id: null },
        {
          name: 'Mug',
          quantity: 1,
          unit_price_eur: 12.1,
          vat_percent: 21,
          amount_eur: 12.1,
          vat_eur: 2.1,
          product_id: null,
        },
      ],
      customer: {
        name: 'Anna de Vries',
        email: 'anna@example.com',
        phone: '+31612345678',
        company_name: null,
        vat_number: null,
        address: null,
      },
      provider: 'builtin',
      provider_reference: null,
      checkout_url,
      qr_url: `${checkout_url}/qr.svg`,
      refunded_eur: 0,
      metadata: { table: '12' },
      site_id: null,
      payment_link_id: null,
      subscription_id: null,
      reverse_charge: false,
      paid_at: null,
      test: true,
    })
    const found = await runtime.look(`GET /orders/${id}`, project_id)
    assert.deepEqual(
      found.body.timeline.map(({ event }: any) => event),
      ['created'],
    )
  })

  const faults: [string, object][] = [
    ['/items/0/unit_price_eur', { items: [{ ...loaf, unit_price_eur: 1.005 }] }],
    ['/items/0/vat_percent', { items: [{ ...loaf, vat_percent: 5.555 }] }],
    ['/items', { items: [{ ...loaf, unit_price_eur: 0 }] }],
    ['/items', { items: [{ ...loaf, quantity: 999, unit_price_eur: 999 }] }],
    ['/success_url', { success_url: 'javascript:alert(1)' }],
    ['/expires_at', { expires_at: '2099-01-01T00:00:00Z' }],
    ['/items/0/quantity', { items: [{ ...loaf, quantity: 0 }] }],
    ['/items/0/unit_price_eur', { items: [{ ...loaf, unit_price_eur: -1 }] }],
  ]
  for (const [path, body] of faults) {
    it(`refuses ${path} of ${JSON.stringify(body)}`, async () => {
      const sent = { items: [loaf], ...body }
      const answer = await runtime.call('POST /orders', { body: sent })
      assert.equal(slugOfProblem(answer), 'validation_failed', answer.text)
      assert.equal(answer.body.errors[0].path, path)
    })
  }

  it('refuses the site of another project', async () => {
    const body = { items: [loaf], site_id: crypto.randomUUID() }
    assert.equal((await runtime.call('POST /orders', { body })).status, 404)
  })

  it('numbers concurrent orders without gaps, also when some are refused', async () => {
    const { project_id, key, find } = await openShop(runtime)
    const sent = Array.from({ length: 12 }, (_, turn) => ({
      items: [turn % 3 === 0 ? { ...loaf, unit_price_eur: 0 } : loaf],
    }))
    const answers = await Promise.all(
      sent.map((body) => runtime.call('POST /orders', { key, body })),
    )
    const made = answers.filter(({ status }) => status === 201).map(({ body }) => body.order)
    const numbers = made.map(({ number }) => number).toSorted((one, other) => one - other)
    assert.deepEqual(numbers, [1, 2, 3, 4, 5, 6, 7, 8])
    assert.equal((await find(made[0].id)).number, made[0].number)
    const other = await openShop(runtime)
    assert.equal((await other.order()).number, 1)
    assert.notEqual(other.project_id, project_id)
  })

  it('creates one order for repeated requests with one Idempotency-Key', async () => {
    const { key } = await openShop(runtime)
    const headers = { 'idempotency-key': 'order-1' }
    const request = { key, body: { items: [loaf] }, headers }
    const first = await runtime.call('POST /orders', request)
    const second = await runtime.call('POST /orders', request)
    assert.deepEqual(second.body, first.body)
    assert.equal((await runtime.call('GET /orders', { key })).body.data.length, 1)
  })

  it('creates a test order for a live key until payments are live', async () => {
    const { project_id } = await runtime.newProject()
    const key = await runtime.newKey({ project_id, mode: 'live' })
    const before = await runtime.call('POST /orders', { key, body: { items: [loaf] } })
    assert.equal(before.body.order.test, true)
    const account = await runtime.call('GET /payments/account', { key })
    assert.deepEqual(account.body, {
      provider: 'builtin',
      status: 'active',
      mode: 'test',
      methods: ['test'],
      missing: ['account', 'go_live'],
      missing_at_provider: [],
      connected_at: null,
      checked_at: null,
    })
  })

  it('needs an account when payments are live, which only the owner connects', async () => {
    const { owner, admin, project_id } = await newTeam(runtime)
    await projects.setRail(runtime.runtime.db, { project_id, rail: 'payments', mode: 'live' })
    const key = await runtime.newKey({ project_id, mode: 'live' })
    const request = { key, body: { items: [loaf] } }
    assert.equal(
      slugOfProblem(await runtime.call('POST /orders', request)),
      'payment_account_missing',
    )
    const route = `PUT /projects/${project_id}/payments/account`
    const body = { provider: 'builtin' }
    assert.equal((await admin.call(route, { body })).status, 403)
    const connected = await owner.call(route, { body, headers: { 'homeport-mode': 'live' } })
    assert.equal(connected.status, 200, connected.text)
    assert.deepEqual([connected.body.mode, connected.body.missing], ['live', []])
    const real = await runtime.call('POST /orders', request)
    assert.deepEqual([real.body.order.test, real.body.order.number], [false, 1])
    const simulated = await runtime.call(`POST /test/orders/${real.body.order.id}`, {
      key: await runtime.newKey({ project_id }),
      body: { outcome: 'paid' },
    })
    assert.equal(simulated.status, 404)
    for (const [mode, status] of [
      ['test', 409],
      ['live', 200],
    ] as const) {
      await projects.setRail(runtime.runtime.db, { project_id, rail: 'payments', mode })
      assert.equal((await openPage(runtime, real.body.checkout_url)).status, status, mode)
    }
    await owner.call(route, { body: { provider: null } })
    assert.equal((await runtime.call('POST /orders', request)).status, 409)
  })
})

describe('the checkout page', () => {
  it('shows the order, and leads to the success page when it is paid', async () => {
    const { order, choose, until } = await openShop(runtime)
    const success_url = 'https://www.bakery.example/thanks?x=1'
    const made = await order({ success_url })
    const page = await openPage(runtime, made.checkout_url)
    assert.equal(page.status, 200)
    assert.match(page.text, /2 × Sourdough loaf/)
    assert.match(page.text, /€9\.00/)
    assert.match(
      page.headers.get('content-security-policy') ?? '',
      /form-action 'self' https:\/\/www\.bakery\.example;/,
    )
    const back = await choose(made, { outcome: 'paid' })
    assert(back)
    assert.equal((await openPage(runtime, back)).to, success_url)
    const paid = await until(made.id, 'paid')
    assert(paid.paid_at)
    assert.deepEqual(
      paid.timeline.map(({ event }: any) => event),
      ['created', 'checkout_opened', 'paid'],
    )
  })

  for (const outcome of ['failed', 'expired', 'canceled'] as const) {
    it(`leads to the cancel page when the payment is ${outcome}`, async () => {
      const { order, choose, until } = await openShop(runtime)
      const cancel_url = 'https://www.bakery.example/cart'
      const made = await order({ cancel_url })
      const back = await choose(made, { outcome })
      assert.equal((await openPage(runtime, back ?? '')).to, cancel_url)
      assert.equal((await until(made.id, outcome)).paid_at, null)
      const page = await openPage(runtime, made.checkout_url)
      assert.doesNotMatch(page.text, /<button/)
    })
  }

  it('shows the outcome itself if the order names no page', async () => {
    const { order, choose } = await openShop(runtime)
    const back = await choose(await order(), { outcome: 'paid' })
    const page = await openPage(runtime, back ?? '')
    assert.match(page.text, /Thank you, it is paid/)
    for (const outcome of ['failed', 'expired', 'canceled']) {
      const url = await choose(await order(), { outcome })
      assert.match((await openPage(runtime, url ?? '')).text, /Ask the business for a new payment/)
    }
  })

  it('leads back to the payment when the customer returns before one is known', async () => {
    const { order } = await openShop(runtime)
    const { checkout_url } = await order({ cancel_url: 'https://www.bakery.example/cart' })
    const { text } = await openPage(runtime, `${checkout_url}/return`)
    assert.match(text, /not received the payment yet/)
    assert(text.includes(`href="${new URL(checkout_url).pathname}"`), text)
  })

  it('refuses an altered token, and escapes names', async () => {
    const { order } = await openShop(runtime)
    const made = await order({ items: [{ ...loaf, name: '<script>alert(1)</script>' }] })
    assert.doesNotMatch((await openPage(runtime, made.checkout_url)).text, /<script>/)
    const token = made.checkout_url.split('/').at(-1)
    for (const bad of [
      token.replace(/^./, (one: string) => (one === 'A' ? 'B' : 'A')),
      'x',
      `${token}A`,
    ]) {
      assert.equal((await openPage(runtime, `/pay/${bad}`)).status, 404)
    }
  })

  it('refuses names of customers with line breaks or hidden characters', async () => {
    const { key } = await openShop(runtime)
    for (const customer of [
      { name: 'Anna\r\nBcc: other@example.com' },
      { company_name: 'De Vries\u202eVB' },
      { address: 'Hauptstraße 1\u2066' },
    ]) {
      const made = await runtime.call('POST /orders', { key, body: { items: [loaf], customer } })
      assert.equal(made.status, 422, made.text)
    }
    const customer = { name: 'Anna', address: 'Hauptstraße 1\r\n10115 Berlin' }
    const made = await runtime.call('POST /orders', { key, body: { items: [loaf], customer } })
    assert.equal(made.status, 201, made.text)
  })

  it('is closed an hour later, and the order expires', async () => {
    const { order, until } = await openShop(runtime)
    const opened = await order()
    const unopened = await order()
    await openPage(runtime, opened.checkout_url)
    runtime.passes('61 minutes')
    await until(opened.id, 'expired')
    await until(unopened.id, 'expired')
    assert.match((await openPage(runtime, opened.checkout_url)).text, /has expired/)
  })
})

describe('callbacks', () => {
  it('are refused unless this server signed them', async () => {
    const { project_id, order, find } = await openShop(runtime)
    const made = await order()
    await openPage(runtime, made.checkout_url)
    const url = `${runtime.url}/hooks/builtin/${project_id}`
    for (const headers of [{}, { 'x-signature': 'AAAA' }]) {
      const body = new URLSearchParams({ id: made.id }).toString()
      assert.equal((await fetch(url, { method: 'POST', headers, body })).status, 403)
    }
    assert.equal((await find(made.id)).status, 'open')
  })

  it('that never come are made up for by the reconciliation', async () => {
    const { order, choose, find, until } = await openShop(runtime)
    const made = await order()
    await choose(made, { outcome: 'paid', silent: 'yes' })
    assert.equal((await find(made.id)).status, 'open')
    runtime.passes('31 minutes')
    await until(made.id, 'paid')
  })

  it('find a payment on its way before the order expires, and keep it open', async () => {
    const { key, order, choose, until } = await openShop(runtime)
    const made = await order()
    await choose(made, { outcome: 'pending', silent: 'yes' })
    runtime.passes('61 minutes')
    await until(made.id, 'pending')
    await runtime.call(`POST /test/orders/${made.id}`, { key, body: { outcome: 'paid' } })
    await until(made.id, 'paid')
  })
})

describe('refunds', () => {
  it('return a part, then the rest, and never more', async () => {
    const { key, order, refund, until } = await openShop(runtime)
    const made = await order()
    assert.equal(slugOfProblem((await refund(made.id)) as any), 'conflict')
    await runtime.call(`POST /test/orders/${made.id}`, { key, body: { outcome: 'paid' } })
    const part = await refund(made.id, { amount_eur: 4.5, reason: 'Sold out' })
    assert.equal(part.status, 201)
    assert.deepEqual([part.body.amount_eur, part.body.status], [4.5, 'pending'])
    const once = await until(made.id, 'partially_refunded')
    assert.equal(once.refunded_eur, 4.5)
    assert.deepEqual(
      once.refunds.map(({ status }: any) => status),
      ['succeeded'],
    )
    assert.equal(
      slugOfProblem((await refund(made.id, { amount_eur: 4.51 })) as any),
      'validation_failed',
    )
    assert.equal((await refund(made.id)).body.amount_eur, 4.5)
    const whole = await until(made.id, 'refunded')
    assert.equal(whole.refunded_eur, 9)
    assert.equal(slugOfProblem((await refund(made.id)) as any), 'conflict')
  })

  it('fail if no provider has the payment of the order', async () => {
    const { key, order, refund, find } = await openShop(runtime)
    const { id } = await order()
    await runtime.call(`POST /test/orders/${id}`, { key, body: { outcome: 'paid' } })
    await runtime.runtime.db.transact((tx) =>
      tx.updateTable('orders').set({ provider_reference: null }).where('id', '=', id).execute(),
    )
    await refund(id)
    await eventually(async () => (await find(id)).refunds[0].status === 'failed')
  })

  it('that are asked for at once never exceed the order together', async () => {
    const { key, order, refund, until } = await openShop(runtime)
    const made = await order()
    await runtime.call(`POST /test/orders/${made.id}`, { key, body: { outcome: 'paid' } })
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => refund(made.id, { amount_eur: 3 })),
    )
    assert.equal(answers.filter(({ status }) => status === 201).length, 3)
    assert.equal((await until(made.id, 'refunded')).refunded_eur, 9)
  })

  it('need an Idempotency-Key, which repeats the reply', async () => {
    const { key, order, find } = await openShop(runtime)
    const made = await order()
    await runtime.call(`POST /test/orders/${made.id}`, { key, body: { outcome: 'paid' } })
    const route = `POST /orders/${made.id}/refunds`
    const bare = await runtime.call(route, { key, body: {} })
    assert.equal(slugOfProblem(bare), 'idempotency_key_missing')
    const request = { key, body: { amount_eur: 1 }, headers: { 'idempotency-key': 'refund-1' } }
    const first = await runtime.call(route, request)
    const second = await runtime.call(route, request)
    assert.deepEqual(second.body, first.body)
    assert.equal((await find(made.id)).refunds.length, 1)
  })
})

describe('order events', () => {
  it('are sent once, with the order, however often the provider reports', async () => {
    const { key, order, refund, until } = await openShop(runtime)
    const receiver = await openReceiver()
    const events = ['order.paid', 'order.refunded', 'order.charged_back', 'order.failed']
    await runtime.call('POST /webhooks', { key, body: { url: receiver.url, events } })
    const made = await order()
    const play = (id: string, outcome: string) =>
      runtime.call(`POST /test/orders/${id}`, { key, body: { outcome } })
    await Promise.all([play(made.id, 'paid'), play(made.id, 'paid'), play(made.id, 'paid')])
    await play(made.id, 'failed')
    await until(made.id, 'paid')
    await refund(made.id, { amount_eur: 1 })
    await until(made.id, 'partially_refunded')
    await play(made.id, 'charged_back')
    await until(made.id, 'charged_back')
    const failed = await order()
    await play(failed.id, 'failed')
    const requests = await receiver.received(4)
    const seen = requests.map(({ event }) => `${event.type} ${(event.data['order'] as any).number}`)
    assert.deepEqual(seen.toSorted(), [
      'order.charged_back 1',
      'order.failed 2',
      'order.paid 1',
      'order.refunded 1',
    ])
    for (const { event } of requests) assert(!('checkout_url' in (event.data['order'] as object)))
  })
})

describe('GET /orders', () => {
  it('lists orders newest first, and filters by status and number', async () => {
    const { key, order } = await openShop(runtime)
    const made = [await order(), await order(), await order()]
    await runtime.call(`POST /test/orders/${made[1].id}`, { key, body: { outcome: 'paid' } })
    const numbers = async (query: string) =>
      (await runtime.call(`GET /orders${query}`, { key })).body.data.map((one: any) => one.number)
    assert.deepEqual(await numbers(''), [3, 2, 1])
    assert.deepEqual(
      await eventually(
        async () => (await numbers('?status=paid')).length && (await numbers('?status=paid')),
      ),
      [2],
    )
    assert.deepEqual(await numbers('?number=3'), [3])
    assert.deepEqual(await numbers('?test=false'), [])
  })
})

describe('GET /customers', () => {
  it('sums up the orders of an email address in any case, newest order first, apart for real ones', async () => {
    const { key, project_id, order, until, refund } = await openShop(runtime)
    const anna = { name: 'Anna', email: 'anna@example.com' }
    const [first, second] = [await order({ customer: anna }), await order({ customer: anna })]
    for (const { id } of [first, second]) {
      await runtime.call(`POST /test/orders/${id}`, { key, body: { outcome: 'paid' } })
      await until(id, 'paid')
    }
    await refund(first.id, { amount_eur: 2.5 })
    await until(first.id, 'partially_refunded')
    const charged_back = { outcome: 'charged_back' }
    await runtime.call(`POST /test/orders/${second.id}`, { key, body: charged_back })
    await until(second.id, 'charged_back')
    runtime.passes('1 hour')
    await order({ customer: { email: 'ben@example.com' } })
    await order({ customer: { phone: '+31612345678' } })
    const last = await order({ customer: { email: 'ANNA@example.com' } })
    const { data } = (await runtime.call('GET /customers', { key })).body
    assert.deepEqual(
      data.map(({ email, name, orders }: any) => [email, name, orders]),
      [
        ['anna@example.com', 'Anna', 3],
        ['ben@example.com', null, 1],
      ],
    )
    assert.deepEqual(data[0], {
      email: 'anna@example.com',
      name: 'Anna',
      orders: 3,
      paid_orders: 2,
      paid_eur: 18,
      refunded_eur: 2.5,
      charged_back_eur: 9,
      running_subscriptions: 0,
      first_order_at: first.created_at,
      last_order_at: last.created_at,
      test: true,
    })
    const found = async (query: string) =>
      (await runtime.call(`GET /customers?${query}`, { key })).body.data.map(
        ({ email }: any) => email,
      )
    assert.deepEqual(await found('email=Ben@Example.com'), ['ben@example.com'])
    assert.deepEqual(await found('q=NNA@'), ['anna@example.com'])
    assert.deepEqual(await found('q=%25'), [])
    assert.deepEqual(await found('test=false'), [])
    const other = await openShop(runtime)
    assert.deepEqual((await runtime.call('GET /customers', { key: other.key })).body.data, [])
    const erased = { email: 'anna@example.com' }
    await runtime.call('POST /personal-data/erase', { key, body: erased })
    const left = (await runtime.look('GET /customers', project_id)).body.data
    assert.deepEqual(
      left.map(({ email }: any) => email),
      ['ben@example.com'],
    )
  })

  it('reads page by page, each customer once, with a cursor for the same filters only', async () => {
    const { key, order } = await openShop(runtime)
    for (const name of ['a', 'b', 'a', 'c', 'b', 'a'])
      await order({ customer: { email: `${name}@example.com` } })
    const read = (query: string) => runtime.call(`GET /customers?limit=1${query}`, { key })
    const emails: string[] = []
    let next = ''
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await read(cursor && `&cursor=${cursor}`)
      emails.push(...body.data.map(({ email }: any) => email))
      if (next === '') next = body.next_cursor
      cursor = body.next_cursor
    }
    assert.deepEqual(emails, ['a@example.com', 'b@example.com', 'c@example.com'])
    for (const query of ['&q=a', '&email=a@example.com', '&test=true'])
      assert.equal((await read(`${query}&cursor=${next}`)).status, 400)
  })
})
