/** Tests of the page for test calls, on which the person plays the caller. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertFit } from '../../../../../test/fixtures/portal/fit.ts'
import {
  openPortalBrowser,
  saveScreenshot,
} from '../../../../../test/fixtures/portal/portal-browser.ts'

const { fixture, newProject, open, visit } = await openPortalBrowser('eva@atelier.example')

describe('the test call page', () => {
  test('orders a test number, and shows the call that results from the steps', async (t) => {
    const project_id = await newProject('Atelier Eva')
    const key = await fixture.newKey({ project_id })
    const { page, faults } = await open(t, 1440)
    await visit(page, `/projects/${project_id}/test-call?mode=live`)
    await saveScreenshot(page, 'test-call-no-number')
    await page.getByRole('button', { name: 'Order a test number' }).click()
    await page.getByText('No call yet').waitFor()
    const { body } = await fixture.call('GET /numbers', { key })
    assert.deepEqual(
      body.data.map(({ test }: { test: boolean }) => test),
      [true],
    )
    const number_id = body.data[0].id
    const greeting = 'Atelier Eva, good morning.'
    const settings = { name: 'Sam', greeting, languages: ['en'] }
    await fixture.call('PUT /assistant', { key, body: settings })
    const nodes = { assistant: { id: 'assistant', type: 'ai_agent' } }
    const plan = { entry: 'assistant', nodes }
    await fixture.call(`PUT /numbers/${number_id}/call-plan`, { key, body: plan })
    const say = page.getByLabel('What the caller says')
    await say.fill('Are you open on Sunday?')
    await say.press('Enter')
    await say.fill('12')
    await page.getByRole('button', { name: 'Add keys' }).click()
    await page.getByRole('button', { name: 'Remove: 12' }).click()
    await page.getByRole('button', { name: 'Hang up' }).click()
    await saveScreenshot(page, 'test-call-steps')
    await assertFit(page, 1440)
    await page.getByRole('button', { name: 'Call', exact: true }).click()
    await page.getByText(greeting).waitFor()
    await saveScreenshot(page, 'test-call-done')
    await assertFit(page, 1440)
    const calls = await fixture.call('GET /calls', { key })
    const { id } = calls.body.data[0]
    const detail = await fixture.call(`GET /calls/${id}`, { key })
    const said = detail.body.transcript.filter(({ role }: { role: string }) => role === 'caller')
    assert.deepEqual(
      said.map(({ text }: { text: string }) => text),
      ['Are you open on Sunday?'],
    )
    await page.getByRole('button', { name: 'Start over' }).click()
    assert.equal(await page.getByRole('button', { name: 'Call again' }).isDisabled(), true)
    assert.deepEqual(faults, [])
  })
})
