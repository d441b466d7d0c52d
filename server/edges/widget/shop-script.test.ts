/** Tests of the shop script on a website of another origin, under a strict content security policy and in Dutch. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, describe, test } from 'node:test'
import { openBrowser } from '../../../test/fixtures/portal/browser.ts'
import { openStorefront } from '../../../test/fixtures/payments/storefront.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { listen } from '../../../test/fixtures/loopback.ts'

const runtime = await openTestRuntime({ work: false })
const server = runtime.runtime.config.public_url
const browser = await openBrowser()
after(() => browser.close())

/** The website: a page with a form for each product of `ids`. */
const website = createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? '/', 'http://site')
  const forms = (searchParams.get('ids') ?? '').split(',').map(
    (id) => `<form method="post" action="${server}/api/v1/public/orders">
      <input type="hidden" name="token" value="${searchParams.get('token')}">
      <input type="hidden" name="product_id" value="${id}">
      <span data-price></span><button>Bestel</button></form>`,
  )
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.setHeader(
    'content-security-policy',
    `default-src 'none'; img-src data:; script-src ${server}; connect-src ${server}; form-action ${server}; require-trusted-types-for 'script'`,
  )
  response.end(`<!doctype html><html lang="nl"><head><title>Winkel</title>
    <meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
    <script src="${server}/shop.js" defer></script></head><body>${forms.join('')}</body></html>`)
})
const origin = `http://127.0.0.1:${await listen({ after }, website)}`

async function visit(ids: string[], token: string) {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const faults: string[] = []
  page.on('pageerror', ({ message }) => faults.push(message))
  page.on('console', (line) => line.type() === 'error' && faults.push(line.text()))
  await page.goto(`${origin}/?${new URLSearchParams({ ids: ids.join(), token })}`)
  return { page, faults }
}

describe('the shop script', () => {
  test('has at most 8 kB compressed', async () => {
    const packed = await fetch(`${server}/shop.js`, { headers: { 'accept-encoding': 'gzip' } })
    assert.equal(packed.headers.get('content-encoding'), 'gzip')
    const length = Number(packed.headers.get('content-length'))
    assert(length > 0 && length <= 8000, String(length))
    await packed.text()
  })

  test('shows prices, the total of the cart and thanks, in Dutch, under a strict policy', async () => {
    const store = await openStorefront(runtime, { origin })
    const [loaf, mug] = [
      await store.product(),
      await store.product({ name: '<b>Mok</b>', stock: 2 }),
    ]
    const { page, faults } = await visit([loaf, mug], store.site.token)
    await page.getByText('€ 4,50').first().waitFor()
    await page.getByRole('button', { name: 'Bestel' }).first().click()
    await page.getByText('Sourdough loaf ligt in uw winkelmand.').waitFor()
    await page.getByLabel('Aantal van Sourdough loaf').fill('3')
    await page.getByLabel('Aantal van Sourdough loaf').press('Enter')
    await page.getByText('€ 13,50').first().waitFor()
    await page.getByRole('button', { name: 'Sluiten' }).click()
    for (let turn = 0; turn < 3; turn += 1) {
      await page.getByRole('button', { name: 'Bestel' }).last().click()
      await page.getByRole('button', { name: 'Sluiten' }).click()
    }
    // Only two are left, and markup in a name is text.
    await page.getByRole('button', { name: 'Winkelmand (5)' }).click()
    await page.getByText('<b>Mok</b>', { exact: true }).waitFor()
    await page.getByRole('button', { name: '<b>Mok</b> verwijderen' }).click()
    await page.getByLabel('E-mailadres').fill('anna@example.com')
    await page.getByRole('button', { name: 'Naar betalen' }).click()
    await page.waitForURL('**/pay/**')
    const { body } = await runtime.call('GET /orders', { key: store.key })
    assert.deepEqual(
      body.data.map(({ items, amount_eur }: any) => [items[0].quantity, amount_eur]),
      [[3, 13.5]],
    )
    await page.goto(
      `${origin}/?${new URLSearchParams({ ids: loaf, token: store.site.token, hp_order: 'placed' })}`,
    )
    await page.getByRole('heading', { name: 'Bedankt voor uw bestelling' }).waitFor()
    assert.doesNotMatch(page.url(), /hp_order/)
    assert.deepEqual(faults, [])
    await page.context().close()
  })

  test('lets the browser submit the forms if prices cannot be loaded', async () => {
    const store = await openStorefront(runtime, { origin })
    const loaf = await store.product()
    const { page } = await visit([loaf], store.site.token)
    await page.route('**/public/products*', (route) => route.abort())
    await page.reload()
    await page.getByRole('button', { name: 'Bestel' }).click()
    await page.getByText('1 × Sourdough loaf').waitFor()
    await page.context().close()
  })

  test('shows the prices of a page with more products than one request returns', async () => {
    const store = await openStorefront(runtime, { origin })
    const ids: string[] = []
    for (let number = 0; number < 55; number += 1) ids.push(await store.product())
    const { page, faults } = await visit(ids, store.site.token)
    await page.getByText('€ 4,50').nth(54).waitFor()
    await page.getByRole('button', { name: 'Bestel' }).last().click()
    await page.getByText('Sourdough loaf ligt in uw winkelmand.').waitFor()
    assert.deepEqual(faults, [])
    await page.context().close()
  })

  test('tells the customer of a refused order what to do', async () => {
    const store = await openStorefront(runtime, { origin })
    const loaf = await store.product()
    const { page } = await visit([loaf], store.site.token)
    await page.getByRole('button', { name: 'Bestel' }).click()
    await page.getByLabel('E-mailadres').fill('anna@example.com')
    const fault = (path: string) => ({ errors: [{ path, message: 'is not valid' }] })
    for (const [status, json, text] of [
      [429, {}, 'Te veel bestellingen in korte tijd.'],
      [422, fault('/customer/email'), 'Controleer het e-mailadres.'],
      [422, fault('/items'), 'De bestelling is niet gelukt.'],
      [403, {}, 'De bestelling is niet gelukt.'],
    ] as const) {
      await page.route('**/public/orders', (route) => route.fulfill({ status, json }))
      await page.getByRole('button', { name: 'Naar betalen' }).click()
      await page.getByRole('alert').getByText(text).waitFor()
      await page.unroute('**/public/orders')
    }
    await page.context().close()
  })
})
