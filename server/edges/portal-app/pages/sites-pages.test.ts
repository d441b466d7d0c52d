/** Tests of the pages of sites in a real browser. */
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { longTest } from '../../../../test/fixtures/depth.ts'
import { assertFit } from '../../../../test/fixtures/portal/fit.ts'
import {
  openPortalBrowser,
  saveScreenshot,
  widthsOfStates,
} from '../../../../test/fixtures/portal/portal-browser.ts'
import { verificationFixture } from '../../../../test/fixtures/verification/owners.ts'

const { fixture, newProject, open, visit } = await openPortalBrowser('tom@smederij.example')
const project_id = await newProject('Smederij Tom')
const key = await fixture.newKey({ project_id })
const { lastCode } = verificationFixture(fixture)
const folder = mkdtempSync(join(tmpdir(), 'homeport-test-site-'))
after(() => rmSync(folder, { recursive: true }))

const style =
  '<style>body{margin:0;font-family:Georgia,serif;background:#f6efe6;color:#2b1d12}' +
  'header{background:#8a3b12;color:#fff;padding:96px 80px}h1{font-size:64px;margin:0}' +
  'main{padding:64px 80px;font-size:24px}</style>'
const pageWith = (text: string) =>
  `<!doctype html>\n<html lang="en">\n<head>\n<title>Tom the blacksmith</title>\n${style}\n</head>\n` +
  `<body>\n<header><h1>Tom the blacksmith</h1></header>\n<main>\n<p>${text}</p>\n` +
  '<p>Visit us at the old harbour.</p>\n</main>\n</body>\n</html>\n'

/**
 * Entries of a ZIP file: `site/index.html` deflated, `site/about.html` stored, and a file that
 * macOS adds.
 */
const zipped = [
  'UEsDBBQAAAAIAKqOeF2/XmPbNgAAADwAAAAPAAAAc2l0ZS9pbmRleC5odG1ss1FMyU8uqSxIVcgoyc2xsynJLMlJtQ',
  'vJz7XRhzBtMgxBXIWSjFSFpJzE5Ozi3MySDBt9oDAAUEsDBBQAAAAAAAAAIQCCEkUIDgAAAA4AAAAPAAAAc2l0ZS9h',
  'Ym91dC5odG1sPGgxPkFib3V0PC9oMT5QSwMEFAAAAAgAqo54XYMW3IwDAAAAAQAAABoAAABfX01BQ09TWC9zaXRlLy',
  '5faW5kZXguaHRtbKsAAFBLAQIUAxQAAAAIAKqOeF2/XmPbNgAAADwAAAAPAAAAAAAAAAAAAACAAQAAAABzaXRlL2lu',
  'ZGV4Lmh0bWxQSwECFAMUAAAAAAAAACEAghJFCA4AAAAOAAAADwAAAAAAAAAAAAAAgAFjAAAAc2l0ZS9hYm91dC5odG',
  '1sUEsBAhQDFAAAAAgAqo54XYMW3IwDAAAAAQAAABoAAAAAAAAAAAAAAIABngAAAF9fTUFDT1NYL3NpdGUvLl9pbmRl',
  'eC5odG1sUEsFBgAAAAADAAMAwgAAANkAAAAAAA==',
].join('')

/** Verifies the phone, so that the project may publish public sites. */
async function verifyPhone(id: string): Promise<void> {
  await fixture.runtime.db.transact((tx) =>
    tx.updateTable('projects').set({ phone_verified: true }).where('id', '=', id).execute(),
  )
}

let sites = 0

/**
 * Creates a project with a site of two versions; each test has its own, because a project can have
 * three sites.
 */
async function newSite(visibility = 'public') {
  sites += 1
  const own_id = await newProject(`Smederij ${sites}`)
  await verifyPhone(own_id)
  const own_key = await fixture.newKey({ project_id: own_id })
  const slug = `smederij-${sites}`
  const call = async (route: string, body: unknown) => {
    const answer = await fixture.call(route, { key: own_key, body })
    assert.ok(answer.status < 300, answer.text)
    return answer.body
  }
  const style_sheet = { path: 'assets/style.css', content: 'h1 { color: white }\n' }
  const files = [{ path: 'index.html', content: pageWith('Gates and fences.') }, style_sheet]
  const password = visibility === 'password' ? { password: 'hammer-and-anvil' } : {}
  const { id } = await call('POST /sites', { slug, visibility, ...password, files })
  const changed = [{ path: 'index.html', content: pageWith('Gates, fences and knives.') }]
  await call(`PUT /sites/${id}`, { files: changed, keep_others: true })
  const path = `/projects/${own_id}/sites/${id}?mode=test`
  return { id, slug, path, project_id: own_id, key: own_key }
}

