/** Tests of payment links: the operations, the page of customers, and its limits. */
import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { standingClock } from '../../../../test/fixtures/bare-runtime.ts'
import { slugOfProblem } from '../../../../test/fixtures/live-projects.ts'
import { openPage, openShop, type Shop } from '../../../../test/fixtures/payments/shop.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import { limits } from '../../../contract/limits.ts'

const runtime = await openTestRuntime({ clock: standingClock() })

// All customers here share one address and its rate limit.
beforeEach(() => runtime.passes('2 minutes'))

const workshop = { description: 'Workshop', amount_eur: 45 }

async function newLink({ key }: Shop, body: object = workshop): Promise<any> {
  const answer = await runtime.call('POST /payment-links', { key, body })
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

async function change({ key }: Shop, id: string, body: object): Promise<any> {
  const answer = await runtime.call(`PATCH /payment-links/${id}`, { key, body })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

async function submit(link: { url: string }, form: Record<string, string> = {}) {
  const { pathname } = new URL(link.url)
  const answer = await fetch(runtime.url + pathname, {
    method: 'POST',
    body: new URLSearchParams(form),
    redirect: 'manual',
  })
  return {
    status: answer.status,
    text: await answer.text(),
    to: answer.headers.get('location') ?? '',
  }
}

async function ordersOf({ project_id }: Shop, link: { id: string }): Promise<any[]> {
  const { body } = await runtime.look(`GET /orders?payment_link_id=${link.id}`, project_id)
  return body.data
}

const pathOf = ({ checkout_url }: { checkout_url: string }) => new URL(checkout_url).pathname

describe('a payment link', () => {
  it('is returned with its page and its QR code, by create, get and list', async () => {
    const shop = await openShop(runtime)
    const link = await newLink(shop)
    const { id, created_at, url, qr_url, ...rest } = link
    assert.equal(created_at, runtime.clock.now().toISOString())
    assert.match(url, /\/pay\/link\/[\w-]{64}$/)
    assert.equal(qr_url, `${url}/qr.svg`)
    assert.deepEqual(rest, {
      description: 'Workshop',
      amount_eur: 45,
      customer_decides: false,
      vat_percent: 21,
      reusable: false,
      active: true,
      status: 'active',
      paid_orders: 0,
      paid_eur: 0,
      expires_at: null,
      test: true,
    })
    const found = await runtime.look(`GET /payment-links/${id}`, shop.project_id)
    assert.deepEqual(found.body, link)
    const second = await newLink(shop, { description: 'Tip', customer_decides: true })
    const { body } = await runtime.look('GET /payment-links', shop.project_id)
    assert.deepEqual(body.data, [second, link])
  })

  const faults: [string, object][] = [
    ['/amount_eur', { amount_eur: undefined }],
    ['/amount_eur', { customer_decides: true }],
    ['/amount_eur', { amount_eur: 0.005 }],
    ['/amount_eur', { amount_eur: 0 }],
    ['/description', { description: ' ' }],
    ['/vat_percent', { vat_percent: 5.555 }],
    ['/expires_at', { expires_at: '2020-01-01T00:00:00Z' }],
  ]
  for (const [path, body] of faults) {
    it(`is refused for ${path} of ${JSON.stringify(body)}`, async () => {
      const answer = await runtime.call('POST /payment-links', { body: { ...workshop, ...body } })
      assert.equal(slugOfProblem(answer), 'validation_failed', answer.text)
      assert.equal(answer.body.errors[0].path, path)
    })
  }

  it('is not found in another project', async () => {
    const link = await newLink(await openShop(runtime))
    const { key } = await openShop(runtime)
    for (const route of ['GET', 'PATCH'] as const) {
      const body = route === 'PATCH' ? { body: { active: false } } : {}
      const answer = await runtime.call(`${route} /payment-links/${link.id}`, { key, ...body })
      assert.equal(slugOfProblem(answer), 'not_found')
    }
    assert.deepEqual(await ordersOf(await openShop(runtime), link), [])
  })

  it('is created once for one Idempotency-Key', async () => {
    const { key, project_id } = await openShop(runtime)
    const headers = { 'idempotency-key': 'workshop-1' }
    const request = { key, body: workshop, headers }
    const [first, second] = [
      await runtime.call('POST /payment-links', request),
      await runtime.call('POST /payment-links', request),
    ]
    assert.deepEqual(second.body, first.body)
    const { body } = await runtime.look('GET /payment-links', project_id)
    assert.equal(body.data.length, 1)
  })

  it('is refused over the maximum of links that are on, also by two requests at once', async () => {
    const shop = await openShop(runtime)
    for (let made = 0; made < limits.payment_links_max - 1; made += 1) {
      if (made % 100 === 0) await runtime.passes('1 minute')
      await newLink(shop)
    }
    const answers = await Promise.all(
      [1, 2].map(() => runtime.call('POST /payment-links', { key: shop.key, body: workshop })),
    )
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 409])
    const refused = answers.find(({ status }) => status === 409)!
    assert.equal(slugOfProblem(refused), 'conflict')
    const link = answers.find(({ status }) => status === 201)!.body
    await change(shop, link.id, { active: true })
    await change(shop, link.id, { active: false })
    await newLink(shop)
    const path = `PATCH /payment-links/${link.id}`
    const again = await runtime.call(path, { key: shop.key, body: { active: true } })
    assert.equal(slugOfProblem(again), 'conflict')
  })
})

