/**
 * Tests of passkeys in a real browser with a virtual authenticator: adding and removing them on the
 * account page, and signing in by button, by autofill in the email field and to confirm identity.
 */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { BrowserContext, CDPSession, Page } from 'playwright-core'
import { longTest } from '../../../../../test/fixtures/depth.ts'
import { openBrowser } from '../../../../../test/fixtures/portal/browser.ts'
import { openTestRuntime } from '../../../../../test/fixtures/runtime.ts'
import {
  saveScreenshot,
  widthsOfStates,
} from '../../../../../test/fixtures/portal/portal-browser.ts'
import { usePortal } from '../../../../../test/fixtures/portal/built-portal.ts'
import { createSignInPath, createOwnedProject } from '../../../../../test/fixtures/portal/portal.ts'

const fixture = await openTestRuntime({ work: false })
await usePortal(fixture)
// The URL uses a host name, because browsers bind passkeys to host names and the fixture listens on
// an IP address.
const origin = fixture.runtime.config.public_url
const browser = await openBrowser()
let people = 0

interface Scene {
  email: string
  context: BrowserContext
  page: Page
  device: CDPSession
  authenticatorId: string
  faults: string[]
}

/** Without autofill the browser offers passkeys by the button only. */
async function newScene({ autofill = false } = {}): Promise<Scene> {
  const email = `browser-${(people += 1)}@bakery.example`
  await createOwnedProject(fixture, email)
  const context = await browser.newContext()
  const page = await context.newPage()
  if (!autofill) {
    await page.addInitScript('delete PublicKeyCredential.isConditionalMediationAvailable')
  }
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) faults.push(message.text())
  })
  const device = await context.newCDPSession(page)
  await device.send('WebAuthn.enable', { enableUI: false })
  const { authenticatorId } = await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return { email, context, page, device, authenticatorId, faults }
}

/** Signs in by a link and adds a passkey. */
async function withPasskey(options: { autofill?: boolean } = {}): Promise<Scene> {
  const scene = await newScene(options)
  const { page, email } = scene
  await page.goto(origin + (await createSignInPath(fixture, email)))
  await page.waitForURL(`${origin}/portal/app/`)
  await page.goto(`${origin}/portal/app/account`)
  const name = await pressAdd(page)
  assert.match(await name.inputValue(), /^Chrome, /)
  await name.fill('The laptop')
  await addInDialog(page)
  await page.getByText('The passkey is added').waitFor()
  await page.getByText('The laptop').first().waitFor()
  return scene
}

/** Opens the dialog, and returns its field. */
async function pressAdd(page: Page) {
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  return page.getByRole('dialog').getByLabel('Name')
}

const addInDialog = (page: Page) =>
  page.getByRole('dialog').getByRole('button', { name: 'Add a passkey' }).click()

async function pressSignOut({ page }: Scene): Promise<void> {
  await page.getByRole('button', { name: 'Account menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
}

async function signOut(scene: Scene): Promise<void> {
  const { page } = scene
  await pressSignOut(scene)
  await page.getByText('You are signed out').waitFor()
}

/** Keeps pictures of the account page if HOMEPORT_SHOTS is set. */
async function keepPictures({ page }: Scene): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of widthsOfStates) {
      await page.emulateMedia({ colorScheme })
      await page.setViewportSize({ width, height: 900 })
      await saveScreenshot(page, `account-${width}-${colorScheme}`)
    }
  }
}

async function done({ context, faults }: Scene): Promise<void> {
  assert.deepEqual(faults, [])
  await context.close()
}

describe('a passkey in a browser', () => {
  after(async () => {
    await browser.close()
  })

  test('is added, and signs in with the button', async () => {
    const scene = await withPasskey()
    const { page, device, authenticatorId } = scene
    const { credentials } = await device.send('WebAuthn.getCredentials', { authenticatorId })
    assert.deepEqual(
      credentials.map(({ rpId, isResidentCredential }) => [rpId, isResidentCredential]),
      [['localhost', true]],
    )
    await signOut(scene)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.waitForURL(`${origin}/portal/app/`)
    await page.goto(`${origin}/portal/app/account`)
    await page.getByText(scene.email).first().waitFor()
    await page.getByText(/added .+ · used /).waitFor()
    await keepPictures(scene)
    await done(scene)
  })

  longTest('is offered in the email field', async () => {
    const scene = await withPasskey({ autofill: true })
    const { page } = scene
    await pressSignOut(scene)
    // The authenticator answers the pending autofill request, so no button is pressed.
    await page.waitForURL(`${origin}/portal/app/`)
    await done(scene)
  })

  test('confirms the identity of a person, and is not created twice on a device', async () => {
    const scene = await withPasskey()
    const { page } = scene
    fixture.passes('20 minutes')
    await pressAdd(page)
    await addInDialog(page)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    // The dialog below is still open, and its request is sent again.
    await page.getByText('already has a passkey for your account').waitFor()
    await done(scene)
  })

  longTest('is refused without fingerprint, face or PIN', async () => {
    const scene = await withPasskey()
    const { page, device, authenticatorId } = scene
    await signOut(scene)
    await device.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByText('The request was cancelled').waitFor()
    assert.match(page.url(), /\/portal\/sign-in/)
    await done(scene)
  })

  longTest('can be renamed and removed, and no longer signs in then', async () => {
    const scene = await withPasskey()
    const { page } = scene
    await page.getByRole('button', { name: 'Actions of The laptop' }).click()
    await page.getByRole('menuitem', { name: 'Rename' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('The old laptop')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('The passkey is renamed').waitFor()
    await page.getByRole('button', { name: 'Actions of The old laptop' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('The passkey is removed').waitFor()
    await signOut(scene)
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByText('The passkey is not registered here').waitFor()
    await done(scene)
  })

  test('has no button without JavaScript', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto(`${origin}/portal/sign-in`)
    assert.equal(await page.getByRole('button', { name: 'Sign in with a passkey' }).count(), 0)
    await page.getByLabel('Email address').fill('somebody@bakery.example')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('Password').waitFor()
    await context.close()
  })
})
