/** What is asked of every page of ours in a browser: nothing keeps people out, and it fits. */
import assert from 'node:assert/strict'
import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** Nothing that axe finds, and nothing wider than the screen. */
export async function assertFit(page: Page, width: number): Promise<void> {
  // An element can be found before the style sheet has arrived.
  await page.waitForLoadState('load')
  const wide = await page.evaluate('document.documentElement.scrollWidth')
  assert.ok(Number(wide) <= width, `${page.url()} is ${wide} wide at ${width}`)
  await page.evaluate(axe.source)
  const { violations }: any = await page.evaluate('axe.run()')
  assert.deepEqual(
    violations.map(({ id, nodes }: any) => [id, nodes[0].html, nodes[0].failureSummary]),
    [],
    page.url(),
  )
}
