/**
 * Tests of the page of the request log: filters, details with the curl command, and the live tail.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertFit } from '../../../../test/fixtures/portal/fit.ts'
import { callMessage, post } from '../../../../test/fixtures/mcp/mcp.ts'
import {
  openPortalBrowser,
  saveScreenshot,
} from '../../../../test/fixtures/portal/portal-browser.ts'

const { fixture, newProject, open, visit } = await openPortalBrowser('noor@fietsen.example')

describe('the page of requests', () => {
  test('shows requests as they arrive, filters them, and shows one as a curl command', async (t) => {
    const project_id = await newProject('Fietsen van Noor')
    const key = await fixture.newKey({ project_id })
    const { page, faults } = await open(t, 1440)
    await visit(page, `/projects/${project_id}/requests?mode=test`)
    await page.getByText('No request in test mode yet').waitFor()
    await saveScreenshot(page, 'requests-empty')
    await fixture.call('GET /calls?limit=5', { key })
    await page.getByRole('button', { name: 'GET /api/v1/calls?limit=5' }).waitFor()
    await fixture.call('POST /collections', { key, body: {} })
    await post(fixture, callMessage('get_state'), { key })
    await page.getByText('get_state').first().waitFor()
    await saveScreenshot(page, 'requests-list')
    await assertFit(page, 1440)
    await page.getByRole('combobox', { name: 'Filter by status' }).click()
    await page.getByRole('option', { name: 'All errors' }).click()
    await page.getByText('get_state').first().waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /POST \/api\/v1\/collections/ }).click()
    const drawer = page.getByRole('dialog', { name: 'collections.create' })
    await drawer.getByText('validation_failed').waitFor()
    const curl = await drawer.getByRole('region', { name: 'Replay as curl' }).textContent()
    assert.match(curl ?? '', /^curl -X POST '.*\/api\/v1\/collections'/)
    assert.match(curl ?? '', /Bearer \$HOMEPORT_KEY/)
    await saveScreenshot(page, 'requests-drawer')
    await assertFit(page, 1440)
    await page.keyboard.press('Escape')
    await page.getByRole('searchbox', { name: 'Operation or request id' }).fill('calls.get')
    await page.getByRole('button', { name: 'Remove the filters' }).waitFor()
    await saveScreenshot(page, 'requests-none')
    assert.deepEqual(faults, [])
  })

  test('says how many the other mode has, and keeps the mode of each project', async (t) => {
    const project_id = await newProject('Fietsen van Noor')
    const other_id = await newProject('Fietsen van Piet')
    const key = await fixture.newKey({ project_id })
    const { page, faults } = await open(t, 390)
    await fixture.call('GET /calls?limit=5', { key })
    // Without a mode, a project opens in test mode until a part of it is live.
    await visit(page, `/projects/${project_id}/requests`)
    await page.getByRole('button', { name: 'GET /api/v1/calls?limit=5' }).waitFor()
    await page.getByText('Updates by itself').waitFor()
    await page.getByRole('button', { name: 'Live', exact: true }).click()
    await page.getByText('No request in live mode yet').waitFor()
    await page.getByText('This page shows live mode. Test mode has 1 more.').waitFor()
    await saveScreenshot(page, 'requests-other-mode')
    await assertFit(page, 390)
    await visit(page, `/projects/${other_id}/requests`)
    await page.getByText('No request in test mode yet').waitFor()
    await visit(page, `/projects/${project_id}/requests`)
    await page.getByText('No request in live mode yet').waitFor()
    await page.getByRole('button', { name: 'Switch to test mode' }).click()
    await page.getByRole('button', { name: 'GET /api/v1/calls?limit=5' }).waitFor()
    assert.deepEqual(faults, [])
  })
})
