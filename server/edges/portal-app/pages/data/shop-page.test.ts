/** Tests of selling the documents of a collection in the portal, in a real browser. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { bread, openStorefront } from '../../../../../test/fixtures/payments/storefront.ts'
import { longTest } from '../../../../../test/fixtures/depth.ts'
import { assertFit } from '../../../../../test/fixtures/portal/fit.ts'
import {
  openPortalBrowser,
  saveScreenshot,
  widthsOfStates,
} from '../../../../../test/fixtures/portal/portal-browser.ts'

const { fixture, newProject, open, visit } = await openPortalBrowser('ivo@bakery.example')
const timeout = 60_000

async function newShop() {
  const project_id = await newProject('Bakery Ivo')
  const store = await openStorefront(fixture, { project_id })
  const loaf = await store.product()
  await store.product({ name: 'Mug with the old mill on both sides', price_eur: '12,10', stock: 0 })
  await store.product({ name: 'Apron', stock: 0 })
  await store.buy([{ product_id: loaf, quantity: 3 }])
  return { store, loaf, project_id, path: `/projects/${project_id}/data/products?mode=test` }
}

const shop = await newShop()

describe('the shop of a collection', () => {
  test('starts and stops selling, each with one button', async (t) => {
    const project_id = await newProject('Bakery Noa')
    const key = await fixture.newKey({ project_id })
    const call = (route: string, body: object) => fixture.call(route, { key, body })
    await call('POST /collections', { name: 'bread', title: 'Bread' })
    await call('POST /collections/bread/documents', bread)
    const { page, faults } = await open(t, 1440)
    await visit(page, `/projects/${project_id}/data/bread?mode=test`)
    await page.getByRole('tab', { name: 'Shop' }).click({ timeout })
    await saveScreenshot(page, 'shop-start')
    await page.getByRole('button', { name: 'Sell these documents' }).click()
    await page.getByText('10 in stock').waitFor({ timeout })
    assert.equal(await page.getByRole('tab', { name: 'Form' }).count(), 0)
    await page.getByRole('button', { name: 'Stop selling' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Stop selling' }).click()
    await page.getByRole('button', { name: 'Sell these documents' }).waitFor({ timeout })
    assert.deepEqual(faults, [])
  })

  test('shows the stock as orders change it, why a product cannot be sold, and the HTML', async (t) => {
    const { store, loaf, path } = shop
    const { page, faults } = await open(t, 1440)
    await visit(page, path)
    await page.getByRole('tab', { name: 'Shop' }).click({ timeout })
    const list = page.getByRole('list', { name: 'Products' })
    await list.getByText('10 in stock · 3 in unpaid orders').waitFor({ timeout })
    await list.getByText('must be a number such as 4.5, without quotes').waitFor()
    await list.getByText('Sold out').waitFor()
    await store.buy([{ product_id: loaf, quantity: 1 }])
    await list.getByText('10 in stock · 4 in unpaid orders').waitFor({ timeout })
    await page.getByRole('combobox', { name: 'Product' }).waitFor({ timeout })
    await page
      .getByRole('textbox', { name: 'Address of a website elsewhere' })
      .fill('www.ivo.example')
    await page.getByRole('button', { name: 'Create token' }).click()
    const html = page.getByRole('region', { name: 'A form for each product' })
    await html.getByText(/hm_pub_/).waitFor({ timeout })
    assert.match(await html.innerText(), /api\/v1\/public\/orders/)
    await saveScreenshot(page, 'shop-products')
    assert.deepEqual(faults, [])
  })

  longTest('shows refused orders and ordered products on the page Payments', async (t) => {
    const { store, loaf, project_id } = shop
    await store.buy([{ product_id: loaf, quantity: 90 }])
    const { page, faults } = await open(t, 1440)
    await visit(page, `/projects/${project_id}/payments?mode=test`)
    await page.getByText('Sold out, or not for sale').waitFor({ timeout })
    await page.getByRole('button', { name: 'Order 1', exact: true }).click()
    await page.getByRole('dialog').getByText('3 × Sourdough loaf').waitFor({ timeout })
    assert.deepEqual(faults, [])
  })

  for (const width of widthsOfStates) {
    longTest(`fits a width of ${width} in both languages`, async (t) => {
      const { page, faults } = await open(t, width)
      for (const language of ['en', 'nl'] as const) {
        await page.evaluate(`localStorage.setItem('homeport.language', '${language}')`)
        await visit(page, shop.path)
        await page
          .getByRole('tab', { name: language === 'en' ? 'Shop' : 'Winkel' })
          .click({ timeout })
        const fault = language === 'en' ? /without quotes/ : /zonder aanhalingstekens/
        await page.getByText(fault).waitFor({ timeout })
        await assertFit(page, width)
        await saveScreenshot(page, `shop-${language}-${width}`)
      }
      assert.deepEqual(faults, [])
    })
  }
})
