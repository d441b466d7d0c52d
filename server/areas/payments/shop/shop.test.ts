/** Tests of orders by visitors of a website, over HTTP. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { standingClock } from '../../../../test/fixtures/bare-runtime.ts'
import { openPage } from '../../../../test/fixtures/payments/shop.ts'
import { bread, openStorefront } from '../../../../test/fixtures/payments/storefront.ts'
import { depth } from '../../../../test/fixtures/depth.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import { BROWSER, newAddress, ORIGIN, slugOf } from '../../../../test/fixtures/sites/site.ts'
import { limits } from '../../../contract/limits.ts'
import * as projects from '../../projects/service.ts'

const runtime = await openTestRuntime({ clock: standingClock() })

describe('POST /public/orders', () => {
  it('takes names and prices from the catalogue, and holds the pieces', async () => {
    const store = await openStorefront(runtime)
    const loaf = await store.product()
    const mug = await store.product({ name: 'Mug', price_eur: 12.1, vat_percent: 21, stock: null })
    const answer = await store.buy(
      [
        { product_id: loaf, quantity: 1 },
        { product_id: mug, quantity: 1 },
        { product_id: loaf, quantity: 1 },
      ],
      { customer: { name: 'Anna', email: 'Anna@Example.com' }, note: 'Mill Lane 12' },
    )
    assert.equal(answer.status, 201, answer.text)
    const { order, checkout_url } = answer.body
    assert.match(checkout_url, /\/pay\/[\w-]{64}$/)
    assert.deepEqual(
      [order.number, order.amount_eur, order.vat_eur, order.test],
      [1, 21.1, 2.84, true],
    )
    const found = await store.find(order.id)
    assert.deepEqual(
      found.items.map(({ product_id, name, quantity }: any) => [product_id, name, quantity]),
      [
        [loaf, 'Sourdough loaf', 2],
        [mug, 'Mug', 1],
      ],
    )
    assert.deepEqual([found.customer.name, found.customer.email], ['Anna', 'anna@example.com'])
    assert.deepEqual(found.metadata, { note: 'Mill Lane 12' })
    assert.equal(Date.parse(found.expires_at) - Date.parse(found.created_at), 1_800_000)
    const { stock, reserved } = await store.show(loaf)
    assert.deepEqual([stock, reserved], [10, 2])
    assert.equal((await store.show(mug)).reserved, 1)
  })

  it('lowers the stock once when the order is paid', async () => {
    const store = await openStorefront(runtime)
    const loaf = await store.product()
    const { body } = await store.buy([{ product_id: loaf, quantity: 3 }])
    await store.choose(body, { outcome: 'paid' })
    await store.until(body.order.id, 'paid')
    const { stock, reserved } = await store.show(loaf)
    assert.deepEqual([stock, reserved], [7, 0])
    await openPage(runtime, `${body.checkout_url}/return`)
    await store.refund(body.order.id)
    await store.until(body.order.id, 'refunded')
    assert.equal((await store.show(loaf)).stock, 7)
  })

  for (const outcome of ['failed', 'canceled', 'expired']) {
    it(`releases the pieces when the payment has ${outcome}`, async () => {
      const store = await openStorefront(runtime)
      const loaf = await store.product()
      const { body } = await store.buy([{ product_id: loaf, quantity: 3 }])
      assert.equal((await store.show(loaf)).reserved, 3)
      await store.choose(body, { outcome })
      await store.until(body.order.id, outcome)
      const { stock, reserved } = await store.show(loaf)
      assert.deepEqual([stock, reserved], [10, 0])
    })
  }

  it('releases the pieces when the order is not paid in time', async () => {
    const store = await openStorefront(runtime)
    const loaf = await store.product({ stock: 2 })
    const { body } = await store.buy([{ product_id: loaf, quantity: 2 }])
    const refused = await store.buy([{ product_id: loaf, quantity: 1 }])
    assert.deepEqual([refused.status, slugOf(refused)], [409, 'product_unavailable'])
    await runtime.passes('31 minutes')
    await store.until(body.order.id, 'expired')
    assert.equal((await store.buy([{ product_id: loaf, quantity: 2 }])).status, 201)
  })

  it('sells exactly the pieces in stock to five times as many buyers', async () => {
    const pieces = depth(10, 50)
    const missed = 4 * pieces
    const store = await openStorefront(runtime)
    const loaf = await store.product({ stock: pieces })
    const solutions = await Promise.all(
      Array.from({ length: pieces + missed }, () => store.solve()),
    )
    const answers = await Promise.all(
      solutions.map((hp_challenge) =>
        store.site.send('POST /public/orders', {
          body: { items: [{ product_id: loaf, quantity: 1 }], hp_challenge },
        }),
      ),
    )
    const placed = answers.filter(({ status }) => status === 201)
    assert.equal(placed.length, pieces)
    assert.equal(answers.filter((one) => slugOf(one) === 'product_unavailable').length, missed)
    const during = await store.show(loaf)
    assert.deepEqual([during.stock, during.reserved], [pieces, pieces])
    await runtime.passes('2 minutes')
    for (const [index, { body }] of placed.entries()) {
      if (index % 25 === 0) await runtime.passes('2 minutes')
      await store.choose(body, { outcome: 'paid' })
    }
    for (const { body } of placed) await store.until(body.order.id, 'paid')
    const { stock, reserved } = await store.show(loaf)
    assert.deepEqual([stock, reserved], [0, 0])
    assert.equal((await store.refusals()).product_unavailable, missed)
  })

  it('sells what is left and adds stock_short if the payment arrives after the pieces were released', async () => {
    const store = await openStorefront(runtime)
    const loaf = await store.product({ stock: 3 })
    const late = (await store.buy([{ product_id: loaf, quantity: 2 }])).body
    await store.choose(late, { outcome: 'expired' })
    await store.until(late.order.id, 'expired')
    await store.buy([{ product_id: loaf, quantity: 2 }])
    await runtime.runtime.db.transact((tx) =>
      tx
        .updateTable('builtin_payments')
        .set({ state: 'paid' })
        .where('project_id', '=', store.project_id)
        .where('id', '=', late.order.id)
        .execute(),
    )
    await openPage(runtime, `${late.checkout_url}/return`)
    const { timeline } = await store.until(late.order.id, 'paid')
    assert.equal(timeline.at(-1).event, 'stock_short')
    const { stock, reserved } = await store.show(loaf)
    assert.deepEqual([stock, reserved], [2, 2])
  })

  it('adds stock_short if the schema of the catalogue refuses the lower stock', async () => {
    const store = await openStorefront(runtime)
    const loaf = await store.product({ stock: 3 })
    const placed = (await store.buy([{ product_id: loaf, quantity: 2 }])).body
    const schema = { type: 'object', properties: { stock: { type: 'integer', minimum: 2 } } }
    const path = `/collections/${store.collection}`
    const { key } = store
    assert.equal((await runtime.call(`PATCH ${path}`, { key, body: { schema } })).status, 200)
    await store.choose(placed, { outcome: 'paid' })
    const { timeline } = await store.until(placed.order.id, 'paid')
    assert.equal(timeline.at(-1).event, 'stock_short')
    const { stock, reserved } = await store.show(loaf)
    assert.deepEqual([stock, reserved], [3, 0])
  })

  it('redirects a form without a script to the page on which the customer pays', async () => {
    const store = await openStorefront(runtime)
    const loaf = await store.product()
    const fields = [
      ['token', store.site.token],
      ['product_id', loaf],
      ['quantity', '2'],
      ['product_id', await store.product()],
      ['quantity', '0'],
      ['email', 'anna@example.com'],
      ['success_url', '/thanks'],
    ] as const
    const send = () =>
      store.site.send('POST /public/orders', {
        fields,
        token: null,
        accept: BROWSER,
        address: '198.51.100.9',
      })
    const answer = await send()
    assert.equal(answer.status, 303, answer.text)
    const { body } = await runtime.call('GET /orders', { key: store.key })
    assert.equal(answer.headers.get('location'), body.data[0].checkout_url)
    assert.deepEqual(
      [body.data[0].items.length, body.data[0].amount_eur, body.data[0].customer.email],
      [1, 9, 'anna@example.com'],
    )
    const again = await send()
    assert.equal(again.headers.get('location'), answer.headers.get('location'))
    const paid = await store.choose(body.data[0], { outcome: 'paid' })
    const back = await openPage(runtime, paid!)
    assert.equal(back.to, `${ORIGIN}/thanks`)
  })

  it('shows a page to a form without a script if a product is sold out', async () => {
    const store = await openStorefront(runtime)
    const loaf = await store.product({ stock: 0 })
    const answer = await store.site.send(`POST /public/orders?token=${store.site.token}`, {
      fields: [['product_id', loaf]],
      token: null,
      accept: BROWSER,
      headers: { 'accept-language': 'nl' },
    })
    assert.equal(answer.status, 409)
    assert.match(answer.text, /uitverkocht/)
  })

  it('creates one order for repeated requests with the same hp_submission', async () => {
    const store = await openStorefront(runtime)
    const loaf = await store.product()
    const body = {
      items: [{ product_id: loaf, quantity: 1 }],
      hp_challenge: await store.solve(),
      hp_submission: 'a random text',
    }
    const send = () => store.site.send('POST /public/orders', { body })
    const answers = await Promise.all([send(), send(), send()])
    const again = await send()
    const ids = answers.filter(({ status }) => status === 201).map((one) => one.body.order.id)
    assert.deepEqual(new Set([...ids, again.body.order.id]).size, 1)
    assert.equal((await store.show(loaf)).reserved, 1)
  })

  const faults: [string, object, string][] = [
    ['no items', { items: [] }, 'validation_failed'],
    [
      'a price',
      { items: [{ product_id: crypto.randomUUID(), quantity: 1, price_eur: 1 }] },
      'validation_failed',
    ],
    [
      'a quantity of 0',
      { items: [{ product_id: crypto.randomUUID(), quantity: 0 }] },
      'validation_failed',
    ],
    [
      'an unknown product',
      { items: [{ product_id: crypto.randomUUID(), quantity: 1 }] },
      'product_unavailable',
    ],
    [
      'a page of another site',
      {
        items: [{ product_id: crypto.randomUUID(), quantity: 1 }],
        success_url: 'https://evil.example/',
      },
      'invalid_parameter',
    ],
  ]
  for (const [title, body, slug] of faults) {
    it(`refuses ${title}`, async () => {
      const store = await openStorefront(runtime)
      const answer = await store.buy([], body)
      assert.equal(slugOf(answer), slug, answer.text)
    })
  }

  it('refuses products of another project, and documents of other collections', async () => {
    const [store, other] = [await openStorefront(runtime), await openStorefront(runtime)]
    const foreign = await other.product()
    await runtime.call('POST /collections', { key: store.key, body: { name: 'notes' } })
    const note = await runtime.call('POST /collections/notes/documents', {
      key: store.key,
      body: bread,
    })
    for (const product_id of [foreign, note.body.id]) {
      assert.equal(slugOf(await store.buy([{ product_id, quantity: 1 }])), 'product_unavailable')
    }
    assert.equal((await other.show(foreign)).reserved, 0)
  })
})

describe('the protection of orders by visitors', () => {
  it('publishes a challenge of the documented difficulty', async () => {
    const store = await openStorefront(runtime)
    const { status, body } = await store.site.send('GET /public/orders/challenge')
    assert.deepEqual([status, body.maxnumber], [200, limits.form_challenge_steps_max])
  })

  it('requires a new proof of work from scripts for each order', async () => {
    const store = await openStorefront(runtime)
    const items = [{ product_id: await store.product(), quantity: 1 }]
    const hp_challenge = await store.solve()
    assert.equal((await store.buy(items, { hp_challenge })).status, 201)
    for (const solution of [hp_challenge, '', 'nonsense']) {
      const refused = await store.buy(items, { hp_challenge: solution })
      assert.deepEqual([refused.status, slugOf(refused)], [403, 'challenge_failed'])
    }
    assert.equal((await store.refusals()).challenge_failed, 3)
  })

  it('limits the orders of an address, and counts refused ones for the owner', async () => {
    const store = await openStorefront(runtime)
    const items = [{ product_id: await store.product({ stock: null }), quantity: 1 }]
    const address = newAddress()
    const statuses: number[] = []
    for (let turn = 0; turn < 11; turn += 1) {
      statuses.push((await store.buy(items, {}, { address })).status)
    }
    assert.deepEqual(statuses, [...Array.from({ length: 10 }, () => 201), 429])
    assert.equal((await store.buy(items)).status, 201)
    assert.deepEqual(await store.refusals(), { rate_limited_address: 1 })
  })

  it('refuses further orders after many failed payments, without a reason, until an hour has passed', async () => {
    const store = await openStorefront(runtime)
    const items = [{ product_id: await store.product({ stock: null }), quantity: 1 }]
    for (let turn = 0; turn < 10; turn += 1) {
      const { body } = await store.buy(items)
      await store.choose(body, { outcome: 'failed' })
      await store.until(body.order.id, 'failed')
    }
    const refused = await store.buy(items)
    assert.deepEqual([refused.status, slugOf(refused)], [403, 'order_refused'])
    assert.doesNotMatch(refused.text, /card|fail|payment/i)
    assert.deepEqual(await store.refusals(), { failed_payments: 1 })
    await runtime.passes('61 minutes')
    assert.equal((await store.buy(items)).status, 201)
  })

  it('refuses amounts above the maximum, and forms of bots', async () => {
    const store = await openStorefront(runtime)
    const ring = await store.product({ price_eur: 2_600 })
    const loaf = await store.product()
    const dear = await store.buy([{ product_id: ring, quantity: 2 }])
    assert.equal(slugOf(dear), 'order_refused')
    const robot = await store.buy([{ product_id: loaf, quantity: 1 }], { hp_website: 'x' })
    assert.equal(slugOf(robot), 'order_refused')
    assert.deepEqual(await store.refusals(), { robot: 1, amount_too_high: 1 })
    assert.equal((await store.show(ring)).reserved, 0)
  })

  it('does not show visitors that the payment account is missing', async () => {
    const store = await openStorefront(runtime)
    const items = [{ product_id: await store.product(), quantity: 1 }]
    const { db } = runtime.runtime
    await projects.setRail(db, { project_id: store.project_id, rail: 'payments', mode: 'live' })
    assert.equal(slugOf(await store.buy(items)), 'order_refused')
    assert.deepEqual(await store.refusals(), { account_missing: 1 })
  })
})

describe('a catalogue', () => {
  it('shows the owner why documents cannot be sold, and what is in stock', async () => {
    const store = await openStorefront(runtime)
    const faulty = await store.product({ price_eur: '4,50', vat_percent: null, stock: 1.5 })
    const { can_be_sold, faults, name } = await store.show(faulty)
    assert.deepEqual([can_be_sold, name], [false, 'Sourdough loaf'])
    assert.deepEqual(faults, [
      { field: 'price_eur', message: 'must be a number such as 4.5, without quotes' },
      { field: 'vat_percent', message: 'is missing' },
      { field: 'stock', message: 'must be a whole number of pieces' },
    ])
    const lost = await store.show(await store.product({ picture: crypto.randomUUID() }))
    assert.deepEqual([lost.can_be_sold, lost.faults.length, lost.picture], [true, 1, null])
    const answer = await store.buy([{ product_id: faulty, quantity: 1 }])
    assert.match(answer.body.detail, /is not for sale/)
  })

  it('refuses public_write, also when it is created', async () => {
    const store = await openStorefront(runtime)
    const refused = await runtime.call('PATCH /collections/products', {
      key: store.key,
      body: { public_write: true },
    })
    assert.equal(refused.body.errors[0].path, '/catalogue')
    const body = { name: 'open', public_write: true, catalogue: true }
    const created = await runtime.call('POST /collections', { key: store.key, body })
    assert.equal(slugOf(created), 'validation_failed')
  })

  it('shows visitors the price of a product and how many can be ordered', async () => {
    const store = await openStorefront(runtime)
    const [loaf, mug] = [await store.product(), await store.product({ stock: null })]
    await store.buy([{ product_id: loaf, quantity: 4 }])
    const ids = [loaf, mug, crypto.randomUUID()].join(',')
    const { body } = await store.site.send(`GET /public/products?ids=${ids}`)
    const left = Object.fromEntries(body.data.map((one: any) => [one.id, one.left]))
    assert.deepEqual(left, { [loaf]: 6, [mug]: 99 })
  })
})
