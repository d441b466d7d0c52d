/** The pages of phone numbers in a real browser: the list, orders, states and release. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { businessDetails, liveFixture } from '../../../../../test/fixtures/live-projects.ts'
import { longTest } from '../../../../../test/fixtures/depth.ts'
import { assertFit } from '../../../../../test/fixtures/portal/fit.ts'
import {
  openPortalBrowser,
  saveScreenshot,
  widthsOfStates,
} from '../../../../../test/fixtures/portal/portal-browser.ts'
import { microFromEuro } from '../../../../kernel/values/money.ts'
import * as projects from '../../../../areas/projects/service.ts'

const owner = 'rob@garage.example'
const { fixture, newProject, open, visit } = await openPortalBrowser(owner)
const { db } = fixture.runtime
const live = liveFixture(fixture)

/** A project that may order real numbers, with a live key. */
async function liveProject() {
  const project_id = await newProject('Garage Rob')
  await projects.setRail(db, { project_id, rail: 'phone', mode: 'live' })
  const key = await fixture.newKey({ project_id, mode: 'live' })
  await live.saveCompany(key, businessDetails)
  const spending_limit_micro = microFromEuro(500)
  await live.change(project_id, { spending_limit_micro, card: true, phone_verified: true })
  await live.verify(project_id, 'company')
  await live.topUp(project_id, 100)
  return { project_id, key }
}

async function orderTest(project_id: string) {
  const key = await fixture.newKey({ project_id })
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const ordered = await fixture.call('POST /numbers', { key, headers, body: {} })
  assert.equal(ordered.status, 201, ordered.text)
  return { key, id: String(ordered.body.id), e164: String(ordered.body.e164) }
}

