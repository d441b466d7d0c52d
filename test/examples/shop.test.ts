/** Deploys the example shop with its script, and buys from it in a browser as wide as a phone. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { eventually } from '../fixtures/eventually.ts'
import { openBrowser } from '../fixtures/portal/browser.ts'
import { openTestRuntime } from '../fixtures/runtime.ts'
import { newSiteOwner, newSlug, type SiteOwner } from '../fixtures/sites/site-owner.ts'

const runtime = await openTestRuntime()
const browser = await openBrowser()
const program = join(import.meta.dirname, '../../examples/shop/deploy.mjs')
const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

let owner: SiteOwner
let key: string
let slug: string
let url: string

async function deploy(): Promise<string> {
  const env = { ...process.env, HOMEPORT_URL: runtime.runtime.config.public_url, HOMEPORT_KEY: key }
  const { stdout } = await promisify(execFile)(process.execPath, [program, slug], { env })
  return stdout.trim()
}

before(async () => {
  owner = await newSiteOwner(runtime)
  key = await runtime.newKey({ project_id: owner.project_id })
  slug = newSlug()
  url = await deploy()
})
after(() => browser.close())

const stockOf = async (name: string) => {
  const { body } = await owner.call('GET /products')
  const { stock, reserved } = body.data.find((one: any) => one.name === name)
  return [stock, reserved]
}

const lastOrder = async () => (await owner.call('GET /orders')).body.data[0]

interface Visitor {
  page: Page
  faults: string[]
}

async function visit(options: BrowserContextOptions = {}): Promise<Visitor> {
  const context = await browser.newContext({ ...phone, locale: 'en-GB', ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const faults: string[] = []
  page.on('pageerror', ({ message }) => faults.push(message))
  page.on('console', (line) => line.type() === 'error' && faults.push(line.text()))
  // Until the script knows the prices, a form is sent without it.
  await page.goto(url, { waitUntil: 'networkidle' })
  return { page, faults }
}

const buy = (page: Page, name: string) =>
  page.locator('article', { hasText: name }).getByRole('button', { name: 'Buy' }).click()

describe('the example shop', () => {
  it('sells products from a cart, and shows the page with thanks', async () => {
    const { page, faults } = await visit()
    await page.locator('article', { hasText: 'Sourdough' }).getByLabel('Quantity').fill('2')
    await buy(page, 'Sourdough loaf')
    await page.getByText('Sourdough loaf is in your cart.').waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await buy(page, 'Mug')
    await page.getByText('€21.10').waitFor()
    const width = await page.evaluate('document.documentElement.scrollWidth')
    assert.equal(width, 390)
    await page.getByRole('button', { name: 'Continue to payment' }).click()
    await page.getByText('Check the email address.').waitFor()
    await page.getByLabel('Email address').fill('anna@example.com')
    await page.getByRole('button', { name: 'Continue to payment' }).click()
    await page.getByText('2 × Sourdough loaf').waitFor()
    assert.deepEqual(await stockOf('Sourdough loaf'), [20, 2])
    await page.getByRole('button', { name: 'Pay', exact: true }).click()
    await page.getByRole('heading', { name: 'Thank you' }).waitFor()
    assert.equal(page.url(), `${url}/thanks.html`)
    await page.getByRole('link', { name: 'Back to the shop' }).click()
    await page.getByText('€4.50').waitFor()
    assert.equal(await page.getByRole('button', { name: /^Cart/ }).count(), 0)
    const order = await eventually(async () => {
      const found = await lastOrder()
      return found.status === 'paid' && found
    })
    assert.deepEqual([order.amount_eur, order.customer.email], [21.1, 'anna@example.com'])
    assert.deepEqual(await stockOf('Sourdough loaf'), [18, 0])
    assert.deepEqual(faults, [])
    await page.context().close()
  })

  it('keeps the cart of a customer who comes back without having paid', async () => {
    const { page } = await visit()
    await buy(page, 'Apron')
    await page.getByLabel('Email address').fill('anna@example.com')
    await page.getByRole('button', { name: 'Continue to payment' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('We have not received the payment.').waitFor()
    await page.getByRole('button', { name: 'Cart (1)' }).waitFor()
    assert.equal((await lastOrder()).status, 'canceled')
    await page.context().close()
  })

  it('sells one product at once without JavaScript', async () => {
    const { page } = await visit({ javaScriptEnabled: false })
    await page.locator('article', { hasText: 'Mug' }).getByLabel('Quantity').fill('2')
    await buy(page, 'Mug')
    await page.getByText('2 × Mug').waitFor()
    await page.getByRole('button', { name: 'Pay', exact: true }).click()
    await page.getByRole('heading', { name: 'Thank you' }).waitFor()
    assert.equal(page.url(), `${url}/thanks.html`)
    await page.context().close()
  })

  it('shows that a product in the cart has sold out', async () => {
    const { page } = await visit()
    await buy(page, 'Mug')
    const { body } = await owner.call('GET /products')
    const mug = body.data.find((one: any) => one.name === 'Mug')
    const path = `/collections/products/documents/${mug.id}`
    const changed = await owner.call(`PATCH ${path}`, { stock: 0 })
    assert.equal(changed.status, 200, changed.text)
    await page.getByLabel('Email address').fill('anna@example.com')
    await page.getByRole('button', { name: 'Continue to payment' }).click()
    await page.getByText('Not everything is available any more.').waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Sold out' }).waitFor()
    await page.context().close()
  })

  it('creates no product twice when it is published again', async () => {
    assert.equal(await deploy(), url)
    assert.equal((await owner.call('GET /products')).body.data.length, 3)
  })
})
