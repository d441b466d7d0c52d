/** The page of payments in a real browser: a first order, its page, a refund, the account and every width. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eventually } from '../../../../test/fixtures/eventually.ts'
import { loaf } from '../../../../test/fixtures/payments/shop.ts'
import { longTest } from '../../../../test/fixtures/depth.ts'
import { assertFit } from '../../../../test/fixtures/portal/fit.ts'
import {
  openPortalBrowser,
  saveScreenshot,
  widthsOfStates,
} from '../../../../test/fixtures/portal/portal-browser.ts'

const owner = 'lea@bakery.example'
const { fixture, newProject, open, visit } = await openPortalBrowser(owner)
const timeout = 60_000

async function newBusy(): Promise<string> {
  const project_id = await newProject('Bakery Lea')
  const key = await fixture.newKey({ project_id })
  const outcomes = ['paid', 'failed', 'expired', 'canceled', 'pending', 'charged_back', 'open']
  for (const [at, outcome] of outcomes.entries()) {
    const customer = { name: `Customer ${at}`, email: `customer-${at}@a-long-domain.example` }
    const body = { items: [loaf, { ...loaf, name: `Rye bread of the old mill ${at}` }], customer }
    const { order } = (await fixture.call('POST /orders', { key, body })).body
    const play = (one: string) =>
      fixture.call(`POST /test/orders/${order.id}`, { key, body: { outcome: one } })
    if (outcome === 'charged_back') await play('paid')
    if (outcome !== 'open') assert.equal((await play(outcome)).status, 200)
  }
  const description = 'Workshop on sourdough and the rye bread of the old mill, 12 December'
  await fixture.call('POST /payment-links', { key, body: { description, amount_eur: 45 } })
  return `/projects/${project_id}/payments?mode=test`
}

const path = await newBusy()

describe('the page of payments', () => {
  test('creates a first order, whose page is paid, and refunds a part of it', async (t) => {
    const project_id = await newProject('Bakery of Kim')
    const { page, faults } = await open(t, 1440)
    await visit(page, `/projects/${project_id}/payments?mode=test`)
    await page.getByText('No order yet').waitFor({ timeout })
    await saveScreenshot(page, 'payments-empty')
    await page.getByRole('button', { name: 'New order' }).first().click()
    await page.getByRole('textbox', { name: 'What the customer buys' }).fill('Wedding cake')
    await page.getByRole('textbox', { name: 'Price with VAT' }).fill('12,50')
    await page.getByRole('button', { name: 'Create order' }).click()
    const drawer = page.getByRole('dialog')
    const url = await drawer
      .getByRole('link', { name: 'Open the page to pay' })
      .getAttribute('href', { timeout })
    assert(url)
    const customer = await page.context().newPage()
    t.after(() => customer.close())
    await customer.goto(fixture.url + new URL(url).pathname)
    await saveScreenshot(customer, 'payments-checkout')
    await customer.getByRole('button', { name: 'Pay', exact: true }).click()
    await customer.getByRole('heading', { name: 'Thank you, it is paid' }).waitFor({ timeout })
    await customer.close()
    await drawer.getByRole('button', { name: 'Refund' }).click({ timeout })
    await drawer.getByRole('textbox', { name: 'Amount' }).fill('2.50')
    await drawer.getByRole('textbox', { name: 'Reason' }).fill('Too sweet')
    await drawer.getByRole('button', { name: /^Refund .*2\.50$/ }).click()
    await drawer.getByText('Partly refunded').waitFor({ timeout })
    await drawer.getByText('Too sweet').waitFor({ timeout })
    for (const name of ['Invoice 1', 'Credit note 2'])
      await drawer.getByRole('link', { name }).waitFor({ timeout })
    await saveScreenshot(page, 'payments-drawer')
    await assertFit(page, 1440)
    assert.deepEqual(faults, [])
  })

  test('connects, checks and disconnects the account of real payments', async (t) => {
    const project_id = await newProject('Bakery of Max')
    const { page, faults } = await open(t, 1440)
    await visit(page, `/projects/${project_id}/payments?mode=live`)
    await page.getByRole('button', { name: 'Connect an account' }).click({ timeout })
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Connect an account' }).click()
    await dialog.getByText('Paste the secret key.').waitFor({ timeout })
    const typed = Promise.withResolvers<void>()
    await page.route('**/payments/account*', async (route) => {
      if (route.request().method() !== 'PUT') return route.continue()
      await typed.promise
      await route.fulfill({ status: 422, json: { user_message: 'The older key is refused.' } })
    })
    await dialog.getByLabel('Secret key').fill('older_key_0000')
    await dialog.getByRole('button', { name: 'Connect an account' }).click()
    await dialog.getByLabel('Secret key').fill('newer_key_0000')
    typed.resolve()
    await page.getByText('The older key is refused.').first().waitFor({ timeout })
    const form = page.locator('form').filter({ has: page.getByLabel('Secret key') })
    assert.equal(await form.getByText('The older key is refused.').count(), 0)
    await page.unroute('**/payments/account*')
    await dialog.getByLabel('Secret key').fill('wrong_key_0000')
    await dialog.getByRole('button', { name: 'Connect an account' }).click()
    const refused = dialog.getByText('The provider does not accept this key.')
    await refused.waitFor({ timeout })
    await dialog.getByRole('radio', { name: /^Stripe/ }).check()
    await refused.waitFor({ state: 'detached', timeout })
    await dialog.getByRole('radio', { name: /^Mollie/ }).check()
    await dialog.getByLabel('Secret key').fill('live_unverified_Lea0123')
    await saveScreenshot(page, 'payments-connect')
    await dialog.getByRole('button', { name: 'Connect an account' }).click()
    await page.getByText('The provider still wants: profile verification.').waitFor({ timeout })
    await page.getByText('iDEAL, card', { exact: true }).waitFor({ timeout })
    await page.getByRole('button', { name: 'Check again' }).click()
    await saveScreenshot(page, 'payments-account')
    await page.getByRole('button', { name: 'Disconnect' }).click({ timeout })
    await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect' }).click()
    await page.getByRole('button', { name: 'Connect an account' }).waitFor({ timeout })
    // The refused key.
    assert.deepEqual(
      faults.filter((one) => !one.includes('422')),
      [],
    )
  })

  test('creates a payment link with its QR code, which a customer pays, and turns it off', async (t) => {
    const project_id = await newProject('Bakery of Tim')
    const { page, faults } = await open(t, 1440)
    await visit(page, `/projects/${project_id}/payments?mode=test`)
    await page.getByRole('tab', { name: 'Payment links' }).click({ timeout })
    await page.getByText('No payment link yet').waitFor({ timeout })
    await page.getByRole('button', { name: 'New payment link' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Create payment link' }).click()
    await dialog.getByText('Fill in this field.').waitFor({ timeout })
    await dialog.getByLabel(/^Works until/).fill('12026-01-01')
    await dialog.getByText('Choose today or a later day.').waitFor({ timeout })
    await dialog.getByLabel(/^Works until/).fill('')
    await dialog.getByRole('textbox', { name: 'What the customer pays for' }).fill('Workshop')
    await dialog.getByRole('radio', { name: /The customer chooses/ }).check()
    await dialog.getByRole('radio', { name: /Many payments/ }).check()
    await saveScreenshot(page, 'payments-new-link')
    await dialog.getByRole('button', { name: 'Create payment link' }).click()
    const qr = dialog.getByRole('img', { name: 'QR code of this payment link' })
    await qr.waitFor({ timeout })
    await eventually(() => qr.evaluate((image) => Reflect.get(image, 'naturalWidth') > 0))
    await saveScreenshot(page, 'payments-link')
    const url = await dialog.getByRole('link', { name: 'Open the page' }).getAttribute('href')
    assert(url)
    const customer = await page.context().newPage()
    t.after(() => customer.close())
    await customer.goto(fixture.url + new URL(url).pathname)
    await customer.getByRole('button', { name: 'Continue to payment' }).click()
    await customer.getByText('Enter an amount of').waitFor({ timeout })
    await customer.getByRole('textbox', { name: 'Amount in euro' }).fill('12,50')
    await saveScreenshot(customer, 'payments-link-page')
    await customer.getByRole('button', { name: 'Continue to payment' }).click()
    await customer.getByRole('button', { name: 'Pay', exact: true }).click({ timeout })
    await customer.getByRole('heading', { name: 'Thank you, it is paid' }).waitFor({ timeout })
    await customer.close()
    await dialog.getByRole('button', { name: 'Turn off' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Turn off' }).click()
    await dialog.getByText('€12.50 in one payment').waitFor({ timeout })
    await dialog.getByRole('button', { name: 'Turn on' }).waitFor({ timeout })
    assert.deepEqual(faults, [])
  })

  test('creates a subscription, whose first payment makes a customer', async (t) => {
    const project_id = await newProject('Bakery of Eva')
    const { page, faults } = await open(t, 1440)
    await visit(page, `/projects/${project_id}/payments?mode=test`)
    await page.getByRole('tab', { name: 'Customers' }).click({ timeout })
    await page.getByText('No customer yet').waitFor({ timeout })
    await page.reload()
    await page.getByText('No customer yet').waitFor({ timeout })
    await page.getByRole('tab', { name: 'Subscriptions' }).click()
    await page.getByText('No subscription yet').waitFor({ timeout })
    await page.goBack()
    await page.getByText('No customer yet').waitFor({ timeout })
    await page.getByRole('tab', { name: 'Subscriptions' }).click()
    await page.getByText('No subscription yet').waitFor({ timeout })
    await page.getByRole('button', { name: 'New subscription' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'What the customer pays for' }).fill('Weekly box')
    await dialog.getByRole('textbox', { name: 'Price of each period with VAT' }).fill('60000')
    await dialog.getByRole('textbox', { name: 'Number of payments' }).fill('1.5')
    await page.keyboard.press('Enter')
    await dialog.getByText('Write a whole number from 1 to 1000.').waitFor({ timeout })
    await dialog.getByText('Write an email address such as').waitFor()
    await dialog.getByRole('textbox', { name: 'Number of payments' }).fill('12')
    await dialog.getByRole('textbox', { name: 'Email address of the customer' }).fill('Eva@X')
    await page.keyboard.press('Enter')
    // The server knows the largest amount, and which addresses are none.
    const price = dialog.getByRole('textbox', { name: 'Price of each period with VAT' })
    await eventually(async () => (await price.getAttribute('aria-invalid')) === 'true')
    await price.fill('18')
    const email = dialog.getByRole('textbox', { name: 'Email address of the customer' })
    await email.fill('Eva@Mill.example')
    await saveScreenshot(page, 'payments-new-subscription')
    await page.keyboard.press('Enter')
    const qr = dialog.getByRole('img', { name: 'QR code of the first payment' })
    await qr.waitFor({ timeout })
    await eventually(() => qr.evaluate((image) => Reflect.get(image, 'naturalWidth') > 0))
    await saveScreenshot(page, 'payments-subscription')
    const url = await dialog.getByRole('link', { name: 'Open the page' }).getAttribute('href')
    assert(url)
    await fetch(fixture.url + new URL(url).pathname, {
      method: 'POST',
      body: new URLSearchParams({ outcome: 'paid' }),
      redirect: 'manual',
    })
    await dialog.getByText('1 of 12 periods').waitFor({ timeout })
    await dialog.getByRole('button', { name: 'Show the customer' }).click()
    await dialog.getByText('1, of which 1 paid').waitFor({ timeout })
    await saveScreenshot(page, 'payments-customer')
    await dialog.getByRole('button', { name: 'Order 1' }).click()
    await dialog.getByRole('button', { name: 'Refund' }).waitFor({ timeout })
    await page.keyboard.press('Escape')
    await page.getByRole('tab', { name: 'Customers' }).click()
    await page.getByRole('searchbox', { name: 'Search by email address' }).fill('nobody')
    await page.getByText('No customer has such an address').waitFor({ timeout })
    await page.getByRole('searchbox', { name: 'Search by email address' }).fill('MILL')
    await page.getByRole('button', { name: 'eva@mill.example' }).waitFor({ timeout })
    await assertFit(page, 1440)
    // The refused amount.
    assert.deepEqual(
      faults.filter((one) => !one.includes('422')),
      [],
    )
  })

  for (const width of widthsOfStates) {
    longTest(`fits a width of ${width} in both languages`, async (t) => {
      const { page, faults } = await open(t, width)
      for (const language of ['en', 'nl'] as const) {
        await page.evaluate(`localStorage.setItem('homeport.language', '${language}')`)
        await visit(page, path)
        const name = language === 'en' ? 'Order 1' : 'Bestelling 1'
        await page.getByRole('button', { name, exact: true }).waitFor({ timeout })
        await assertFit(page, width)
        await saveScreenshot(page, `payments-${language}-${width}`)
        await page.getByRole('button', { name, exact: true }).click()
        await page.getByRole('dialog').getByRole('list').last().waitFor({ timeout })
        await assertFit(page, width)
        await saveScreenshot(page, `payments-order-${language}-${width}`)
      }
      assert.deepEqual(faults, [])
    })
  }
})