/**
 * Drops a file on the page. A file instead of a folder, because scripts in browsers cannot create
 * folders.
 */
async function drop(page: Page, name: string, bytes: Buffer): Promise<void> {
  const transfer = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer()
    const content = Uint8Array.from(atob('${bytes.toString('base64')}'), (sign) => sign.charCodeAt(0))
    transfer.items.add(new File([content], '${name}'))
    return transfer
  })()`)
  await page.locator('[data-drop-area]').dispatchEvent('drop', { dataTransfer: transfer })
}

describe('the pages of sites', () => {
  test('say how a new project publishes publicly, and verify a phone within the dialog', async (t) => {
    const root = join(folder, 'fietsen')
    mkdirSync(root, { recursive: true })
    writeFileSync(join(root, 'index.html'), pageWith('Bicycles.'))
    const new_id = await newProject('Fietsen van Jan')
    const { page, faults } = await open(t, 1440)
    await visit(page, `/projects/${new_id}/sites?mode=test`)
    const notice = page.getByRole('note', { name: 'This project cannot publish publicly yet' })
    await notice.getByRole('link', { name: 'Top up' }).waitFor()
    await notice.getByRole('button', { name: 'Publish unlisted' }).waitFor()
    await saveScreenshot(page, 'sites-not-public')
    await assertFit(page, 1440)
    await page.locator('input[data-kind=folder]').last().setInputFiles(root)
    const dialog = page.getByRole('dialog', { name: 'Publish' })
    await dialog.getByLabel('Address').fill('fietsen-jan')
    const publish = dialog.getByRole('button', { name: 'Publish', exact: true })
    assert.equal(await publish.isDisabled(), true)
    await saveScreenshot(page, 'sites-publish-not-public')
    await dialog.getByRole('button', { name: 'Verify a phone' }).click()
    await page.getByLabel('Phone number', { exact: true }).fill('+44 7700 900123')
    await page.getByRole('button', { name: 'Text me the code' }).click()
    await page.getByText(/The code was sent to/).waitFor()
    await page.getByLabel('Code', { exact: true }).fill((await lastCode()).code)
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('Your phone number is verified.').waitFor()
    assert.equal(await dialog.getByLabel('Address').inputValue(), 'fietsen-jan')
    await publish.click()
    const tray = page.getByRole('region', { name: 'Uploads and downloads' })
    await tray.getByText('Done').waitFor()
    const new_key = await fixture.newKey({ project_id: new_id })
    const { body } = await fixture.call('GET /sites', { key: new_key })
    assert.equal(body.data[0].visibility, 'public')
    assert.deepEqual(faults, [])
  })

  test('publish a folder as a new site, and continue while another page is open', async (t) => {
    const root = join(folder, 'smederij-tom')
    mkdirSync(join(root, 'assets'), { recursive: true })
    writeFileSync(join(root, 'index.html'), pageWith('Gates and fences.'))
    writeFileSync(join(root, 'assets/style.css'), 'h1 { color: white }')
    writeFileSync(join(root, '.DS_Store'), 'hidden')
    const { page, faults } = await open(t, 1440)
    await visit(page, `/projects/${project_id}/sites?mode=test`)
    await page.locator('input[data-kind=folder]').first().setInputFiles(root)
    const dialog = page.getByRole('dialog', { name: 'Publish' })
    await dialog.getByText('2 files').waitFor()
    assert.equal(await dialog.getByLabel('Address').inputValue(), 'smederij-tom')
    await dialog.getByText('Unlisted', { exact: true }).click()
    await saveScreenshot(page, 'sites-publish')
    await assertFit(page, 1440)
    await dialog.getByRole('button', { name: 'Publish' }).click()
    await page.getByRole('link', { name: 'Data', exact: true }).click()
    const tray = page.getByRole('region', { name: 'Uploads and downloads' })
    await tray.getByText('Done').waitFor()
    await saveScreenshot(page, 'sites-published')
    await assertFit(page, 1440)
    await tray.getByRole('link', { name: 'Show' }).click()
    await page.getByRole('heading', { name: 'Tom the blacksmith' }).waitFor()
    const { body } = await fixture.call('GET /sites', { key })
    const [{ slug, visibility, files_count }] = body.data
    assert.deepEqual([slug, visibility, files_count], ['smederij-tom', 'unlisted', 2])
    assert.deepEqual(faults, [])
  })

  longTest('publish a dropped ZIP file as a new version, and show what it changes', async (t) => {
    const { path, id, key: own_key } = await newSite()
    const { page, faults } = await open(t, 1440)
    await visit(page, path)
    await drop(page, 'site.zip', Buffer.from(zipped, 'base64'))
    const dialog = page.getByRole('dialog', { name: 'Publish' })
    await dialog.getByText('1 added, 1 changed, 1 removed').waitFor()
    await saveScreenshot(page, 'sites-new-version')
    await assertFit(page, 1440)
    await dialog.getByRole('button', { name: 'Publish new version' }).click()
    await page.getByRole('region', { name: 'Uploads and downloads' }).getByText('Done').waitFor()
    const { body } = await fixture.call(`GET /sites/${id}/files`, { key: own_key })
    assert.deepEqual(
      body.data.map((file: any) => file.path),
      ['about.html', 'index.html'],
    )
    const about = await fixture.call(`GET /sites/${id}/files/about.html`, { key: own_key })
    assert.equal(about.body.content, '<h1>About</h1>')
    assert.deepEqual(faults, [])
  })

  longTest(
    'explain a refused address, and accept another one without choosing the files again',
    async (t) => {
      const { slug } = await newSite()
      const { page } = await open(t, 390)
      await visit(page, `/projects/${project_id}/sites?mode=test`)
      await drop(page, 'index.html', Buffer.from(pageWith('Horseshoes.')))
      const dialog = page.getByRole('dialog', { name: 'Publish' })
      await dialog.getByLabel('Publish as').click()
      await page.getByRole('option', { name: 'A new site' }).click()
      await dialog.getByLabel('Address').fill(slug)
      await dialog.getByText('Unlisted', { exact: true }).click()
      await dialog.getByRole('button', { name: 'Publish' }).click()
      const tray = page.getByRole('region', { name: 'Uploads and downloads' })
      await tray.getByText('Another site already has this address').waitFor()
      await saveScreenshot(page, 'sites-refused')
      await assertFit(page, 390)
      await tray.getByRole('button', { name: 'Change and try again' }).click()
      assert.equal(await dialog.getByLabel('Address').inputValue(), slug)
      await saveScreenshot(page, 'sites-corrected')
      await assertFit(page, 390)
      await dialog.getByLabel('Address').fill('horseshoes')
      await dialog.getByRole('button', { name: 'Publish' }).click()
      await tray.getByText('Done').waitFor()
      const { body } = await fixture.call('GET /sites', { key })
      assert.ok(body.data.some((site: any) => site.slug === 'horseshoes'))
    },
  )

  test('show the changes of a version line by line, and make an earlier one live', async (t) => {
    const { path, id, key: own_key } = await newSite()
    const { page, faults } = await open(t, 1440)
    await visit(page, path)
    await page.getByRole('tab', { name: 'Versions' }).click()
    await saveScreenshot(page, 'sites-versions')
    await assertFit(page, 1440)
    await page.getByRole('table').getByRole('button', { name: 'Version 2' }).first().click()
    const lines = page.getByRole('region', { name: 'Content of the file' })
    await lines.getByRole('row', { name: 'Added: <p>Gates, fences and knives.</p>' }).waitFor()
    await lines.getByRole('row', { name: 'Removed: <p>Gates and fences.</p>' }).waitFor()
    await saveScreenshot(page, 'sites-diff')
    await assertFit(page, 1440)
    await page.getByRole('button', { name: 'All versions' }).click()
    await page.getByRole('button', { name: 'Actions of version 1' }).click()
    await page.getByRole('menuitem', { name: 'Make live' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Make live' }).click()
    await page.getByText('The version is live.').first().waitFor()
    const { body } = await fixture.call(`GET /sites/${id}`, { key: own_key })
    assert.equal(body.version, 1)
    assert.deepEqual(faults, [])
  })

  longTest('show the page views of a site, its pages and its referrers', async (t) => {
    const site = await newSite()
    const { page, faults } = await open(t, 1440)
    await visit(page, site.path)
    await page.getByText('No page views in this period').waitFor()
    const rows = [80, 20, 12, 6, 3].flatMap((views, index) => {
      const day = new Date(fixture.clock.now_ms() - index * 3 * 86_400_000)
      const of_day = { project_id: site.project_id, site_id: site.id, day: day.toISOString() }
      return [
        { ...of_day, kind: 'page' as const, name: '/', views: BigInt(views) },
        { ...of_day, kind: 'page' as const, name: '/gates', views: BigInt(index + 1) },
        { ...of_day, kind: 'referrer' as const, name: 'google.com', views: BigInt(index + 3) },
      ]
    })
    await fixture.runtime.db.transact((tx) => tx.insertInto('site_visits').values(rows).execute())
    await visit(page, site.path)
    await page.getByRole('img', { name: 'Page views per day' }).waitFor()
    await page.getByText('/gates').waitFor()
    await page.getByText('google.com').waitFor()
    await page.getByText('136', { exact: true }).waitFor()
    await page.getByRole('combobox', { name: 'Period' }).click()
    await page.getByRole('option', { name: 'Last 7 days' }).click()
    await page.getByText('118', { exact: true }).waitFor()
    await saveScreenshot(page, 'site-visits')
    await assertFit(page, 1440)
    assert.deepEqual(faults, [])
  })

  test('set a password on a site, change its address and delete it', async (t) => {
    const { path, id, key: own_key } = await newSite()
    const { page, faults } = await open(t, 1440)
    await visit(page, path)
    await page.getByRole('tab', { name: 'Settings' }).click()
    await saveScreenshot(page, 'sites-settings')
    await assertFit(page, 1440)
    await page.getByText('Visitors enter a password.').click()
    await page.getByLabel('Password', { exact: true }).last().fill('hammer-and-anvil')
    await page.getByRole('button', { name: 'Save' }).nth(1).click()
    await page.getByText('The site is saved.').first().waitFor()
    await page.getByLabel('Address').fill('the-forge')
    const saved = page.waitForResponse((answer) => answer.request().method() === 'PATCH')
    await page.getByRole('button', { name: 'Save' }).first().click()
    await saved
    const { body } = await fixture.call(`GET /sites/${id}`, { key: own_key })
    assert.deepEqual([body.slug, body.visibility], ['the-forge', 'password'])
    await page.getByRole('button', { name: 'Delete this site' }).click()
    const question = page.getByRole('alertdialog')
    await question.getByLabel('Type the-forge to confirm').fill('the-forge')
    await saveScreenshot(page, 'sites-delete')
    await question.getByRole('button', { name: 'Delete this site' }).click()
    await page.getByText('No site yet').waitFor()
    assert.equal((await fixture.call(`GET /sites/${id}`, { key: own_key })).status, 404)
    assert.deepEqual(faults, [])
  })

  longTest('show the token of the forms, and revoke it', async (t) => {
    const { path, id, key: own_key } = await newSite()
    await fixture.call('POST /collections', {
      key: own_key,
      body: { name: 'orders', title: 'Orders', public_write: true },
    })
    const form = '<form data-collection="orders"><input name="name"><button>Send</button></form>'
    const files = [{ path: 'order.html', content: `<!doctype html><h1>Order</h1>${form}` }]
    const body = { files, keep_others: true }
    await fixture.call(`PUT /sites/${id}`, { key: own_key, body })
    const { page, faults } = await open(t, 390)
    await visit(page, path)
    await page.getByRole('tab', { name: 'Settings' }).click()
    await page.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('No page of this site has a form yet.').waitFor()
    assert.deepEqual(faults, [])
  })

  for (const width of widthsOfStates) {
    longTest(`fit the window at ${width}`, async (t) => {
      const { path, project_id: own_id } = await newSite('password')
      const { page, faults } = await open(t, width)
      await visit(page, `/projects/${own_id}/sites?mode=test`)
      await saveScreenshot(page, `sites-list-${width}`)
      await assertFit(page, width)
      await visit(page, path)
      await saveScreenshot(page, `sites-overview-${width}`)
      await assertFit(page, width)
      await page.getByRole('tab', { name: 'Versions' }).click()
      await page.getByRole('table').getByRole('button', { name: 'Version 2' }).first().click()
      await page.getByRole('region', { name: 'Content of the file' }).waitFor()
      await saveScreenshot(page, `sites-diff-${width}`)
      await assertFit(page, width)
      await page.getByRole('tab', { name: 'Settings' }).click()
      await page.getByRole('button', { name: 'Delete this site' }).waitFor()
      await saveScreenshot(page, `sites-settings-${width}`)
      await assertFit(page, width)
      assert.deepEqual(faults, [])
    })
  }
})
