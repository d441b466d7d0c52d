/** The page of calls in a real browser: filters, search and deletion. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eventually } from '../../../../../test/fixtures/eventually.ts'
import { longTest } from '../../../../../test/fixtures/depth.ts'
import { insertRunningCall } from '../../../../../test/fixtures/running-call.ts'
import { assertFit } from '../../../../../test/fixtures/portal/fit.ts'
import {
  openPortalBrowser,
  saveScreenshot,
  widthsOfStates,
} from '../../../../../test/fixtures/portal/portal-browser.ts'

const { fixture, newProject, open, visit } = await openPortalBrowser('sam@bakery.example')
const project_id = await newProject('Bakery Sam')
const key = await fixture.newKey({ project_id })
const path = `/projects/${project_id}/calls?mode=test`
const timeout = 60_000

async function send(route: string, body: unknown) {
  const headers = { 'idempotency-key': crypto.randomUUID() }
  const answer = await fixture.call(route, { key, body, headers })
  assert.ok(answer.status < 300, answer.text)
  return answer.body
}

await send('PUT /assistant', {
  name: 'Bakery Sam',
  greeting: 'Bakery Sam, good day.',
  instructions: 'We bake bread.',
  languages: ['en'],
  facts: [{ question: 'Do you have parking?', answer: 'You can park behind the shop.' }],
})
const { id: number_id } = await send('POST /numbers', {})
const ring = (from: string, turns: object[]) => send('POST /test/calls', { number_id, from, turns })
await ring('+447700900011', [{ say: 'Do you have parking?' }])
await ring('+447700900012', [{ say: 'What time do you open on Saturday?' }])
await ring('+447700900013', [{ hangup: true }])

describe('the page of calls', () => {
  test('leads from an empty list to a number, and then to a test call', async (t) => {
    const id = await newProject('Bakery of Tim')
    const { page, faults } = await open(t, 1440)
    await visit(page, `/projects/${id}/calls`)
    await page.getByRole('link', { name: 'Get a number' }).click()
    await page.getByRole('button', { name: 'Get a free test number' }).click()
    await page.getByRole('heading', { name: /^\+44/ }).waitFor({ timeout })
    await visit(page, `/projects/${id}/calls`)
    await page.getByRole('link', { name: 'Make a test call' }).click()
    await page.getByRole('heading', { name: 'Test call' }).waitFor({ timeout })
    assert.deepEqual(faults, [])
  })

  test('filters by outcome, by words and by the number of a caller', async (t) => {
    const { page, faults } = await open(t, 1440)
    await visit(page, path)
    const rows = page.getByRole('row')
    const count = (wanted: number) =>
      eventually(async () => (await page.locator('tbody tr').count()) === wanted)
    await count(3)
    assert.equal(await page.getByRole('cell', { name: 'Free' }).count(), 3)
    await page.getByRole('combobox', { name: 'Outcome' }).click()
    await page.getByRole('option', { name: 'Missed' }).click()
    await rows.filter({ hasText: '+447700900013' }).waitFor({ timeout })
    await count(1)
    await saveScreenshot(page, 'calls-missed')
    await page.getByRole('combobox', { name: 'Outcome' }).click()
    await page.getByRole('option', { name: 'All outcomes' }).click()
    await count(3)
    const search = page.getByRole('searchbox')
    await search.fill('parking')
    await count(1)
    await page.getByRole('button', { name: '+447700900011' }).waitFor({ timeout })
    await search.fill('+44 7700 900012')
    await page.getByRole('button', { name: '+447700900012' }).waitFor({ timeout })
    await count(1)
    await search.fill('unheard of')
    await page.getByText('No call matches').waitFor({ timeout })
    await assertFit(page, 1440)
    assert.deepEqual(faults, [])
  })

  test('keeps the open call in the URL: a reload shows it, Escape and back close it', async (t) => {
    const { page, faults } = await open(t, 1440)
    await visit(page, path)
    await page.getByRole('button', { name: '+447700900011' }).click()
    const drawer = page.getByRole('dialog', { name: 'Call +447700900011' })
    await drawer.waitFor({ timeout })
    await page.reload()
    await drawer.waitFor({ timeout })
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached', timeout })
    await page.getByRole('button', { name: '+447700900012' }).press('Enter')
    await page.getByRole('dialog', { name: 'Call +447700900012' }).waitFor({ timeout })
    await page.goBack()
    await page.getByRole('dialog').waitFor({ state: 'detached', timeout })
    assert.deepEqual(faults, [])
  })

  test('calls a person with the words and the price shown before, and shows what was said', async (t) => {
    const { page, faults } = await open(t, 1440)
    await visit(page, path)
    await page.getByRole('button', { name: 'Call a person' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Phone number of the person').fill('+31612345678')
    await dialog.getByLabel('What the assistant should say').fill('Say that the cake is ready.')
    await dialog.getByLabel('First words').fill('Your cake is ready.')
    await dialog
      .getByRole('blockquote')
      .filter({ hasText: /cake is ready\..*AI/ })
      .waitFor({ timeout })
    await dialog.getByText('Free', { exact: true }).waitFor({ timeout })
    await dialog.getByText('Advertising', { exact: true }).click()
    await dialog.getByText(/has no recorded consent/).waitFor({ timeout })
    await dialog.getByText('Service', { exact: true }).click()
    await dialog.getByText(/has no recorded consent/).waitFor({ state: 'detached', timeout })
    await saveScreenshot(page, 'calls-place')
    await dialog.getByRole('button', { name: 'Call', exact: true }).click()
    await page.getByRole('dialog', { name: 'Call +31612345678' }).waitFor({ timeout })
    await page.getByText('All right, thank you. Goodbye.', { exact: true }).waitFor({ timeout })
    await page.getByText('Say that the cake is ready.').waitFor({ timeout })
    await saveScreenshot(page, 'calls-placed')
    assert.deepEqual(faults, [])
  })

  for (const width of [1440, 390]) {
    const declare = width === 390 ? longTest : test
    declare(`shows a call while it runs, puts it through and hangs up, at ${width}`, async (t) => {
      const id = await insertRunningCall(fixture, { project_id, number_id })
      await fixture.runtime.db.transact((tx) =>
        tx
          .updateTable('calls')
          .set({ status: 'in_progress', answered_at: fixture.runtime.clock.now() })
          .where('id', '=', id)
          .execute(),
      )
      const { page, faults } = await open(t, width)
      await visit(page, `/projects/${project_id}/calls/${id}?mode=live`)
      const call = page.getByRole('dialog')
      await call.getByText('The call is going on').waitFor({ timeout })
      await call.getByRole('button', { name: 'Take over' }).click()
      await call.getByLabel('Your phone number').fill('+31612345678')
      await saveScreenshot(page, `calls-running-${width}`)
      await assertFit(page, width)
      await call.getByRole('button', { name: 'Put through' }).click()
      await call.getByText('Put through to +31612345678.').waitFor({ timeout })
      await call.getByRole('button', { name: 'Hang up' }).click()
      await call.getByRole('button', { name: 'Hang up' }).waitFor({ state: 'detached', timeout })
      await call.getByRole('button', { name: 'Delete call' }).waitFor({ timeout })
      await saveScreenshot(page, `calls-hung-up-${width}`)
      assert.deepEqual(faults, [])
    })
  }

  longTest('records and withdraws a consent', async (t) => {
    const { page, faults } = await open(t, 1024)
    await visit(page, path)
    await page.getByRole('button', { name: 'Consents' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Nobody has agreed yet.').waitFor({ timeout })
    await dialog.getByLabel('Phone number of the person').fill('+31612345679')
    await dialog.getByLabel('Where the person agreed').fill('On the order form')
    await dialog.getByRole('button', { name: 'Record a consent' }).click()
    await dialog.getByText('On the order form').waitFor({ timeout })
    await saveScreenshot(page, 'calls-consents')
    await dialog.getByRole('button', { name: 'Withdraw' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Withdraw' }).click()
    await dialog.getByText('Nobody has agreed yet.').waitFor({ timeout })
    assert.deepEqual(faults, [])
  })

  longTest('deletes a call after a question', async (t) => {
    const { id } = await ring('+447700900014', [{ hangup: true }])
    const { page, faults } = await open(t, 1024)
    await visit(page, path)
    await page.getByRole('button', { name: '+447700900014' }).click()
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('button', { name: 'Delete call' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete call' }).click()
    await page.getByText('The call is deleted.').first().waitFor({ timeout })
    await drawer.waitFor({ state: 'detached', timeout })
    assert.equal((await fixture.call(`GET /calls/${id}`, { key })).status, 404)
    assert.deepEqual(faults, [])
  })

  longTest('keeps the call open that was opened while another one was deleted', async (t) => {
    const { id } = await ring('+447700900015', [{ hangup: true }])
    const { page } = await open(t, 1024)
    await visit(page, path)
    const opened = Promise.withResolvers<void>()
    await page.route(`**/calls/${id}*`, async (route) => {
      if (route.request().method() === 'DELETE') await opened.promise
      await route.continue()
    })
    await page.getByRole('button', { name: '+447700900015' }).click()
    await page.getByRole('button', { name: 'Delete call' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete call' }).click()
    await page.goBack()
    await page.getByRole('button', { name: '+447700900012' }).click()
    const drawer = page.getByRole('dialog', { name: 'Call +447700900012' })
    await drawer.waitFor({ timeout })
    opened.resolve()
    await page.getByText('The call is deleted.').first().waitFor({ timeout })
    await page
      .getByRole('button', { name: '+447700900015' })
      .waitFor({ state: 'detached', timeout })
    assert.equal(await drawer.count(), 1)
  })

  for (const width of widthsOfStates) {
    longTest(`fits at ${width}`, async (t) => {
      const { page, faults } = await open(t, width)
      await visit(page, path)
      await saveScreenshot(page, `calls-${width}`)
      await assertFit(page, width)
      assert.deepEqual(faults, [])
    })
  }
})
