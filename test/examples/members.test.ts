/** Deploys the example of members with the command line, and signs a member in with a browser. */
import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { listLoggedMails } from '../../server/providers/mail/mail.ts'
import { deployExample } from '../fixtures/apps/deploy-example.ts'
import { eventually } from '../fixtures/eventually.ts'
import { openBrowser } from '../fixtures/portal/browser.ts'
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
  await page.goto(origin)
  const refused = await page.evaluate(async () => (await fetch('/api/members')).status)
  assert.equal(refused, 401)
  await page.getByLabel('Email address').fill('anna@example.com')
  await page.getByRole('button', { name: 'Continue' }).click()
  const mail = await eventually(() => listLoggedMails(runtime.runtime)[0])
  const [code = ''] = /\b\d{6}\b/.exec(mail.text) ?? []
  await page.getByLabel('Code from the email').fill(code)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByLabel('Name').fill('Anna')
  await page.getByLabel('About you').fill('I bake <b>bread</b>.')
  const held = Promise.withResolvers<void>()
  await page.route('**/api/me', async (route) => {
    if (route.request().method() === 'PUT') await held.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByLabel('Name').fill('Anna, typed meanwhile')
  held.resolve()
  await page.getByText('Saved.').waitFor()
  assert.equal(await page.getByLabel('Name').inputValue(), 'Anna, typed meanwhile')
  await page.getByText('Anna — I bake <b>bread</b>.').waitFor()
  await page.reload()
  await page.getByText('Anna — I bake <b>bread</b>.').waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('Email address').waitFor()
  assert.deepEqual(faults, [])
  await context.close()
})
