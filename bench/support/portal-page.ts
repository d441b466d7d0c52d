/** A signed-in page of the portal in a real browser, for the bench. */
import { setTimeout as delay } from 'node:timers/promises'
import type { BrowserContextOptions, CDPSession, Page } from 'playwright-core'
import type { TestBrowser } from '../../test/fixtures/portal/browser.ts'
import type { ServerProcess } from '../../test/fixtures/server-process.ts'

const BUILD_WAIT_MS = 180_000
const POLL_MS = 1000

export interface PortalPage {
  page: Page
  session: CDPSession
}

/** Opens a page that accepts gzip only, so that sizes do not depend on the encodings of a browser. */
export async function openPortalPage(
  browser: TestBrowser,
  look: Pick<BrowserContextOptions, 'storageState'> = {},
): Promise<PortalPage> {
  const context = await browser.newContext({
    ...look,
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    reducedMotion: 'reduce',
    extraHTTPHeaders: { 'accept-encoding': 'gzip' },
  })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  return { page, session }
}

/** Waits until the server has built the portal, and signs in with the link of its first start. */
export async function signInOnce(browser: TestBrowser, { banner }: ServerProcess) {
  const { page } = await openPortalPage(browser)
  const until_ms = performance.now() + BUILD_WAIT_MS
  await page.goto(banner['sign_in_url']!)
  const app = new URL('/portal/app/', banner['base_url']).href
  while (performance.now() < until_ms) {
    await page.goto(app)
    if ((await page.locator('#root, script[type=module]').count()) > 0) {
      const state = await page.context().storageState()
      await page.context().close()
      return state
    }
    await delay(POLL_MS)
  }
  throw new Error('The portal was not built in time.')
}

/** Waits until the heading of a page is shown and nothing is loading. */
export async function shown(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.locator('.animate-pulse').first().waitFor({ state: 'detached' })
}
