/** The page Privacy in a browser: the data about one person. Retention is in browser.test.ts. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { longTest } from '../../../../test/fixtures/depth.ts'
import { assertFit } from '../../../../test/fixtures/portal/fit.ts'
import {
  openPortalBrowser,
  saveScreenshot,
  widthsOfStates,
} from '../../../../test/fixtures/portal/portal-browser.ts'

const { fixture, newProject, open, visit } = await openPortalBrowser('noor@fietsen.example')
const phone = '+447700900123'

async function openShop() {
  const project_id = await newProject('Fietsen van Noor')
  const key = await fixture.newKey({ project_id })
  const send = async (route: string, body: unknown) => {
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const answer = await fixture.call(route, { key, body, headers })
    assert.ok(answer.status < 300, `${route}: ${answer.text}`)
    return answer.body
  }
  await send('PUT /assistant', { name: 'Noor' })
  await send('POST /collections', { name: 'orders', schema: { type: 'object' } })
  await send('POST /collections/orders/documents', { customer: '07700 900123', bike: 'blue' })
  await send('POST /collections/orders/documents', { note: 'Ring 07700 900123 first.' })
  const number = await send('POST /numbers', {})
  const turns = [{ say: 'Are you open on Sunday?' }]
  await send('POST /test/calls', { number_id: number.id, from: phone, turns })
  const { conversation } = await send('POST /conversations', {
    message: 'Do you repair brakes?',
    visitor: { name: 'Anna', phone },
  })
  return { project_id, send, conversation_id: conversation.id as string }
}

const label = 'Phone number, email address or visitor id'

describe('the data about one person', () => {
  for (const width of widthsOfStates)
    longTest(`fits ${width}`, async (t) => {
      const { project_id } = await openShop()
      const { page, faults } = await open(t, width)
      await visit(page, `/projects/${project_id}/privacy?mode=test`)
      await page.getByLabel(label).fill('+44 7700 900123')
      await page.getByLabel(label).press('Enter')
      await page.getByRole('heading', { name: 'Records', exact: true }).first().waitFor()
      await saveScreenshot(page, `privacy-person-${width}`)
      await assertFit(page, width)
      await page.getByRole('button', { name: 'Erase' }).click()
      await page.getByRole('alertdialog').waitFor()
      await saveScreenshot(page, `privacy-erase-${width}`)
      await assertFit(page, width)
      assert.deepEqual(faults, [])
    })

  longTest('is downloaded as a ZIP', async (t) => {
    const { project_id } = await openShop()
    const { page } = await open(t, 1440)
    await visit(page, `/projects/${project_id}/privacy?mode=test`)
    await page.getByLabel(label).fill('+44 7700 900123')
    await page.getByLabel(label).press('Enter')
    const begun = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download a copy' }).click()
    assert.match((await begun).suggestedFilename(), /^personal-data-.*\.zip$/)
  })

  test('is erased after the number is typed again', async (t) => {
    const { project_id, conversation_id } = await openShop()
    const { page } = await open(t, 1440)
    await visit(page, `/projects/${project_id}/privacy?mode=test`)
    await page.getByLabel(label).fill(phone)
    await page.getByLabel(label).press('Enter')
    await page.getByRole('button', { name: 'Erase' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Erase the data about this person?' })
    const confirm = dialog.getByRole('button', { name: 'Erase' })
    assert.equal(await confirm.isDisabled(), true)
    await dialog.getByText('4 records are deleted').waitFor()
    await dialog.getByLabel('Also erase records that only mention this person').check()
    await dialog.getByText('5 records are deleted').waitFor()
    await dialog.getByLabel('Type the number, address or id to confirm').fill(phone)
    await confirm.click()
    await page.getByText('Nothing is stored about this person.').waitFor()
    const gone = await fixture.look(`GET /conversations/${conversation_id}`, project_id)
    assert.equal(gone.status, 404)
  })

  longTest('says what is wrong with a number without its country', async (t) => {
    const { project_id } = await openShop()
    const { page } = await open(t, 1440)
    await visit(page, `/projects/${project_id}/privacy?mode=test`)
    await page.getByLabel(label).fill('07700 900123')
    await page.getByLabel(label).press('Enter')
    await page.getByText('is no phone number with its country').waitFor()
  })
})

longTest('a conversation is deleted from its details', async (t) => {
  const { project_id, conversation_id } = await openShop()
  const { page } = await open(t, 1440)
  await visit(page, `/projects/${project_id}/conversations/${conversation_id}?mode=test`)
  await page.getByRole('button', { name: 'Delete conversation' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Delete this conversation?' })
  await dialog.getByRole('button', { name: 'Delete conversation' }).click()
  await page.getByText('The conversation is deleted.').first().waitFor()
  const gone = await fixture.look(`GET /conversations/${conversation_id}`, project_id)
  assert.equal(gone.status, 404)
})
