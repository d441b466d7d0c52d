/** Deploys the example guest book with its script, and signs it in a browser as wide as a phone. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { listLoggedMails } from '../../server/providers/mail/mail.ts'
import { eventually } from '../fixtures/eventually.ts'
import { openBrowser } from '../fixtures/portal/browser.ts'
import { openTestRuntime } from '../fixtures/runtime.ts'
import { newSiteOwner, newSlug } from '../fixtures/sites/site-owner.ts'

const runtime = await openTestRuntime()
const browser = await openBrowser()
const program = join(import.meta.dirname, '../../examples/guest-book/deploy.mjs')
after(() => browser.close())

describe('the example guest book', () => {
  it('is deployed twice, and takes an entry of a visitor who signs in', async () => {
    const { project_id } = await newSiteOwner(runtime)
    const HOMEPORT_KEY = await runtime.newKey({ project_id })
    const env = { ...process.env, HOMEPORT_URL: runtime.url, HOMEPORT_KEY }
    const slug = newSlug()
    const deploy = () => promisify(execFile)(process.execPath, [program, slug], { env })
    await deploy()
    const url = (await deploy()).stdout.trim()

    const context = await browser.newContext({ viewport: { width: 390, height: 844 } })
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    const faults: string[] = []
    page.on('pageerror', ({ message }) => faults.push(message))
    await page.goto(url)
    await page.getByLabel('Email address').fill('anna@example.com')
    await page.getByRole('button', { name: 'Continue' }).click()
    const mail = await eventually(() => listLoggedMails(runtime.runtime)[0])
    assert.equal(mail.to, 'anna@example.com')
    const [code = ''] = /\b\d{6}\b/.exec(mail.text) ?? []
    await page.getByLabel('Code from the email').fill(code)
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByLabel('Your message').fill('Lovely <b>bread</b>!')
    await page.getByRole('button', { name: 'Sign the guest book' }).click()
    await page.getByText('Lovely <b>bread</b>! — anna').waitFor()
    await page.reload()
    await page.getByText('Lovely <b>bread</b>! — anna').waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Email address').waitFor()
    assert.deepEqual(faults, [])
    await context.close()
  })
})