describe('the pages of numbers', () => {
  test('order a test number with one click from the empty state', async (t) => {
    const project_id = await newProject('Garage Rob')
    const { page, faults } = await open(t, 1440)
    await visit(page, `/projects/${project_id}/numbers?mode=test`)
    await page.getByText('No phone number yet').waitFor()
    await saveScreenshot(page, 'numbers-empty')
    await assertFit(page, 1440)
    await page.getByRole('button', { name: 'Get a free test number' }).click()
    await page.getByRole('heading', { name: '+447700900100' }).waitFor()
    await page.getByText('Test number · Free').waitFor()
    await visit(page, `/projects/${project_id}/numbers?mode=live`)
    await page.getByText('This page shows live mode. Test mode has 1 more.').waitFor()
    assert.equal(await page.getByText('+447700900100').count(), 0)
    await saveScreenshot(page, 'numbers-other-mode')
    await assertFit(page, 1440)
    await page.getByRole('button', { name: 'Switch to test mode' }).click()
    await page.getByRole('link', { name: '+447700900100' }).click()
    await visit(page, `/projects/${project_id}/numbers`)
    await page.getByRole('link', { name: '+447700900100' }).click()
    await page.getByRole('link', { name: 'Try it' }).click()
    await page.getByRole('heading', { name: 'Test call' }).waitFor()
    assert.match(page.url(), /number=[0-9a-f-]{36}/)
    assert.deepEqual(faults, [])
  })

  longTest('make the test call to the number whose page led there', async (t) => {
    const project_id = await newProject('Garage Rob')
    await orderTest(project_id)
    const second = await orderTest(project_id)
    const { page, faults } = await open(t, 1024)
    await visit(page, `/projects/${project_id}/numbers/${second.id}?mode=test`)
    await page.getByRole('link', { name: 'Try it' }).click()
    await page.getByRole('combobox', { name: 'Number to call' }).getByText(second.e164).waitFor()
    assert.deepEqual(faults, [])
  })

  longTest('name everything that a real number needs, with a link to each', async (t) => {
    const project_id = await newProject('Garage Rob')
    const { page, faults } = await open(t, 1440)
    await visit(page, `/projects/${project_id}/numbers?mode=live`)
    await page.getByRole('button', { name: 'Order a number' }).click()
    const dialog = page.getByRole('dialog', { name: 'Order a number' })
    await dialog.getByText('7 things are missing.').waitFor()
    await saveScreenshot(page, 'numbers-blockers')
    await assertFit(page, 1440)
    await dialog.getByText('Local number').click()
    await dialog.getByText('8 things are missing.').waitFor()
    const cap = dialog.getByRole('link', { name: 'Set a monthly spending cap.' })
    assert.match((await cap.getAttribute('href')) ?? '', /\/billing\?mode=live$/)
    const company = dialog.getByRole('link', { name: 'Complete the details of the company.' })
    assert.equal(
      await company.getAttribute('href'),
      `/portal/app/projects/${project_id}/company?mode=live`,
    )
    await dialog.getByRole('link', { name: 'Let the phone go live.' }).click()
    await page.getByRole('heading', { name: 'Go live', level: 1 }).waitFor()
    assert.deepEqual(faults, [])
  })

  test('order a real number with its price before the click, and explain that it stays', async (t) => {
    const { project_id, key } = await liveProject()
    const { page, faults } = await open(t, 1440)
    await visit(page, `/projects/${project_id}/numbers`)
    await page.getByRole('button', { name: 'Order a number' }).click()
    const dialog = page.getByRole('dialog', { name: 'Order a number' })
    await dialog.getByText('Today €5.00 for the first month').waitFor()
    await saveScreenshot(page, 'numbers-order')
    await assertFit(page, 1440)
    await dialog.getByRole('radio', { name: /\+31/ }).nth(1).check()
    await dialog.getByRole('button', { name: /^Order \+31/ }).click()
    await page.getByText('€5.00 per month').waitFor()
    await page.getByText('A real number stays').waitFor()
    const { body } = await fixture.call('GET /numbers', { key })
    assert.deepEqual([body.data.length, body.data[0].test], [1, false])
    await visit(page, `/projects/${project_id}/numbers`)
    await page.getByRole('row', { name: /\+31.*Real.*€5\.00/ }).waitFor()
    await saveScreenshot(page, 'numbers-real')
    await assertFit(page, 1440)
    assert.deepEqual(faults, [])
  })

  longTest('show an order that is not settled, a registration and an overdue month', async (t) => {
    const { project_id, key } = await liveProject()
    await live.verify(project_id, 'number_documents')
    // The simulated carrier registers a number with this ending for months.
    const pending = await live.order(key, { e164: '+31200009010' })
    assert.equal(pending.body.status, 'pending', pending.text)
    await db.transact((tx) =>
      tx
        .updateTable('numbers')
        .set({ next_charge_on: '2020-01-01' })
        .where('project_id', '=', project_id)
        .execute(),
    )
    const { page, faults } = await open(t, 390)
    // The carrier answers an order of this one with an error of its own.
    assert.equal((await live.order(key, { e164: '+31880009006' })).status, 502)
    await visit(page, `/projects/${project_id}/numbers`)
    await page.getByRole('region', { name: 'Order under way' }).waitFor()
    await page.getByText('Being registered').waitFor()
    await page.getByText('Payment overdue').waitFor()
    await saveScreenshot(page, 'numbers-states')
    await assertFit(page, 390)
    await page.getByRole('link', { name: '+31200009010' }).click()
    await page.getByText('The carrier is registering this number.').waitFor()
    await page.getByText('could not be charged yet').waitFor()
    await saveScreenshot(page, 'number-states')
    await assertFit(page, 390)
    assert.deepEqual(faults, [])
  })

  test('release a test number after it was typed, and forget its page', async (t) => {
    const project_id = await newProject('Garage Rob')
    const { key, id, e164 } = await orderTest(project_id)
    const { page, faults } = await open(t, 1440)
    await visit(page, `/projects/${project_id}/numbers/${id}?mode=test`)
    await page.getByRole('button', { name: 'Release this number' }).click()
    const question = page.getByRole('alertdialog', { name: `Release ${e164}?` })
    const release = question.getByRole('button', { name: 'Release this number' })
    assert.equal(await release.isDisabled(), true)
    await question.getByLabel(`Type ${e164} to confirm`).fill(e164)
    await saveScreenshot(page, 'numbers-release')
    await assertFit(page, 1440)
    await release.click()
    await page.getByText('No phone number yet').waitFor()
    assert.deepEqual((await fixture.call('GET /numbers', { key })).body.data, [])
    await visit(page, `/projects/${project_id}/numbers/${id}?mode=test`)
    await page.getByText('This number does not exist').last().waitFor()
    assert.deepEqual(faults, [])
  })

  for (const width of widthsOfStates) {
    longTest(`fit at ${width}`, async (t) => {
      const { project_id, key } = await liveProject()
      assert.equal((await live.order(key)).status, 201)
      const { id, key: test_key } = await orderTest(project_id)
      const menu = { id: 'm', type: 'menu', prompt: { text: 'Press 1' }, options: { 1: 'end' } }
      const hello = { id: 'hello', type: 'readText', text: 'Garage Rob.', next: 'm' }
      const nodes = { hello, m: menu, end: { id: 'end', type: 'hangup' } }
      const body = { entry: 'hello', nodes }
      await fixture.call(`PUT /numbers/${id}/call-plan`, { key: test_key, body })
      const { page, faults } = await open(t, width)
      await visit(page, `/projects/${project_id}/numbers?mode=test`)
      await saveScreenshot(page, `numbers-${width}`)
      await assertFit(page, width)
      await page.getByRole('button', { name: 'Order a number' }).click()
      await page.getByRole('dialog').getByText('What for?').waitFor()
      await page.getByRole('dialog').getByText('Real number').click()
      await page.getByText('Reserved for you for ten minutes.').waitFor()
      await saveScreenshot(page, `numbers-order-${width}`)
      await assertFit(page, width)
      assert.deepEqual(faults, [])
    })
  }
})
