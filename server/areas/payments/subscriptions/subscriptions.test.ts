/** Tests of subscriptions with a moved clock, of invoices and credit notes, and of their pages. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { extractText, getDocumentProxy } from 'unpdf'
import { standingClock } from '../../../../test/fixtures/bare-runtime.ts'
import { eventually } from '../../../../test/fixtures/eventually.ts'
import { slugOfProblem } from '../../../../test/fixtures/live-projects.ts'
import { prepareEmail } from '../../../../test/fixtures/email/prepare-email.ts'
import { openPage, openShop, type Shop } from '../../../../test/fixtures/payments/shop.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import { creditOf, groupByRate } from '../invoices/vat-groups.ts'
import { periodAfter } from './schedule.ts'

const runtime = await openTestRuntime({ clock: standingClock() })
const wanted = {
  description: 'A loaf every week',
  amount_eur: 18,
  vat_percent: 9,
  interval: 'week',
  customer: { name: 'Anna', email: 'Anna@Example.com' },
}

async function subscribe(shop: Shop, more: object = {}) {
  const body = { ...wanted, ...more }
  const answer = await runtime.call('POST /payment-subscriptions', { key: shop.key, body })
  assert.equal(answer.status, 201, answer.text)
  const { id } = answer.body.subscription
  const show = async () =>
    (await runtime.look(`GET /payment-subscriptions/${id}`, shop.project_id)).body
  return {
    ...answer.body,
    id,
    show,
    until: (status: string, paid_times: number) =>
      eventually(async () => {
        const seen = await show()
        return seen.status === status && seen.paid_times === paid_times && seen
      }),
    orders: async () =>
      (await runtime.look(`GET /orders?subscription_id=${id}`, shop.project_id)).body.data,
  }
}

describe('a subscription', () => {
  it('charges each period by itself, once, until all are paid', async () => {
    const shop = await openShop(runtime)
    const { subscription, until, orders, ...made } = await subscribe(shop, { times: 3 })
    assert.deepEqual([subscription.status, subscription.next_payment_at], ['pending', null])
    await shop.choose(made, { outcome: 'paid' })
    const active = await until('active', 1)
    const week_ms = Date.parse(active.next_payment_at) - runtime.clock.now_ms()
    assert.equal(Math.round(week_ms / 60_000), 7 * 24 * 60)
    runtime.passes('7 days')
    await until('active', 2)
    runtime.passes('7 days')
    const done = await until('completed', 3)
    assert.equal(done.next_payment_at, null)
    runtime.passes('30 days')
    const all = await orders()
    assert.deepEqual(
      all.map(({ status, amount_eur }: any) => [status, amount_eur]),
      [
        ['paid', 18],
        ['paid', 18],
        ['paid', 18],
      ],
    )
  })

  it('is created once for 40 requests at once with one Idempotency-Key, and found by its customer', async () => {
    const shop = await openShop(runtime)
    const headers = { 'idempotency-key': 'subscription-1' }
    const call = () =>
      runtime.call('POST /payment-subscriptions', { key: shop.key, body: wanted, headers })
    const answers = await Promise.all(Array.from({ length: 40 }, call))
    assert.deepEqual(
      answers.filter(({ status }) => status !== 201 && status !== 409).map(({ text }) => text),
      [],
    )
    for (const [path, more] of [
      ['/amount_eur', { amount_eur: 1.005 }],
      ['/vat_percent', { vat_percent: 9.999 }],
      ['/description', { description: 'A \u202eloaf' }],
    ] as const) {
      const body = { ...wanted, ...more }
      const refused = await runtime.call('POST /payment-subscriptions', { key: shop.key, body })
      assert.equal(refused.body.errors[0].path, path)
    }
    const { body } = await call()
    const count = async (route: string) =>
      (await runtime.look(route, shop.project_id)).body.data.length
    assert.equal(await count('GET /orders'), 1)
    const route = 'GET /payment-subscriptions?customer_email'
    assert.equal(await count(`${route}=ANNA@example.com`), 1)
    assert.equal(await count(`${route}=ann@example.com`), 0)
    const running = async () =>
      (await runtime.look('GET /customers', shop.project_id)).body.data[0].running_subscriptions
    assert.equal(await running(), 0)
    const qr = await openPage(runtime, `${body.checkout_url}/qr.svg`)
    assert.match(qr.text, /^<svg/)
    await shop.choose(body, { outcome: 'paid' })
    await eventually(async () => (await running()) === 1)
  })

  it('skips periods that were missed', async () => {
    const shop = await openShop(runtime)
    const { until, orders, ...made } = await subscribe(shop)
    await shop.choose(made, { outcome: 'paid' })
    await until('active', 1)
    runtime.passes('22 days')
    const { next_payment_at } = await until('active', 2)
    const left_ms = Date.parse(next_payment_at) - runtime.clock.now_ms()
    assert.equal(Math.round(left_ms / 3_600_000), 6 * 24)
    assert.equal((await orders()).length, 2)
  })

  it('is past due after a failed charge, is tried three times again, and then ends', async () => {
    const shop = await openShop(runtime)
    const { until, orders, ...made } = await subscribe(shop)
    await shop.choose(made, { outcome: 'paid' })
    await until('active', 1)
    // The built-in provider charges nothing without a first payment.
    await failCharges((await orders())[0].id)
    runtime.passes('7 days')
    const failsAgain = (attempts: number) =>
      eventually(async () => {
        const failed = (await orders()).filter(({ status }: any) => status === 'failed')
        return failed.length === attempts
      })
    await failsAgain(1)
    await until('past_due', 1)
    for (const [index, time] of ['1 day', '3 days'].entries()) {
      runtime.passes(time)
      await failsAgain(index + 2)
    }
    await until('past_due', 1)
    runtime.passes('5 days')
    await until('canceled', 1)
    assert.equal((await orders()).length, 5)
  })

  it('is canceled by the customer on the page of the mail, and charges nothing more', async () => {
    const shop = await openShop(runtime)
    const { subscription, until, orders, ...made } = await subscribe(shop)
    await shop.choose(made, { outcome: 'paid' })
    await until('active', 1)
    const page = await openPage(runtime, subscription.manage_url)
    assert.match(page.text, /A loaf every week[^]*per week[^]*The next payment is on/)
    const path = new URL(subscription.manage_url).pathname
    await fetch(runtime.url + path, { method: 'POST', redirect: 'manual' })
    assert.match((await openPage(runtime, subscription.manage_url)).text, /has ended/)
    await until('canceled', 1)
    runtime.passes('30 days')
    assert.equal((await orders()).length, 1)
    assert.equal((await openPage(runtime, `${path.slice(0, -2)}AA`)).status, 404)
  })

  it('ends if the first payment never arrives, or when the business cancels it', async () => {
    const shop = await openShop(runtime)
    const unpaid = await subscribe(shop)
    const canceled = await subscribe(shop)
    const route = `POST /payment-subscriptions/${canceled.id}/cancel`
    assert.equal((await runtime.call(route, { key: shop.key })).body.status, 'canceled')
    assert.equal((await runtime.call(route, { key: shop.key })).body.status, 'canceled')
    await eventually(async () => (await canceled.orders())[0].status === 'expired')
    runtime.passes('25 hours')
    await unpaid.until('canceled', 0)
    const other = await openShop(runtime)
    assert.equal(slugOfProblem(await runtime.call(route, { key: other.key })), 'not_found')
  })

  it('charges on the last day of a month that lacks the day of the first, in local time', () => {
    const began_at = new Date('2027-01-30T23:30:00Z')
    const month = { every: 'month', timezone: 'Europe/Amsterdam' } as const
    const dates = [1, 2, 13].map((periods) => periodAfter(began_at, { ...month, periods }))
    assert.deepEqual(
      dates.map((date) => date.toISOString().slice(0, 16)),
      ['2027-02-27T23:30', '2027-03-30T22:30', '2028-02-28T23:30'],
    )
  })
})

async function failCharges(id: string): Promise<void> {
  await runtime.runtime.db.transact((tx) =>
    tx.updateTable('builtin_payments').set({ state: 'failed' }).where('id', '=', id).execute(),
  )
}

const mug = { name: 'Mug', quantity: 1, unit_price_eur: 12.1, vat_percent: 21 }
const loaves = { name: 'Loaf', quantity: 2, unit_price_eur: 4.5, vat_percent: 9 }

async function openPdf(url: string, language = 'en') {
  const headers = { 'accept-language': language }
  const answer = await fetch(runtime.url + new URL(url).pathname, { headers })
  assert.equal(answer.headers.get('content-type'), 'application/pdf')
  return getDocumentProxy(new Uint8Array(await answer.arrayBuffer()))
}

async function readPdf(url: string, language?: string): Promise<string> {
  return (await extractText(await openPdf(url, language), { mergePages: true })).text
}

describe('an invoice', () => {
  const invoicesOf = async ({ project_id }: Shop) =>
    (await runtime.look('GET /invoices', project_id)).body.data

  it('is issued once when an order is paid, with VAT by rate, and as PDF', async () => {
    const shop = await openShop(runtime)
    const customer = { name: 'Łukasz', company_name: 'De Vries BV', address: 'Kade 1\nDelft' }
    const made = await shop.order({ items: [loaves, mug], customer })
    assert.deepEqual(await invoicesOf(shop), [])
    await shop.choose(made, { outcome: 'paid' })
    await shop.until(made.id, 'paid')
    const [invoice, ...others] = await invoicesOf(shop)
    assert.deepEqual([others, invoice.number, invoice.kind], [[], 1, 'invoice'])
    assert.deepEqual(invoice.vat, [
      { vat_percent: 21, amount_eur: 12.1, vat_eur: 2.1 },
      { vat_percent: 9, amount_eur: 9, vat_eur: 0.74 },
    ])
    const text = await readPdf(invoice.pdf_url)
    for (const part of ['Invoice 1', 'De Vries BV', 'Delft', '2 × Loaf', '€21.10', '€2.10']) {
      assert(text.includes(part), `${part} in ${text}`)
    }
  })

  it('names the VAT number of the company in the language of the reader', async () => {
    const shop = await openShop(runtime)
    const { id, ...made } = await shop.order({ items: [mug] })
    await shop.choose(made, { outcome: 'paid' })
    await shop.until(id, 'paid')
    const seller = JSON.stringify({ name: 'Mill', lines: ['KVK 12345678', 'VAT NL123456782B90'] })
    await runtime.runtime.db.transact((tx) =>
      tx.updateTable('order_invoices').set({ seller }).where('order_id', '=', id).execute(),
    )
    const [{ pdf_url }] = await invoicesOf(shop)
    assert.match(await readPdf(pdf_url, 'nl'), /Btw-nummer NL123456782B90/)
    assert.match(await readPdf(pdf_url), /VAT number NL123456782B90/)
  })

  it('continues long names on the next line', async () => {
    const shop = await openShop(runtime)
    const items = [{ ...loaves, name: 'Brown bread '.repeat(16) }]
    const made = await shop.order({ items, customer: { name: 'W'.repeat(150) } })
    await shop.choose(made, { outcome: 'paid' })
    await shop.until(made.id, 'paid')
    const page = await (await openPdf((await invoicesOf(shop))[0].pdf_url)).getPage(1)
    const { items: parts } = await page.getTextContent()
    const ends = parts.map((part) => ('width' in part ? part.transform[4] + part.width : 0))
    assert(Math.max(...ends) <= 540, String(ends))
  })

  it('is followed by credit notes that add up to it, with numbers without gaps', async () => {
    const shop = await openShop(runtime)
    const made = await shop.order({ items: [loaves, mug] })
    await shop.choose(made, { outcome: 'paid' })
    await shop.until(made.id, 'paid')
    for (const amount_eur of [3.33, 10.01]) {
      await shop.refund(made.id, { amount_eur })
      await eventually(async () => (await invoicesOf(shop))[0].amount_eur === -amount_eur)
    }
    await shop.refund(made.id)
    await shop.until(made.id, 'refunded')
    const all = await invoicesOf(shop)
    assert.deepEqual(
      all.map(({ number, kind }: any) => [number, kind]),
      [
        [4, 'credit_note'],
        [3, 'credit_note'],
        [2, 'credit_note'],
        [1, 'invoice'],
      ],
    )
    for (const field of ['amount_eur', 'vat_eur']) {
      const sum = all.reduce((total: number, one: any) => total + one[field], 0)
      assert(Math.abs(sum) < 0.001, `${field} ${sum}`)
    }
    assert.match(await readPdf(all[0].pdf_url), /Credit note 4[^]*Corrects invoice 1/)
  })

  it('says that the VAT is reverse charged, which needs the number of the customer', async () => {
    const shop = await openShop(runtime)
    const items = [{ ...mug, vat_percent: 0 }]
    const call = (body: object) =>
      runtime.call('POST /orders', { key: shop.key, body: { reverse_charge: true, ...body } })
    assert.equal(slugOfProblem(await call({ items })), 'validation_failed')
    const customer = { vat_number: 'DE123456789' }
    assert.equal((await call({ items: [mug], customer })).status, 422)
    const { order } = (await call({ items, customer })).body
    await shop.choose(order, { outcome: 'paid' })
    await shop.until(order.id, 'paid')
    const [invoice] = await invoicesOf(shop)
    const text = await readPdf(invoice.pdf_url)
    assert(text.includes('reverse charged') && text.includes('DE123456789'), text)
  })

  it('credits each rate in proportion, and never more than it had', () => {
    const items = [
      { ...loaves, unit_price_cents: 450, amount_cents: 900, vat_cents: 74 },
      { ...mug, unit_price_cents: 1210, amount_cents: 1210, vat_cents: 210 },
    ]
    const sums = new Map<number, number>()
    for (let cents = 0; cents < 2110; cents += 1) {
      const credit = creditOf(items, { before: cents, after: cents + 1 })
      assert.equal(
        credit.reduce((sum, { amount_cents }) => sum + amount_cents, 0),
        -1,
      )
      for (const { vat_percent, vat_cents } of credit)
        sums.set(vat_percent, (sums.get(vat_percent) ?? 0) - vat_cents)
    }
    for (const { vat_percent, vat_cents } of groupByRate(items))
      assert.equal(sums.get(vat_percent), vat_cents)
  })
})

describe('the mail of an invoice', () => {
  it('is sent to the customer who paid, with the page to cancel the subscription', async () => {
    const shop = await openShop(runtime)
    const made = (route: string, body?: unknown) => callMade(shop, route, body)
    await prepareEmail({ runtime, project_id: shop.project_id, made })
    const { until, subscription, ...rest } = await subscribe(shop, {
      customer: { email: 'new-customer@example.com' },
    })
    await shop.choose(rest, { outcome: 'paid' })
    await until('active', 1)
    const email: any = await eventually(async () => {
      const { data } = (await runtime.look('GET /emails', shop.project_id)).body
      return data.find(({ subject }: any) => subject.startsWith('Invoice 1'))
    })
    const whole = (await runtime.look(`GET /emails/${email.id}`, shop.project_id)).body
    assert(whole.text.includes(subscription.manage_url), whole.text)
    assert.equal(whole.attachments[0].filename, 'invoice-1.pdf')
    assert.equal(whole.recipients[0].address, 'new-customer@example.com')
  })

  it('is Dutch for each period if the customer opened the page to pay in Dutch', async () => {
    const shop = await openShop(runtime)
    const made = (route: string, body?: unknown) => callMade(shop, route, body)
    await prepareEmail({ runtime, project_id: shop.project_id, made })
    const customer = { email: 'klant@example.com' }
    const { until, ...rest } = await subscribe(shop, { customer })
    const { pathname } = new URL(rest.checkout_url)
    for (const language of ['en', 'nl-NL,nl;q=0.9', '*'])
      await fetch(runtime.url + pathname, { headers: { 'accept-language': language } })
    await shop.choose(rest, { outcome: 'paid' })
    await until('active', 1)
    runtime.passes('7 days')
    await until('active', 2)
    for (const subject of ['Factuur 1 van', 'Factuur 2 van']) {
      await eventually(async () => {
        const { data } = (await runtime.look('GET /emails', shop.project_id)).body
        return data.some((email: any) => email.subject.startsWith(subject))
      })
    }
  })
})

async function callMade({ key }: Shop, route: string, body?: unknown) {
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const answer = await runtime.call(route, { key, headers, ...(body ? { body } : {}) })
  assert(answer.status < 300, answer.text)
  return answer.body
}
