/**
 * The portal in a real browser: each page at three widths, light and dark, without findings of axe,
 * messages in the console or violations of the policy. HOMEPORT_SHOTS names a folder for pictures.
 */
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { openBrowser } from '../../../test/fixtures/browser.ts'
import { assertFit } from '../../../test/fixtures/fit.ts'
import { linkFor, ownedBy, signIn } from '../../../test/fixtures/portal.ts'
import { furnishProject, spendMoney, usePortal } from '../../../test/fixtures/portal-app.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { openReceiver } from '../../../test/fixtures/webhook-receiver.ts'

const shots = process.env['HOMEPORT_SHOTS']
const fixture = await openTestRuntime()
await usePortal(fixture)
const receiver = await openReceiver()
const browser = await openBrowser()
after(() => browser.close())

const owner = 'anna@demolen.example'
const project_id = await ownedBy(fixture, owner)
const empty_id = await ownedBy(fixture, owner)
await rename(project_id, 'Bakkerij De Molen')
await rename(empty_id, 'Fietsen van Jan')
await spendMoney(fixture, project_id)
const key = await fixture.newKey({ project_id })
await fixture.newKey({ project_id, scopes: ['calls:read', 'data:read'] })
const visitor = await signIn(fixture, owner)
await furnishProject(fixture, { project_id, key, visitor, receiver_url: receiver.url })

const pages = ['', '/approvals', '/keys', '/webhooks', '/billing', '/team']

async function rename(id: string, name: string): Promise<void> {
  await fixture.runtime.db.transact((tx) =>
    tx.updateTable('projects').set({ name }).where('id', '=', id).execute(),
  )
}

interface Opened {
  context: BrowserContext
  page: Page
  /** What the browser complained about. */
  faults: string[]
}

async function open(width: number, { dark = false } = {}): Promise<Opened> {
  const context = await browser.newContext({
    viewport: { width, height: width < 500 ? 844 : 900 },
    colorScheme: dark ? 'dark' : 'light',
    locale: 'en-GB',
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(String(error)))
  await page.goto(fixture.url + (await linkFor(fixture, owner)))
  return { context, page, faults }
}

async function visit(page: Page, path: string): Promise<void> {
  await page.goto(`${fixture.url}/portal/app${path}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
}

async function shoot(page: Page, name: string): Promise<void> {
  if (shots === undefined) return
  mkdirSync(shots, { recursive: true })
  await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true })
}

describe('the portal in a browser', () => {
  for (const width of [1440, 1024, 390]) {
    for (const dark of [false, true]) {
      const look = `${width}-${dark ? 'dark' : 'light'}`
      test(`shows each page at ${look}`, async () => {
        const { context, page, faults } = await open(width, { dark })
        for (const path of pages) {
          await visit(page, `/projects/${project_id}${path}?mode=${width === 1440 ? 'live' : 'test'}`)
          await shoot(page, `${look}${path.replace('/', '-') || '-home'}`)
          await assertFit(page, width)
        }
        assert.deepEqual(faults, [])
        await context.close()
      })
    }
  }
})
