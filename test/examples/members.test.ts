/** Deploys the example of members with the command line, and signs a member in with a browser. */
import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import type { Page } from 'playwright-core'
import { listLoggedMails } from '../../server/providers/mail/mail.ts'
import { deployExample } from '../fixtures/apps/deploy-example.ts'
import { eventually } from '../fixtures/eventually.ts'
import { openBrowser } from '../fixtures/portal/browser.ts'
import { saveScreenshot } from '../fixtures/portal/portal-browser.ts'
import { openTestRuntime } from '../fixtures/runtime.ts'
import { newSiteOwner } from '../fixtures/sites/site-owner.ts'

const runtime = await openTestRuntime()
const browser = await openBrowser()
after(() => browser.close())

it('the example of members shows members only to members, who change their own profile', async () => {
  const owner = await newSiteOwner(runtime)
  const { origin } = await deployExample(runtime, owner, 'members')
  const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const faults: string[] = []
  page.on('pageerror', ({ message }) => faults.push(message))
  page.on('console', (line) => {
    if (/content security policy/i.test(line.text())) faults.push(line.text())
  })
  const device = await context.newCDPSession(page)
  await device.send('WebAuthn.enable', { enableUI: false })
  await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await page.addInitScript('delete PublicKeyCredential.isConditionalMediationAvailable')
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const openSignIn = () => page.getByRole('link', { name: 'Sign in' }).click()
  const signOut = async () => {
    await press('Sign out')
    await page.getByRole('link', { name: 'Sign in' }).waitFor()
  }
  await page.goto(origin)
  const refused = await page.evaluate(async () => (await fetch('/api/members')).status)
  assert.equal(refused, 401)
  await openSignIn()
  await page.getByLabel('Email address').fill('anna@example.com')
  await look(page, 'sign-in')
  await press('Email me a code')
  const mail = await eventually(() => listLoggedMails(runtime.runtime)[0])
  const [code = ''] = /\b\d{6}\b/.exec(mail.text) ?? []
  await page.getByLabel('Code', { exact: true }).fill(code)
  await look(page, 'code')
  await press('Sign in and choose a password')
  await page.getByLabel('New password').fill('rye bread at seven')
  await press('Save password')
  await page.getByText('Saved.').waitFor()
  await page.getByLabel('Name of this device').fill('Phone')
  await press('Add a passkey')
  await page.getByText('Phone').waitFor()
  await look(page, 'account')
  await page.getByRole('link', { name: 'Continue' }).click()
  await page.getByLabel('Name').fill('Anna')
  await page.getByLabel('About you').fill('I bake <b>bread</b>.')
  const held = Promise.withResolvers<void>()
  await page.route('**/api/me', async (route) => {
    if (route.request().method() === 'PUT') await held.promise
    await route.continue()
  })
  await press('Save')
  await page.getByLabel('Name').fill('Anna, typed meanwhile')
  held.resolve()
  await page.getByText('Saved.').waitFor()
  assert.equal(await page.getByLabel('Name').inputValue(), 'Anna, typed meanwhile')
  await page.getByText('Anna — I bake <b>bread</b>.').waitFor()
  await page.reload()
  await page.getByText('Anna — I bake <b>bread</b>.').waitFor()
  await signOut()
  await openSignIn()
  await page.getByLabel('Email address').fill('anna@example.com')
  await page.getByLabel('Password', { exact: true }).fill('rye bread at seven')
  await press('Sign in')
  await signOut()
  await openSignIn()
  await press('Sign in with a passkey')
  await page.getByText('Anna — I bake <b>bread</b>.').waitFor()
  assert.deepEqual(faults, [])
  await context.close()
})

/** Requires a page without a horizontal scroll bar, and keeps its picture if HOMEPORT_SHOTS is set. */
async function look(page: Page, name: string): Promise<void> {
  const wide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
  assert.equal(wide, false, name)
  await saveScreenshot(page, `app-auth-${name}`)
}
