/**
 * Tests of creating an account in a real browser, by keyboard alone, on a desktop and a phone, without
 * JavaScript, and with a passkey.
 */
import assert from 'node:assert/strict'
import { after, describe, test, type TestContext } from 'node:test'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { eventually } from '../../../../../test/fixtures/eventually.ts'
import { mailSettings, openMailServer } from '../../../../../test/fixtures/external/mail-server.ts'
import { openBrowser } from '../../../../../test/fixtures/portal/browser.ts'
import { assertFit } from '../../../../../test/fixtures/portal/fit.ts'
import { usePortal } from '../../../../../test/fixtures/portal/built-portal.ts'
import {
  saveScreenshot,
  widthsOfStates,
} from '../../../../../test/fixtures/portal/portal-browser.ts'
import { openTestRuntime } from '../../../../../test/fixtures/runtime.ts'

const mailServer = await openMailServer()
const fixture = await openTestRuntime({
  settings: { ...mailSettings(mailServer), HOMEPORT_SIGNUP: 'open' },
})
await usePortal(fixture)
const origin = fixture.runtime.config.public_url
const browser = await openBrowser()
after(() => browser.close())
let people = 0

async function open(t: TestContext, options: BrowserContextOptions): Promise<Page> {
  // Moves past the rate limit window of earlier sign-ups.
  fixture.passes('61 minutes')
  const context = await browser.newContext({ locale: 'en-GB', ...options })
  t.after(() => context.close())
  await context.clock.setSystemTime(fixture.clock.now_ms())
  const page = await context.newPage()
  await page.addInitScript('delete globalThis.PublicKeyCredential?.isConditionalMediationAvailable')
  return page
}

async function codeFor(email: string): Promise<string> {
  const mail = await eventually(() => mailServer.mails.find(({ to }) => to.includes(email)))
  return /^(\d{4} \d{4})$/m.exec(mail.text)?.[1] ?? ''
}

/** Moves the focus with the Tab key until it is on the element with this name. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 20; presses += 1) {
    await page.keyboard.press('Tab')
    const focused = await page.evaluate(
      `(() => { const e = document.activeElement; return (e.labels?.[0]?.innerText ?? e.innerText ?? '').trim() })()`,
    )
    if (String(focused).startsWith(name)) return
  }
  assert.fail(`Tab does not lead to ${name}.`)
}

interface Look {
  width: number
  shot: string
}

async function checkLook(page: Page, { width, shot }: Look): Promise<void> {
  await saveScreenshot(page, `sign-up-${shot}-${width}`)
  await assertFit(page, width)
}

describe('a person without an account', () => {
  for (const width of widthsOfStates) {
    test(`creates one and a project by keyboard at ${width} pixels`, async (t) => {
      const page = await open(t, { viewport: { width, height: 844 } })
      const email = `keyboard-${(people += 1)}@bakery.example`
      await page.goto(`${origin}/portal/sign-in`)
      await tabTo(page, 'Create an account')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Create an account' }).waitFor()
      await checkLook(page, { width, shot: '1-address' })
      await tabTo(page, 'Email address')
      await page.keyboard.type(email)
      await tabTo(page, 'I accept')
      await page.keyboard.press('Space')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Check your email' }).waitFor()
      await checkLook(page, { width, shot: '2-code' })
      await tabTo(page, 'Code from the mail')
      await page.keyboard.type('0000 0000')
      await page.keyboard.press('Enter')
      await page.getByRole('alert').waitFor()
      await checkLook(page, { width, shot: '2-wrong-code' })
      await tabTo(page, 'Code from the mail')
      await page.keyboard.type(await codeFor(email))
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'How do you want to sign in?' }).waitFor()
      await checkLook(page, { width, shot: '3-method' })
      await tabTo(page, 'Password')
      await page.keyboard.type('bread rises before dawn')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: 'Name your first project' }).waitFor()
      await checkLook(page, { width, shot: '4-project' })
      await tabTo(page, 'Name of the business')
      await page.keyboard.type('Bakery De Molen')
      await page.keyboard.press('Enter')
      await page.waitForURL('**/portal/app/projects/*/start*')
      await page.getByText('Bakery De Molen').first().waitFor({ state: 'attached' })
    })
  }

  test('works without JavaScript, in Dutch', async (t) => {
    const page = await open(t, { javaScriptEnabled: false, locale: 'nl-NL' })
    const email = `zonder-${(people += 1)}@bakkerij.example`
    await page.goto(`${origin}/portal/sign-up`)
    await page.getByLabel('E-mailadres').fill(email)
    await page.getByLabel('Ik ga akkoord').check()
    await page.getByRole('button', { name: 'Doorgaan' }).click()
    await page.getByLabel('Code uit de mail').fill(await codeFor(email))
    await page.getByRole('button', { name: 'Doorgaan' }).click()
    await page.getByRole('heading', { name: 'Hoe wilt u zich aanmelden?' }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Passkey maken' }).isVisible(), false)
    await page.getByRole('link', { name: 'Doorgaan met codes per mail' }).click()
    await page.getByLabel('Naam van het bedrijf').fill('Bakkerij De Molen')
    const made = page.waitForURL('**/portal/app/projects/*/start*')
    await page.getByRole('button', { name: 'Project maken' }).click()
    await made
  })

  test('creates a passkey and signs in with it', async (t) => {
    const page = await open(t, { viewport: { width: 1440, height: 844 } })
    const device = await page.context().newCDPSession(page)
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
    const email = `passkey-${(people += 1)}@bakery.example`
    await page.goto(`${origin}/portal/sign-up`)
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('I accept').check()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('Code from the mail').fill(await codeFor(email))
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'Create a passkey' }).click()
    await page.getByLabel('Name of the business').fill('De Molen')
    await page.getByRole('button', { name: 'Create the project' }).click()
    await page.waitForURL('**/portal/app/projects/*/start*')
    await page.context().clearCookies()
    await page.goto(`${origin}/portal/sign-in`)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.waitForURL('**/portal/app/**')
    await page.getByText('De Molen').first().waitFor()
  })
})
