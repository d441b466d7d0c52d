/**
 * Tests of passkeys in a real browser with a virtual authenticator: by button, by autofill in the
 * email field and to confirm identity. Pages work without JavaScript.
 */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { BrowserContext, CDPSession, Page } from 'playwright-core'
import { openBrowser } from '../../../../../test/fixtures/portal/browser.ts'
import { openTestRuntime } from '../../../../../test/fixtures/runtime.ts'
import { createSignInPath, createOwnedProject } from '../../../../../test/fixtures/portal/portal.ts'

const fixture = await openTestRuntime({ work: false })
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
  await page.getByRole('link', { name: email }).click()
  await page.getByRole('link', { name: 'Add a passkey' }).click()
  assert.match(await page.getByLabel('Name').inputValue(), /^Chrome on /)
  await page.getByLabel('Name').fill('The laptop')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByText('The passkey is added').waitFor()
  await page.getByText('The laptop').first().waitFor()
  return scene
}

async function signOut({ page }: Scene): Promise<void> {
  await page.getByRole('button', { name: 'Sign out' }).first().click()
  await page.getByText('You are signed out').waitFor()
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
    await page.getByRole('heading', { name: 'Projects' }).waitFor()
    await page.getByRole('link', { name: scene.email }).waitFor()
    await done(scene)
  })

  test('is offered in the email field', async () => {
    const scene = await withPasskey({ autofill: true })
    const { page } = scene
    await page.getByRole('button', { name: 'Sign out' }).first().click()
    // The authenticator answers the pending autofill request, so no button is pressed.
    await page.getByRole('heading', { name: 'Projects' }).waitFor()
    await done(scene)
  })

  test('confirms the identity of a person', async () => {
    const scene = await withPasskey()
    const { page } = scene
    fixture.passes('20 minutes')
    await page.goto(`${origin}/portal/account`)
    await page.getByRole('link', { name: 'Confirm your identity' }).first().click()
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByRole('link', { name: 'Add a passkey' }).waitFor()
    await done(scene)
  })

  test('is not created twice on a device, which is reported', async () => {
    const scene = await withPasskey()
    const { page } = scene
    await page.getByRole('link', { name: 'Add a passkey' }).click()
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByText('already has a passkey for your account').waitFor()
    await done(scene)
  })

  test('is refused without fingerprint, face or PIN', async () => {
    const scene = await withPasskey()
    const { page, device, authenticatorId } = scene
    await signOut(scene)
    await device.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
    await page.getByText('The request was cancelled').waitFor()
    assert.match(page.url(), /\/portal\/sign-in/)
    await done(scene)
  })

  test('shows a message if it was removed', async () => {
    const scene = await withPasskey()
    const { page } = scene
    await page.getByText('Rename or remove').click()
    await page.getByRole('button', { name: 'Remove the passkey The laptop' }).click()
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
