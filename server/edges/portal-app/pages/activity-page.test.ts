/** The activity on its page: filters, details, the live tail; and lists that follow the stream. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { longTest } from '../../../../test/fixtures/depth.ts'
import { assertFit } from '../../../../test/fixtures/portal/fit.ts'
import { callMessage, post } from '../../../../test/fixtures/mcp/mcp.ts'
import {
  openPortalBrowser,
  saveScreenshot,
  widthsOfStates,
} from '../../../../test/fixtures/portal/portal-browser.ts'
import { newSession } from '../../../../test/fixtures/portal/sessions.ts'
import { record } from '../../../areas/activity/service.ts'
import * as projects from '../../../areas/projects/service.ts'

const owner = 'noor@fietsen.example'
const { fixture, newProject, open, visit } = await openPortalBrowser(owner)
const { call, newKey, runtime } = fixture

/** Changes by a key, an assistant, a person and the operator. */
async function furnish(project_id: string): Promise<string> {
  const key = await newKey({ project_id })
  const headers = { 'homeport-mode': 'test' }
  const root = `/projects/${project_id}`
  const person = await newSession(fixture, owner)
  const site = {
    slug: `fietsen-${project_id.slice(-6)}`,
    title: 'Fietsen van Noor',
    visibility: 'unlisted',
    files: [{ path: 'index.html', content: '<title>Fietsen</title><p>Open</p>' }],
  }
  const made = await call('POST /sites', { key, body: site })
  assert.equal(made.status, 201, made.text)
  const given = { operation: 'collections.create', arguments: { name: 'bookings' } }
  await post(fixture, callMessage('run_write_operation', given), { key })
  const document = { name: 'Anna' }
  await call('POST /collections/bookings/documents', { key, body: document })
  await call('POST /collections/bookings/documents', { key, body: document })
  await person.call(`POST ${root}/invitations`, {
    body: { email: 'piet@fietsen.example', role: 'member' },
    headers,
  })
  const acting = {
    project_id,
    entry_point: 'command_line',
    mode: null,
    actor_kind: 'operator',
    actor_id: null,
    operation: 'projects set',
    request_id: null,
    path_id: null,
  } as const
  const work = () => projects.change(runtime.db, project_id, { phone_verified: true })
  await record(runtime, { acting, work })
  return key
}

describe('the page of the activity', () => {
  test('shows changes as they are made, filters them, and opens one', async (t) => {
    const project_id = await newProject('Fietsen van Noor')
    const { page, faults } = await open(t, 1440)
    await visit(page, `/projects/${project_id}/activity?mode=test`)
    await page.getByText('No change in test mode yet').waitFor()
    await saveScreenshot(page, 'activity-empty')
    await assertFit(page, 1440)
    await furnish(project_id)
    await page.getByRole('button', { name: /Created a site Fietsen van Noor/ }).waitFor()
    await page.getByRole('button', { name: /Invited a colleague piet@fietsen.example/ }).waitFor()
    await page.getByRole('button', { name: /Changed the project/ }).waitFor()
    await saveScreenshot(page, 'activity-list')
    await page.getByRole('combobox', { name: 'Filter by entry point' }).click()
    await page.getByRole('option', { name: 'MCP' }).click()
    await page.getByText('Created a site').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /Created a collection/ }).press('Enter')
    const drawer = page.getByRole('dialog', { name: 'Created a collection' })
    await drawer.getByText('collections.create').waitFor()
    await saveScreenshot(page, 'activity-drawer')
    await assertFit(page, 1440)
    await drawer.getByRole('button', { name: 'All changes by them' }).press('Enter')
    await page
      .getByRole('button', { name: /Added documents bookings/ })
      .first()
      .waitFor()
    await page.getByRole('searchbox').fill('sites.delete ')
    await page.getByRole('button', { name: 'Remove the filters' }).waitFor()
    assert.equal(await page.getByRole('searchbox').inputValue(), 'sites.delete ')
    await saveScreenshot(page, 'activity-none')
    await page.getByRole('button', { name: 'Remove the filters' }).press('Enter')
    await page.getByText('Invited a colleague').waitFor()
    assert.deepEqual(faults, [])
  })

  for (const width of widthsOfStates) {
    longTest(`fits at ${width}`, async (t) => {
      const project_id = await newProject('Fietsen van Noor')
      await furnish(project_id)
      const { page, faults } = await open(t, width)
      await visit(page, `/projects/${project_id}/activity?mode=test`)
      await saveScreenshot(page, `activity-${width}`)
      await assertFit(page, width)
      await page.getByRole('button', { name: /Created a site/ }).click()
      await page.getByRole('dialog').getByText('sites.create').waitFor()
      await saveScreenshot(page, `activity-drawer-${width}`)
      await assertFit(page, width)
      assert.deepEqual(faults, [])
    })
  }
})

describe('the stream of changed records', () => {
  longTest('shows a new site without a poll', async (t) => {
    const project_id = await newProject('Fietsen van Noor')
    const key = await newKey({ project_id })
    const { page, faults } = await open(t, 1440)
    const reads: string[] = []
    const streaming = page.waitForResponse(/activity\/stream$/)
    await visit(page, `/projects/${project_id}/sites?mode=test`)
    assert.equal((await streaming).status(), 200)
    await page.getByText('No site yet').waitFor()
    page.on('request', (request) => reads.push(new URL(request.url()).pathname))
    const files = [{ path: 'index.html', content: '<title>A</title>' }]
    const slug = `live-${project_id.slice(-6)}`
    await call('POST /sites', {
      key,
      body: { slug, title: 'Live site', visibility: 'unlisted', files },
    })
    await page.getByText('Live site').first().waitFor()
    const sites = reads.filter((path) => path.endsWith('/sites'))
    assert.equal(sites.length, 1, reads.join('\n'))
    assert.deepEqual(faults, [])
  })

  longTest('leaves a list that polls when it is refused', async (t) => {
    const project_id = await newProject('Fietsen van Noor')
    const key = await newKey({ project_id })
    const { page } = await open(t, 1440)
    await page.route(/activity\/stream$/, (route) => route.abort())
    await visit(page, `/projects/${project_id}/requests?mode=test`)
    await page.getByText('No request in test mode yet').waitFor()
    await call('GET /calls?limit=7', { key })
    await page.getByRole('button', { name: 'GET /api/v1/calls?limit=7' }).waitFor()
  })
})
