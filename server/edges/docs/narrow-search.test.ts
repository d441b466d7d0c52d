/** Tests of the search results below the search field in a real browser, in narrow windows. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { openBrowser } from '../../../test/fixtures/portal/browser.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'

const fixture = await openTestRuntime({ work: false })
const browser = await openBrowser()

describe('the search results while typing', () => {
  after(async () => {
    await browser.close()
  })

  for (const width of [320, 360, 390, 600, 641, 800, 1200]) {
    test(`fit into a window ${width} px wide`, async () => {
      const page = await browser.newPage({ viewport: { width, height: 800 } })
      await page.goto(`${fixture.url}/docs`)
      await page.fill('.search input', 'form')
      await page.waitForSelector('.found .results a')
      const box = await page.locator('.found').boundingBox()
      assert.ok(box && box.x >= 0 && box.x + box.width <= width, JSON.stringify(box))
      const titles = await page.locator('.found a strong').all()
      for (const title of titles.slice(0, 5)) {
        const place = await title.boundingBox()
        assert.ok(place && place.x >= box.x, JSON.stringify(place))
      }
      const over = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      assert.ok(Number(over) <= 0, `${over} px too wide`)
      await page.close()
    })
  }
})
