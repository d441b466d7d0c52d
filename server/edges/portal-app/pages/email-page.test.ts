/** The page of email in a real browser: turning it on, a domain, sent emails, addresses and the outbox. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { emailFrom } from '../../../../test/fixtures/email/email-from.ts'
import { eventually } from '../../../../test/fixtures/eventually.ts'
import { openRecordServer } from '../../../../test/fixtures/external/record-server.ts'
import { longTest } from '../../../../test/fixtures/depth.ts'
import { assertFit } from '../../../../test/fixtures/portal/fit.ts'
import {
  openPortalBrowser,
  saveScreenshot,
  widthsOfStates,
} from '../../../../test/fixtures/portal/portal-browser.ts'
import { newSession } from '../../../../test/fixtures/portal/sessions.ts'

const owner = 'lea@bakery.example'
const dns = await openRecordServer()
const { fixture, newProject, open, visit } = await openPortalBrowser(owner, {
  HOMEPORT_EMAIL: 'log',
  HOMEPORT_EMAIL_HOST: 'bounces.home.example',
  HOMEPORT_EMAIL_DNS: dns.address,
})
const timeout = 60_000
const domain = 'lea.example'

async function newBusy(): Promise<string> {
  const project_id = await newProject('Bakery Lea')
  const key = await fixture.newKey({ project_id })
  const session = await newSession(fixture, owner)
  const on = await session.call(`PUT /projects/${project_id}/email/module`, {
    body: { enabled: true },
  })
  assert.equal(on.status, 200, on.text)
  const send = async (route: string, body: unknown) => {
    const answer = await fixture.call(route, { key, body })
    assert.ok(answer.status < 300, answer.text)
    return answer.body
  }
  const { records } = await send('POST /sending-domains', { domain })
  for (const { type, name, value } of records) dns.set(name, type, [value])
  const html = '<h1 style="color: teal">Your order 1042</h1><p>Your bread is ready.</p>'
  await send('POST /emails', { ...emailFrom(domain), to: [owner], html })
  const scheduled_at = new Date(fixture.clock.now_ms() + 86_400_000).toISOString()
  await send('POST /emails', {
    ...emailFrom(domain),
    to: [owner],
    subject: 'Tomorrow',
    scheduled_at,
  })
  await send('POST /email/suppressions', { address: 'left@example.com' })
  return `/projects/${project_id}/email?mode=test`
}

const path = await newBusy()

describe('the page of email', () => {
  test('leads from off to a domain with its records, which are checked', async (t) => {
    const project_id = await newProject('Bakery of Kim')
    const { page, faults } = await open(t, 1440)
    await visit(page, `/projects/${project_id}/email?mode=test`)
    await page.getByRole('button', { name: 'Turn on email' }).click()
    await page.getByRole('tab', { name: 'Domains' }).click()
    await saveScreenshot(page, 'email-no-domain')
    await page.getByRole('button', { name: 'Add a domain' }).first().click()
    await page.getByRole('textbox', { name: 'Domain' }).fill('kim.example')
    await page.keyboard.press('Enter')
    await page.getByText('Signature (DKIM)').first().waitFor({ timeout })
    await page.getByRole('button', { name: 'Check now' }).click()
    await page.getByText('Missing').first().waitFor({ timeout })
    await page.getByRole('button', { name: 'Logo in inboxes' }).click()
    await page.getByLabel('Address of the logo').fill('https://kim.example/logo.svg')
    await page.keyboard.press('Enter')
    await page.getByText('There must be one DMARC record at').waitFor({ timeout })
    await page.keyboard.press('Escape')
    await saveScreenshot(page, 'email-domain')
    await assertFit(page, 1440)
    assert.ok(
      faults.every((fault) => fault.includes('409 (Conflict)')),
      faults.join('\n'),
    )
  })

  test('shows what happened to an email, its preview, and cancels a scheduled one', async (t) => {
    const { page, faults } = await open(t, 1440)
    await visit(page, path)
    await page.getByRole('tab', { name: 'Emails' }).click()
    await page.getByRole('button', { name: 'Your order 1042' }).click()
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('list', { name: 'What happened' }).waitFor({ timeout })
    await drawer.frameLocator('iframe').getByText('Your bread is ready.').waitFor({ timeout })
    await saveScreenshot(page, 'email-drawer')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Tomorrow' }).click()
    await drawer.getByRole('button', { name: 'Cancel the email' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel the email' }).click()
    await page.getByText('The email is canceled.').waitFor({ timeout })
    // The frame is sandboxed, so the browser refuses the script that the test driver adds to it.
    assert.ok(
      faults.every((fault) => fault.includes("the document's frame is sandboxed")),
      faults.join('\n'),
    )
  })

  longTest('adds an address that gets no email, and allows it again', async (t) => {
    const { page, faults } = await open(t, 1440)
    await visit(page, path)
    await page.getByRole('tab', { name: 'Addresses' }).click()
    await page.getByText('left@example.com').waitFor({ timeout })
    await saveScreenshot(page, 'email-addresses')
    await page.getByRole('button', { name: 'Allow again' }).first().click()
    await eventually(async () => (await page.getByText('left@example.com').count()) === 0)
    assert.deepEqual(faults, [])
  })

  for (const width of widthsOfStates) {
    longTest(`fits a width of ${width} in both languages`, async (t) => {
      const { page, faults } = await open(t, width)
      for (const language of ['en', 'nl'] as const) {
        await page.evaluate(`localStorage.setItem('homeport.language', '${language}')`)
        await visit(page, path)
        for (const [at, part] of [
          'overview',
          'emails',
          'domains',
          'addresses',
          'outbox',
        ].entries()) {
          await page.getByRole('tab').nth(at).click()
          // The panel of the tab before is inert until it leaves.
          await page.locator('[role=tabpanel]:not([inert])').waitFor({ timeout })
          await assertFit(page, width)
          await saveScreenshot(page, `email-${part}-${language}-${width}`)
        }
      }
      assert.deepEqual(faults, [])
    })
  }
})
