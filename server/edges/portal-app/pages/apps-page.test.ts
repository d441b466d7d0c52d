/** Tests of the pages of apps in a real browser, at every width. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { hostOf, visit as visitSite } from '../../../../test/fixtures/sites/site-visitor.ts'
import { assertFit } from '../../../../test/fixtures/portal/fit.ts'
import {
  openPortalBrowser,
  saveScreenshot,
} from '../../../../test/fixtures/portal/portal-browser.ts'

const owner = 'noor@bakery.example'
const { fixture, newProject, open, visit } = await openPortalBrowser(owner)
const timeout = 60_000

const code = `export default {
  async fetch(request, env) {
    console.log('asked for', new URL(request.url).pathname)
    if (request.url.endsWith('/fail')) throw new Error('It broke')
    return Response.json((await env.DB.query('select * from entries')).rows)
  },
  scheduled() {},
}
`

/** A project with a site and an app that logged, failed, and has rows, a schedule and a secret. */
async function newBusy(): Promise<{ project_id: string; id: string }> {
  const project_id = await newProject('Bakery Noor')
  const key = await fixture.newKey({ project_id })
  const made = async (route: string, body: object) => {
    const answer = await fixture.call(route, { key, body })
    assert.ok(answer.status < 300, answer.text)
    return answer.body
  }
  const files = [{ path: 'index.html', content: '<title>Noor</title>' }]
  const site = await made('POST /sites', { slug: 'noor', visibility: 'unlisted', files })
  const { id } = await made('POST /apps', {
    site_id: site.id,
    name: 'Guest book',
    modules: [{ path: 'main.js', text: code }],
    schedules: [{ cron: '0 8 * * *', timezone: 'Europe/Amsterdam' }],
    auth: true,
  })
  await made(`POST /apps/${id}/migrations`, {
    migrations: [
      {
        name: '0001',
        sql: "create table entries (id int, text text); insert into entries values (1, 'Thank you!')",
      },
    ],
  })
  await made(`PUT /apps/${id}`, { modules: [{ path: 'main.js', text: `// Two\n${code}` }] })
  await fixture.call(`PUT /apps/${id}/secrets`, { key, body: { secrets: { PAYMENT_KEY: 'x' } } })
  for (const path of ['/api/', '/api/fail'])
    await visitSite(fixture, { host: hostOf(site.url), route: `GET ${path}` })
  return { project_id, id }
}

describe('the pages of apps', () => {
  test('create an app, edit its code, and show why code does not start', async (t) => {
    const project_id = await newProject('Bakery of Kim')
    const key = await fixture.newKey({ project_id })
    const files = [{ path: 'index.html', content: '<title>Kim</title>' }]
    await fixture.call('POST /sites', { key, body: { slug: 'kim', visibility: 'unlisted', files } })
    const { page, faults } = await open(t, 1440)
    await visit(page, `/projects/${project_id}/apps?mode=test`)
    await page.getByText('No app yet').waitFor({ timeout })
    await saveScreenshot(page, 'apps-empty')
    await page.getByRole('button', { name: 'New app' }).click()
    const form = page.getByRole('dialog')
    await form.getByRole('textbox', { name: 'Name' }).fill('Members', { timeout })
    await form.getByRole('button', { name: 'New app' }).click()
    await page.getByRole('heading', { name: 'Members' }).waitFor({ timeout })
    await page.getByRole('tab', { name: 'Code' }).click()
    await page.getByRole('button', { name: 'Edit' }).click({ timeout })
    const editor = page.getByRole('textbox', { name: 'Code of main.js' })
    await editor.fill('export default { fetch( { }')
    await page.getByRole('button', { name: 'Deploy' }).click()
    await page.getByText(/SyntaxError.*main\.js:1/s).waitFor({ timeout })
    await page.getByRole('tab', { name: 'Log' }).click()
    await page.getByRole('tab', { name: 'Code' }).click()
    assert.equal(
      await editor.inputValue({ timeout }),
      'export default { fetch( { }',
      'keeps a draft',
    )
    await editor.fill('export default { fetch: () => new Response("hi") }')
    await page.getByRole('button', { name: 'Deploy' }).click()
    await page.getByRole('button', { name: 'Compare with live' }).click({ timeout })
    await page
      .getByText('+ export default { fetch: () => new Response("hi") }')
      .waitFor({ timeout })
    await saveScreenshot(page, 'apps-code')
    assert.deepEqual(
      faults.filter((fault) => !fault.includes('422')),
      [],
    )
  })

  test('show requests, the log, rows, users, schedules and secrets', async (t) => {
    const { project_id, id } = await newBusy()
    const { page, faults } = await open(t, 1440)
    await visit(page, `/projects/${project_id}/apps/${id}?mode=test`)
    await page.getByRole('heading', { name: 'Guest book' }).waitFor({ timeout })
    await assertFit(page, 1440, { axe: true })
    await saveScreenshot(page, 'apps-overview')
    await page.getByRole('tab', { name: 'Log' }).click()
    await page.getByText(/Error: It broke/).waitFor({ timeout })
    await page.getByText('asked for /api/fail').waitFor({ timeout })
    await saveScreenshot(page, 'apps-log')
    await page.getByRole('tab', { name: 'Database' }).click()
    await page.getByRole('button', { name: 'entries' }).click({ timeout })
    await page.getByRole('cell', { name: 'Thank you!' }).waitFor({ timeout })
    await saveScreenshot(page, 'apps-database')
    await page.getByRole('tab', { name: 'Users' }).click()
    await page.getByText('Nobody signed in yet').waitFor({ timeout })
    await page.getByRole('tab', { name: 'Settings' }).click()
    await page.getByText('PAYMENT_KEY', { exact: true }).waitFor({ timeout })
    await page.getByText('0 8 * * *').waitFor({ timeout })
    await page.setViewportSize({ width: 390, height: 844 })
    await assertFit(page, 390, { axe: true })
    await saveScreenshot(page, 'apps-settings-phone')
    assert.deepEqual(faults, [])
  })
})
