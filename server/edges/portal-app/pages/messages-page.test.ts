/** The page of text messages in a real browser: writing one, its status, filters and opt-outs. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eventually } from '../../../../test/fixtures/eventually.ts'
import { longTest } from '../../../../test/fixtures/depth.ts'
import { assertFit } from '../../../../test/fixtures/portal/fit.ts'
import {
  openPortalBrowser,
  saveScreenshot,
  widthsOfStates,
} from '../../../../test/fixtures/portal/portal-browser.ts'

const { fixture, newProject, open, visit } = await openPortalBrowser('mia@bakery.example')
const timeout = 60_000

async function newShop(name: string) {
  const project_id = await newProject(name)
  const key = await fixture.newKey({ project_id })
  const send = async (route: string, body: unknown) => {
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const answer = await fixture.call(route, { key, body, headers })
    assert.ok(answer.status < 300, answer.text)
    return answer.body
  }
  const { e164 } = await send('POST /numbers', {})
  return { path: `/projects/${project_id}/messages?mode=test`, send, e164 }
}

const busy = await newShop('Bakery Mia')
for (const ending of ['000', '020', '021', '001', '003', '004']) {
  const text = 'Your order is ready. You can pick it up until 17:00.'
  await busy.send('POST /messages', { to: `+447700900${ending}`, text })
}
const receive = (from: string, text: string) =>
  busy.send('POST /test/messages', { from, to: busy.e164, text })
await receive('+447700900020', 'Thank you, I will come at four.')
await receive('+447700900021', 'STOP')

describe('the page of text messages', () => {
  test('leads from an empty list to a first message, with its segments and cost', async (t) => {
    const { path } = await newShop('Bakery of Kim')
    const { page, faults } = await open(t, 1440)
    await visit(page, path)
    await page.getByText('No message yet').waitFor({ timeout })
    await saveScreenshot(page, 'messages-empty')
    await page.getByRole('button', { name: 'New message' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('To').fill('+44 7700 900000')
    await dialog.getByLabel('Text').fill('“Ready” – it’s here')
    await dialog.getByText('1 of 6 segments').waitFor({ timeout })
    await dialog.getByText('Free').waitFor({ timeout })
    await dialog.getByLabel('Text').fill(`Готово ${'ж'.repeat(70)}`)
    await dialog.getByText('2 of 6 segments').waitFor({ timeout })
    await dialog.getByText('A character is outside').waitFor({ timeout })
    await saveScreenshot(page, 'messages-compose')
    await dialog.getByLabel('To').fill('+31201234567')
    await dialog.getByText('+31201234567 is not the number of a mobile phone.').waitFor({ timeout })
    await dialog.getByLabel('To').fill('+447700900000')
    await dialog.getByRole('button', { name: 'Send message' }).click()
    await page.getByText('The message is on its way.').waitFor({ timeout })
    await page.getByRole('row').filter({ hasText: '+447700900000' }).waitFor({ timeout })
    await page.getByRole('cell', { name: 'Delivered' }).waitFor({ timeout })
    assert.deepEqual(faults, [])
  })

  longTest('shows a refusal of the server in the dialog', async (t) => {
    const { page, faults } = await open(t, 1440)
    await visit(page, busy.path)
    await page.getByRole('button', { name: 'New message' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('To').fill('+447700900021')
    await dialog.getByLabel('Text').fill('Are you coming?')
    await dialog.getByRole('button', { name: 'Send message' }).click()
    await dialog
      .getByText('Text messages cannot be sent to that phone number.')
      .waitFor({ timeout })
    // The browser logs the refused request.
    assert.ok(faults.every((fault) => fault.includes('422')))
  })

  longTest('filters by status, opens a failed message and shows who opted out', async (t) => {
    const { page, faults } = await open(t, 1440)
    await visit(page, busy.path)
    const count = (wanted: number) =>
      eventually(async () => (await page.locator('tbody tr').count()) === wanted)
    await count(8)
    await page.getByRole('combobox', { name: 'Status' }).click()
    await page.getByRole('option', { name: 'Failed' }).click()
    await count(2)
    await page.getByRole('button', { name: '+447700900001' }).click()
    await page.getByText('The phone could not be reached').waitFor({ timeout })
    await saveScreenshot(page, 'messages-drawer')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.getByRole('dialog').getByText('+447700900021').waitFor({ timeout })
    assert.deepEqual(faults, [])
  })

  test('answers a received message', async (t) => {
    const { page, faults } = await open(t, 1440)
    await visit(page, busy.path)
    await page.getByRole('button', { name: '+447700900020' }).first().click()
    await page.getByRole('button', { name: 'Reply' }).click()
    const to = page.getByRole('dialog').getByLabel('To')
    await eventually(async () => (await to.inputValue()) === '+447700900020')
    assert.deepEqual(faults, [])
  })

  for (const width of widthsOfStates) {
    longTest(`fits a width of ${width} in both languages`, async (t) => {
      const { page, faults } = await open(t, width)
      for (const language of ['en', 'nl'] as const) {
        await page.evaluate(`localStorage.setItem('homeport.language', '${language}')`)
        await visit(page, busy.path)
        await page.locator('tbody tr').first().waitFor({ timeout })
        await assertFit(page, width)
        await saveScreenshot(page, `messages-${language}-${width}`)
      }
      assert.deepEqual(faults, [])
    })
  }
})
