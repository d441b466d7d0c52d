/** The settings of a project and the account of a person, in a real browser. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertFit } from '../../../test/fixtures/portal/fit.ts'
import {
  looks,
  openPortalBrowser,
  saveScreenshot,
} from '../../../test/fixtures/portal/portal-browser.ts'
import { newSession } from '../../../test/fixtures/portal/sessions.ts'

const owner = 'bas@drukkerij.example'
const { fixture, newProject, open, visit } = await openPortalBrowser(owner)
const project_id = await newProject('Drukkerij Bas')
const key = await fixture.newKey({ project_id })
for (const name of ['orders', 'customers']) {
  await fixture.call('POST /collections', { key, body: { name, title: name } })
}

describe('the settings of a project and the account', () => {
  for (const { width, dark } of looks) {
    const look = `${width}-${dark ? 'dark' : 'light'}`
    test(`fit ${look}`, async (t) => {
      const { page, faults } = await open(t, width, { dark })
      await visit(page, `/projects/${project_id}/settings?mode=test`)
      await page.getByRole('meter', { name: 'Collections' }).waitFor()
      await saveScreenshot(page, `settings-${look}`)
      await assertFit(page, width)
      await visit(page, '/account')
      await page.getByText('This browser').first().waitFor()
      await saveScreenshot(page, `account-${look}`)
      await assertFit(page, width)
      assert.deepEqual(faults, [])
    })
  }
})

describe('the settings of a project', () => {
  test('rename it and show how much of the plan is used', async (t) => {
    const id = await newProject('Oud')
    const { page } = await open(t, 1440)
    await visit(page, `/projects/${id}/settings?mode=test`)
    const sites = page.getByRole('meter', { name: 'Sites' })
    await sites.waitFor()
    assert.match((await sites.getAttribute('aria-valuetext')) ?? '', /^0 of \d+$/)
    await page.getByLabel('Name').fill('Nieuw')
    await page.getByLabel('Name').press('Enter')
    await page.getByText('The project is renamed.').first().waitFor()
    const own_key = await fixture.newKey({ project_id: id })
    assert.equal((await fixture.call('GET /project', { key: own_key })).body.name, 'Nieuw')
  })

  test('delete it only after its name is typed, by keyboard', async (t) => {
    const id = await newProject('Weg ermee')
    const own_key = await fixture.newKey({ project_id: id })
    const { page } = await open(t, 1440)
    await visit(page, `/projects/${id}/settings?mode=test`)
    await page.getByRole('button', { name: 'Delete', exact: true }).press('Enter')
    const dialog = page.getByRole('alertdialog', { name: 'Delete the project?' })
    const button = dialog.getByRole('button', { name: 'Delete' })
    await button.waitFor()
    assert.equal(await button.isDisabled(), true)
    await dialog.getByLabel('Type Weg ermee to confirm').fill('Weg ermee')
    await saveScreenshot(page, 'settings-delete')
    await assertFit(page, 1440)
    await button.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Projects' }).waitFor()
    assert.equal((await fixture.call('GET /project', { key: own_key })).status, 401)
  })

  test('explain that the last owner cannot leave', async (t) => {
    const { page } = await open(t, 1024)
    await visit(page, `/projects/${project_id}/settings?mode=test`)
    await page.getByRole('button', { name: 'Leave', exact: true }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Leave the project?' })
    await dialog.getByLabel('Type Drukkerij Bas to confirm').fill('Drukkerij Bas')
    await dialog.getByRole('button', { name: 'Leave' }).click()
    await page.getByText(/owner/).first().waitFor()
    assert.equal((await fixture.call('GET /project', { key })).status, 200)
    assert.match(page.url(), /settings/)
  })
})

describe('the account', () => {
  test('saves a password, ends another session and explains a weak password', async (t) => {
    const { page } = await open(t, 1440)
    const other = await newSession(fixture, owner)
    await visit(page, `/projects/${project_id}?mode=test`)
    await page
      .getByRole('button', { name: /Account menu/ })
      .first()
      .click()
    await page.getByRole('menuitem', { name: 'Account and security' }).click()
    await page.getByLabel('New password').fill('aaaaaaaaaaaa')
    await page.getByRole('button', { name: 'Save password' }).click()
    await page.getByText('This password is too easy to guess.').first().waitFor()
    await saveScreenshot(page, 'account-refused')
    await assertFit(page, 1440)
    await page
      .getByRole('button', { name: /^Sign out: A browser of a test/ })
      .first()
      .click()
    await page.getByText('The session is ended.').first().waitFor()
    assert.equal((await other.call('GET /me')).status, 401)
    await page.getByLabel('New password').fill('bread rises before dawn')
    await page.getByRole('button', { name: 'Save password' }).click()
    await page.getByText('You have a password.').waitFor()
  })

  test('keeps the chosen language and theme', async (t) => {
    const { page } = await open(t, 1024)
    await visit(page, '/account')
    await page.getByLabel('Theme').click()
    await page.getByRole('option', { name: 'Dark' }).click()
    await page.getByLabel('Language').click()
    await page.getByRole('option', { name: 'Nederlands' }).click()
    await page.getByRole('heading', { name: 'Uw account' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Uw account' }).waitFor()
    assert.equal(await page.evaluate('document.documentElement.dataset.theme'), 'dark')
  })
})
