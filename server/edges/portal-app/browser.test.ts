/**
 * Tests of the portal in a real browser: each page at three widths, light and dark, without
 * findings of axe, messages in the console or violations of the policy.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { isLong, longTest } from '../../../test/fixtures/depth.ts'
import { assertFit } from '../../../test/fixtures/portal/fit.ts'
import {
  widths,
  openPortalBrowser,
  saveScreenshot,
} from '../../../test/fixtures/portal/portal-browser.ts'
import { signIn } from '../../../test/fixtures/portal/portal.ts'
import { furnishProject, spendMoney } from '../../../test/fixtures/portal/portal-app.ts'
import { eventually } from '../../../test/fixtures/eventually.ts'
import { listLoggedMails } from '../../providers/mail/mail.ts'
import { openReceiver } from '../../../test/fixtures/webhooks/webhook-receiver.ts'

const owner = 'anna@demolen.example'
const { fixture, newProject, open, visit } = await openPortalBrowser(owner)
const receiver = await openReceiver()
const project_id = await newProject('Bakkerij De Molen')
const empty_id = await newProject('Fietsen van Jan')
await spendMoney(fixture, project_id)
const key = await fixture.newKey({ project_id })
await fixture.newKey({ project_id, scopes: ['calls:read', 'data:read'] })
const visitor = await signIn(fixture, owner)
await furnishProject(fixture, { project_id, key, visitor, receiver_url: receiver.url })

const pages = [
  '',
  '/approvals',
  '/agents',
  '/keys',
  '/webhooks',
  '/requests',
  '/activity',
  '/data',
  '/data/bookings',
  '/sites',
  '/apps',
  '/media',
  '/numbers',
  '/calls',
  '/messages',
  '/start',
  '/assistant',
  '/knowledge',
  '/email',
  '/payments',
  '/test-call',
  '/go-live',
  '/billing',
  '/team',
  '/company',
  '/verification',
  '/privacy',
]

const [DESKTOP, , PHONE] = widths

/** The code of the last mail to a person, of a server that writes its mails to the log. */
async function codeFor(email: string): Promise<string> {
  const mail = await eventually(() =>
    listLoggedMails(fixture.runtime).find(({ to }) => to.includes(email)),
  )
  return /^(\d{4} \d{4})$/m.exec(mail.text)?.[1] ?? ''
}

/** The part of a picture's name that names the page. */
function nameOf(path: string): string {
  return path.replaceAll('/', '-') || '-home'
}

/** Changes the width of the window, until what the page then shows is loaded. */
async function resize(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: width === PHONE ? 844 : 900 })
  await page.evaluate('new Promise((painted) => requestAnimationFrame(() => setTimeout(painted)))')
  await page.locator('.animate-pulse').first().waitFor({ state: 'detached' })
}