describe('the page of a payment link', () => {
  it('creates the order of the customer, and counts it once it is paid', async () => {
    const shop = await openShop(runtime)
    const link = await newLink(shop, { ...workshop, reusable: true })
    const page = await openPage(runtime, link.url)
    assert.equal(page.status, 200)
    assert.match(page.text, /Workshop/)
    assert.match(page.text, /45\.00/)
    const { to, status } = await submit(link, { name: 'Anna', email: 'anna@example.com' })
    assert.equal(status, 303)
    const [order] = await ordersOf(shop, link)
    assert.equal(to, pathOf(order))
    assert.deepEqual([order.customer.name, order.customer.email], ['Anna', 'anna@example.com'])
    assert.deepEqual([order.amount_eur, order.vat_eur], [45, 7.81])
    assert.equal(order.payment_link_id, link.id)
    await submit(link)
    for (const { checkout_url, id } of await ordersOf(shop, link)) {
      await shop.choose({ checkout_url }, { outcome: 'paid' })
      await shop.until(id, 'paid')
    }
    const { body } = await runtime.look(`GET /payment-links/${link.id}`, shop.project_id)
    assert.deepEqual([body.paid_orders, body.paid_eur, body.status], [2, 90, 'active'])
  })

  it('takes the amount of the customer, with a comma or a point', async () => {
    const shop = await openShop(runtime)
    const link = await newLink(shop, {
      description: 'Tip',
      customer_decides: true,
      reusable: true,
    })
    for (const amount of ['12,50', '7.05']) {
      assert.equal((await submit(link, { amount })).status, 303)
    }
    const orders = await ordersOf(shop, link)
    assert.deepEqual(
      orders.map(({ amount_eur }) => amount_eur),
      [7.05, 12.5],
    )
  })

  const refused = ['', '0', '0.99', '-5', '1e3', '12.345', '50000.01', 'ten', '１２']
  for (const amount of refused) {
    it(`asks again for an amount of "${amount}", and keeps what was entered`, async () => {
      const shop = await openShop(runtime)
      const link = await newLink(shop, { description: 'Tip', customer_decides: true })
      const { status, text } = await submit(link, { amount, name: 'Anna & Bo' })
      assert.equal(status, 422)
      assert.match(text, /Enter an amount of €1\.00 to €50,000\.00\./)
      assert.match(text, /value="Anna &amp; Bo"/)
      assert.deepEqual(await ordersOf(shop, link), [])
    })
  }

  it('asks again for a wrong email address', async () => {
    const link = await newLink(await openShop(runtime))
    const { status, text } = await submit(link, { email: 'anna' })
    assert.equal(status, 422)
    assert.match(text, /Enter an email address, or leave this empty/)
  })

  it('stores a name with control characters without them', async () => {
    const shop = await openShop(runtime)
    const link = await newLink(shop)
    assert.equal((await submit(link, { name: 'An\u0000na' })).status, 303)
    const [order] = await ordersOf(shop, link)
    assert.equal(order.customer.name, 'An na')
  })

  it('keeps one order of a link that is not reusable, for customers at once', async () => {
    const shop = await openShop(runtime)
    const link = await newLink(shop)
    const answers = await Promise.all([submit(link), submit(link), submit(link)])
    const [order, ...others] = await ordersOf(shop, link)
    assert.deepEqual(others, [])
    assert.deepEqual(
      answers.map(({ to }) => to),
      [1, 2, 3].map(() => pathOf(order)),
    )
    assert.equal((await openPage(runtime, link.url)).to, pathOf(order))
    await shop.choose(order, { outcome: 'paid' })
    await shop.until(order.id, 'paid')
    assert.match((await openPage(runtime, link.url)).text, /Thank you, it is paid/)
    assert.equal((await submit(link)).status, 410)
    const { body } = await runtime.look(`GET /payment-links/${link.id}`, shop.project_id)
    assert.equal(body.status, 'paid')
  })

  it('takes a new order after the first has ended unpaid', async () => {
    const shop = await openShop(runtime)
    const link = await newLink(shop)
    await submit(link)
    const [order] = await ordersOf(shop, link)
    await shop.choose(order, { outcome: 'canceled' })
    await shop.until(order.id, 'canceled')
    assert.equal((await openPage(runtime, link.url)).status, 200)
    assert.equal((await submit(link)).status, 303)
    assert.equal((await ordersOf(shop, link)).length, 2)
  })

  it('says that a link was turned off, has expired, or works no more', async () => {
    const shop = await openShop(runtime)
    const off = await newLink(shop)
    await change(shop, off.id, { active: false })
    const expires_at = new Date(runtime.clock.now_ms() + 3_600_000).toISOString()
    const late = await newLink(shop, { ...workshop, expires_at })
    await runtime.passes('1 hour')
    const found = await runtime.look(`GET /payment-links/${late.id}`, shop.project_id)
    assert.equal(found.body.status, 'expired')
    for (const link of [off, late]) {
      const page = await openPage(runtime, link.url)
      assert.equal(page.status, 410)
      assert.match(page.text, /does not work any more/)
      assert.equal((await submit(link)).status, 410)
      assert.deepEqual(await ordersOf(shop, link), [])
    }
    await change(shop, late.id, { expires_at: null })
    assert.equal((await submit(late)).status, 303)
  })

  it('is not found with a changed token or the token of an order', async () => {
    const shop = await openShop(runtime)
    const link = await newLink(shop)
    const order = await shop.order()
    const own = order.checkout_url.split('/').at(-1)
    const changed = link.url.slice(0, -1) + (link.url.endsWith('A') ? 'B' : 'A')
    for (const url of [changed, `/pay/link/${own}`, `${changed}/qr.svg`]) {
      assert.equal((await openPage(runtime, url)).status, 404)
    }
    const token = link.url.split('/').at(-1)
    assert.equal((await openPage(runtime, `/pay/${token}`)).status, 404)
  })

  it('has a QR code that runs nothing', async () => {
    const link = await newLink(await openShop(runtime))
    const { status, headers, text } = await openPage(runtime, link.qr_url)
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'image/svg+xml')
    assert.match(headers.get('content-security-policy') ?? '', /sandbox/)
    assert.match(text, /^<svg/)
  })

  it('takes a limited number of orders from one address and by one link', async () => {
    const shop = await openShop(runtime)
    const link = await newLink(shop, { ...workshop, reusable: true })
    for (let made = 0; made < limits.payment_link_orders_per_hour_max; made += 1) {
      if (made % limits.payment_link_orders_per_address_max === 0) await runtime.passes('1 minute')
      assert.equal((await submit(link)).status, 303)
    }
    assert.equal((await submit(link)).status, 429)
    await runtime.passes('1 minute')
    assert.equal((await submit(link)).status, 429)
    await runtime.passes('1 hour')
    assert.equal((await submit(link)).status, 303)
  })
})
