/** The settings of a project and the account of a person, in a real browser. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { eventually } from '../../../../test/fixtures/eventually.ts'
import { mailSettings, openMailServer } from '../../../../test/fixtures/external/mail-server.ts'
import { longTest } from '../../../../test/fixtures/depth.ts'
import { assertFit } from '../../../../test/fixtures/portal/fit.ts'
import {
  openPortalBrowser,
  saveScreenshot,
  widthsOfStates,
} from '../../../../test/fixtures/portal/portal-browser.ts'
import { createOwnedProject } from '../../../../test/fixtures/portal/portal.ts'
import { newSession } from '../../../../test/fixtures/portal/sessions.ts'
import * as projects from '../../../areas/projects/service.ts'

const owner = 'bas@drukkerij.example'
const mailServer = await openMailServer()
const { fixture, newProject, open, visit } = await openPortalBrowser(
  owner,
  mailSettings(mailServer),
)
const project_id = await newProject('Drukkerij Bas')
const key = await fixture.newKey({ project_id })
for (const name of ['orders', 'customers']) {
  await fixture.call('POST /collections', { key, body: { name, title: name } })
}

describe('the settings of a project and the account', () => {
  for (const width of widthsOfStates) {
    longTest(`fit ${width}`, async (t) => {
      const { page, faults } = await open(t, width)
      await visit(page, `/projects/${project_id}/settings?mode=test`)
      await page.getByRole('meter', { name: 'Collections' }).waitFor()
      await saveScreenshot(page, `settings-${width}`)
      await assertFit(page, width)
      await visit(page, '/account')
      await page.getByText('This browser').first().waitFor()
      await saveScreenshot(page, `account-${width}`)
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

  longTest('download the whole project as one file', async (t) => {
    const { page } = await open(t, 1440)
    await visit(page, `/projects/${project_id}/settings?mode=test`)
    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download' }).click()
    const download = await downloading
    assert.match(download.suggestedFilename(), /^drukkerij-bas-\d{4}-\d\d-\d\d\.tar\.gz$/)
    const content = gunzipSync(await readFile(await download.path()))
    assert.ok(content.includes('"orders"'))
    assert.ok(content.includes('end.json'))
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
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 844 })
      await page.getByRole('button', { name: 'Restore Weg ermee' }).waitFor()
      await saveScreenshot(page, `deleted-projects-${width}`)
      await assertFit(page, width)
    }
    await page.getByRole('button', { name: 'Restore Weg ermee' }).press('Enter')
    await page.getByText('The project works again.').first().waitFor()
    assert.equal((await fixture.call('GET /project', { key: own_key })).status, 200)
  })

  longTest(
    'shows a live and test pair as one project, whose mode switch opens the other one',
    async (t) => {
      const pair = await fixture.newProject({ shape: 'pair' })
      await fixture.runtime.db.transact((tx) =>
        tx
          .updateTable('projects')
          .set({ name: 'Oud paar', owner_email: owner })
          .where('id', 'in', [pair.live_project_id, pair.test_project_id])
          .execute(),
      )
      const { page } = await open(t, 1440)
      await visit(page, '/')
      const link = page.getByRole('link', { name: /Oud paar/ })
      assert.equal(await link.count(), 1)
      await page.getByText('live and test').waitFor()
      await link.click()
      await page.waitForURL(`**/projects/${pair.live_project_id}*`)
      await page.getByRole('group', { name: 'Mode' }).getByRole('button', { name: /Test/ }).click()
      await page.waitForURL(`**/projects/${pair.test_project_id}*`)
      await page.getByText('Test mode').first().waitFor()
    },
  )

  longTest('explain that the last owner cannot leave', async (t) => {
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
  longTest('shows its name instead of the address in the team', async (t) => {
    const email = 'sanne@drukkerij.example'
    const id = await createOwnedProject(fixture, email)
    const { page } = await open(t, 1440, { as: email })
    await visit(page, '/account')
    await page.getByLabel('Your name').fill('Sanne Bakker')
    await page.getByRole('button', { name: 'Save name' }).click()
    await page.getByText('Your name is saved.').first().waitFor()
    await visit(page, `/projects/${id}/team?mode=test`)
    await page.getByRole('listitem').getByText('Sanne Bakker').waitFor()
    await page.getByRole('listitem').getByText(email).waitFor()
    await saveScreenshot(page, 'team-name-1440')
    await assertFit(page, 1440)
  })

  longTest('saves a password, ends another session and explains a weak password', async (t) => {
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

  longTest(
    'changes the address with the mailed code, and is deleted once no project needs it',
    async (t) => {
      const [before, email] = ['noor@drukkerij.example', 'noor@elders.example']
      const id = await createOwnedProject(fixture, before)
      const { page } = await open(t, 1440, { as: before })
      await visit(page, '/account')
      await page.getByLabel('New email address').fill(email)
      await page.getByRole('button', { name: 'Send the code' }).click()
      const sent = () => mailServer.mails.find(({ to }) => to.includes(email))
      await page.getByLabel('Code').fill('0000 0000')
      await page.getByRole('button', { name: 'Change address' }).click()
      await page.getByText('The code is wrong or has expired.').waitFor()
      await saveScreenshot(page, 'account-email-code')
      await assertFit(page, 1440)
      await eventually(() => sent() !== undefined)
      await page.getByLabel('Code').fill(/^(\d{4} \d{4})$/m.exec(sent()!.text)?.[1] ?? '')
      await page.getByRole('button', { name: 'Change address' }).click()
      await page.getByText(`You sign in with ${email}`).waitFor()
      const remove = async () => {
        await page.getByRole('button', { name: 'Delete my account' }).click()
        const question = page.getByRole('alertdialog')
        await question.getByLabel(`Type ${email} to confirm`).fill(email)
        await question.getByRole('button', { name: 'Delete my account' }).click()
      }
      await remove()
      await page.getByText(/You are the only owner of/).waitFor()
      await saveScreenshot(page, 'account-last-owner')
      await assertFit(page, 1440)
      await projects.remove(fixture.runtime, id)
      await remove()
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    },
  )

  longTest('keeps the chosen language and theme', async (t) => {
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

  longTest('stores the chosen language for mails and for pages of the server', async (t) => {
    await createOwnedProject(fixture, 'lies@drukkerij.example')
    const { page } = await open(t, 1024, { as: 'lies@drukkerij.example' })
    await visit(page, '/account')
    const stored = page.waitForResponse(/\/portal\/language$/)
    await page.getByLabel('Language').click()
    await page.getByRole('option', { name: 'Nederlands' }).click()
    assert.equal((await stored).status(), 303)
    const row = await fixture.runtime.db
      .selectFrom('people')
      .select('language')
      .where('email', '=', 'lies@drukkerij.example')
      .executeTakeFirst()
    assert.equal(row?.language, 'nl')
    await page.context().clearCookies({ name: /session/ })
    await page.goto(`${fixture.url}/portal/sign-in`)
    await page.getByRole('button', { name: 'Doorgaan' }).waitFor()
  })
})