describe('the portal in a browser', () => {
  test('shows each page on a desktop, a small laptop and a phone', async (t) => {
    const { page, faults } = await open(t, DESKTOP)
    for (const [index, path] of pages.entries()) {
      // Moves the clock, so that the requests of earlier pages do not count in the rate limit.
      if (index % 8 === 0) fixture.passes('2 minutes')
      await resize(page, DESKTOP)
      await visit(page, `/projects/${project_id}${path}?mode=${index % 2 ? 'test' : 'live'}`)
      for (const width of isLong ? widths : [DESKTOP, PHONE]) {
        await resize(page, width)
        await saveScreenshot(page, `${width}${nameOf(path)}`)
        const fault = (error: Error) => faults.push(error.message)
        // Every other page on a phone.
        const axe = isLong || width === (index % 2 ? PHONE : DESKTOP)
        await assertFit(page, width, { axe }).catch(fault)
      }
    }
    assert.deepEqual(faults, [])
  })

  test('supports the steps from an empty project to a first key by keyboard', async (t) => {
    const { page, faults } = await open(t, 1440)
    await visit(page, `/projects/${empty_id}?mode=live`)
    await saveScreenshot(page, 'empty-home')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search' }).waitFor()
    await page.keyboard.type('create an api')
    await saveScreenshot(page, 'palette')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Create API key' })
    await dialog.waitFor()
    await page.getByLabel('Name').focus()
    await page.keyboard.press('Enter')
    await dialog.getByText('Give the key a name.').waitFor()
    await page.keyboard.type('Website')
    assert.equal(await dialog.getByRole('radio', { name: /^Test/ }).isChecked(), true)
    assert.equal(await dialog.getByRole('radio', { name: /^Read only/ }).isChecked(), true)
    await dialog.getByRole('radio', { name: /^Choose/ }).press('Space')
    await dialog.getByLabel('Read the project and its balance').press('Space')
    await dialog.getByRole('radio', { name: /^Read only/ }).press('Space')
    await dialog.getByRole('radio', { name: /^Choose/ }).press('Space')
    assert.equal(await dialog.getByLabel('Read the project and its balance').isChecked(), true)
    await dialog.getByLabel('Expires').fill('2099-12-31')
    await saveScreenshot(page, 'dialog-key')
    await assertFit(page, 1440)
    await page.getByLabel('Name').press('Enter')
    const made = await page.getByTestId('new-key').textContent()
    assert.match(made ?? '', /^hm_test_\w{32}$/)
    await saveScreenshot(page, 'dialog-key-made')
    assert.equal((await fixture.call('GET /project', { key: made })).status, 200)
    await page.keyboard.press('Escape')
    // A test key is listed in live mode too.
    const row = page.getByRole('row', { name: /Website/ })
    for (const text of ['Test', 'Read the project and its balance', 'in 73 years'])
      await row.getByText(text, { exact: true }).filter({ visible: true }).waitFor()
    await saveScreenshot(page, 'keys-list')
    await page.getByRole('button', { name: 'Actions of Website' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Revoke' }).press('Enter')
    const revoke = page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' })
    assert.equal(await revoke.isDisabled(), true)
    await page.getByLabel('Type Website to confirm').fill('Website')
    await saveScreenshot(page, 'dialog-revoke')
    await revoke.press('Enter')
    await page.getByText('The key is revoked.').first().waitFor()
    assert.equal((await fixture.call('GET /project', { key: made })).status, 401)
    assert.deepEqual(faults, [])
  })

  test('approves a request of an assistant, with the exact arguments shown', async (t) => {
    const { page, faults } = await open(t, 1440)
    await visit(page, `/projects/${project_id}/approvals?mode=test`)
    await page.getByRole('button', { name: 'Review' }).first().click()
    const drawer = page.getByRole('dialog', { name: 'Request' })
    await drawer.getByRole('region', { name: 'What exactly' }).waitFor()
    await drawer.getByText('About', { exact: true }).waitFor()
    await saveScreenshot(page, 'drawer-approval')
    await assertFit(page, 1440)
    await drawer.getByRole('button', { name: 'Approve' }).click()
    await page.getByText('Approved. It is being done now.').first().waitFor()
    await page.getByRole('tab', { name: 'History' }).click()
    await page.getByText('Done', { exact: true }).first().waitFor()
    await saveScreenshot(page, 'approvals-history')
    assert.deepEqual(faults, [])
  })

  test('shows shared tasks of going live once, with the address of the operator', async (t) => {
    const { page, faults } = await open(t, 1440)
    const { config } = fixture.runtime
    const email = { ...config.email, mode: 'none' as const }
    fixture.runtime.config = { ...config, email, operator_email: 'ops@host.example' }
    t.after(() => (fixture.runtime.config = config))
    await visit(page, `/projects/${empty_id}/go-live?mode=test`)
    assert.equal(await page.getByText('Set a monthly spending cap').count(), 1)
    const company = page.getByRole('listitem').filter({ hasText: /^Have the company checked/ })
    await company.getByText(/^For: phone numbers, text messages/).waitFor()
    const checked = company.getByRole('link', { name: 'Have the company checked' })
    assert.match((await checked.getAttribute('href')) ?? '', /\/verification/)
    assert.equal(await page.getByText('Calls that the assistant makes').count(), 0)
    assert.equal(await page.getByText('Buying domains').count(), 0)
    await page.getByRole('link', { name: 'ops@host.example' }).waitFor()
    await saveScreenshot(page, 'go-live-operator')
    await assertFit(page, 1440)
    assert.deepEqual(faults, [])
  })

  test('shows a call as a conversation', async (t) => {
    const { page, faults } = await open(t, 1440)
    await visit(page, `/projects/${project_id}/calls?mode=test`)
    await page.getByRole('button', { name: '+31612345678' }).click()
    await page.getByText('Are you open on Sunday?', { exact: true }).waitFor()
    await saveScreenshot(page, 'drawer-call')
    await assertFit(page, 1440)
    assert.deepEqual(faults, [])
  })

  test('shows a new booking without a reload', async (t) => {
    const { page, faults } = await open(t, 1024)
    await visit(page, `/projects/${project_id}?mode=test`)
    await page.getByText('Anna de Vries').waitFor()
    const body = { name: 'Jan Smit', guests: 2 }
    const made = await fixture.call('POST /collections/bookings/documents', { key, body })
    assert.equal(made.status, 201, made.text)
    await page.getByText('Jan Smit · 2').waitFor()
    assert.deepEqual(faults, [])
  })

  test('asks for a confirmation of identity, and goes on with the form as it was', async (t) => {
    const { page } = await open(t, 1024)
    fixture.passes('16 minutes')
    await visit(page, `/projects/${project_id}/keys?mode=test`)
    await page.getByRole('button', { name: 'Create API key' }).click()
    await page.getByLabel('Name').fill('Cash register')
    await page.getByRole('dialog').getByRole('button', { name: 'Create API key' }).click()
    const confirm = page.getByRole('dialog', { name: 'Confirm your identity' })
    await confirm.waitFor()
    await saveScreenshot(page, 'dialog-confirm')
    // The person has neither a password nor a passkey.
    assert.equal(await confirm.getByLabel('Password').count(), 0)
    assert.equal(await confirm.getByRole('button', { name: 'Use a passkey' }).count(), 0)
    await confirm.getByRole('button', { name: 'Mail me a code' }).click()
    await confirm.getByLabel('Code from the mail').fill('00000000')
    await confirm.getByRole('button', { name: 'Confirm' }).click()
    await confirm.getByText('The code is wrong or has expired.').waitFor()
    await saveScreenshot(page, 'dialog-confirm-code')
    await assertFit(page, 1024)
    await confirm.getByLabel('Code from the mail').fill(await codeFor(owner))
    await confirm.getByRole('button', { name: 'Confirm' }).click()
    const made = await page.getByTestId('new-key').textContent()
    assert.match(made ?? '', /^hm_test_/)
    assert.match(page.url(), /\?mode=test#new$/)
  })

  test('keeps the chosen language and theme', async (t) => {
    const { page, faults } = await open(t, 1440)
    await visit(page, `/projects/${project_id}/team?mode=test`)
    await page
      .getByRole('button', { name: /Account menu/ })
      .first()
      .click()
    await page.getByRole('menuitemradio', { name: 'Dark' }).click()
    await page
      .getByRole('button', { name: /Account menu/ })
      .first()
      .click()
    await page.getByRole('menuitemradio', { name: 'Nederlands' }).click()
    await page.getByRole('button', { name: 'Iemand uitnodigen' }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Iemand uitnodigen' }).waitFor()
    const theme = await page.evaluate('document.documentElement.dataset.theme')
    assert.equal(theme, 'dark')
    await saveScreenshot(page, 'dutch-team')
    assert.deepEqual(faults, [])
  })

  test('opens the menu of a phone, and says that a page does not exist', async (t) => {
    const { page, faults } = await open(t, 390)
    await visit(page, '')
    await saveScreenshot(page, '390-projects')
    await page.getByRole('link', { name: /Bakkerij De Molen/ }).click()
    await page.getByRole('button', { name: 'Open the menu' }).click()
    await saveScreenshot(page, '390-menu')
    await assertFit(page, 390)
    await page.getByRole('link', { name: 'Team' }).click()
    await page.getByRole('heading', { name: 'Team' }).waitFor()
    await page.goto(`${fixture.url}/portal/app/nowhere/at-all`)
    await page.getByRole('heading', { name: 'This page does not exist' }).waitFor()
    await saveScreenshot(page, '390-not-found')
    assert.deepEqual(faults, [])
  })

  longTest('shows the empty state of each page', async (t) => {
    const { page, faults } = await open(t, DESKTOP)
    for (const path of pages.filter((one) => one !== '/data/bookings')) {
      await visit(page, `/projects/${empty_id}${path}?mode=test`)
      await saveScreenshot(page, `empty${nameOf(path)}`)
      await assertFit(page, DESKTOP).catch((error: Error) => faults.push(error.message))
    }
    assert.deepEqual(faults, [])
  })
})
