/** Tests of a deployed site in a real browser: assets, rules, routes of an app, and a password. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import { openBrowser } from '../../../test/fixtures/portal/browser.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { newSiteOwner, type SiteOwner } from '../../../test/fixtures/sites/site-owner.ts'

const runtime = await openTestRuntime({ work: false })
const browser = await openBrowser()
let owner: SiteOwner

before(async () => {
  owner = await newSiteOwner(runtime)
})
after(() => browser.close())

interface Visitor {
  page: Page
  context: BrowserContext
  /** Errors of the page and of its console. */
  faults: string[]
}

/** A browser with or without JavaScript, in the given language. */
async function newVisitor(script = true, locale = 'en-GB'): Promise<Visitor> {
  const context = await browser.newContext({ javaScriptEnabled: script, locale })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', ({ message }) => faults.push(message))
  page.on('console', (line) => line.type() === 'error' && faults.push(line.text()))
  return { page, context, faults }
}

const shell = (title: string, main: string) => `<!doctype html><html lang="en"><head>
<title>${title}</title><link rel="stylesheet" href="/assets/style.0a1b2c3d.css">
<link rel="icon" href="/assets/icon.svg"></head><body><main>${main}</main>
<script src="/assets/app.0a1b2c3d.js" type="module"></script></body></html>`

const app = {
  'index.html': shell('App', '<h1 id="route"></h1><a href="/users/8">Next</a><p id="data"></p>'),
  'about.html': shell('About', '<h1>About</h1>'),
  'assets/style.0a1b2c3d.css': `h1{color:rgb(0,128,0)}${'/* fine */'.repeat(100)}`,
  'assets/app.0a1b2c3d.js': `${'// A script.\n'.repeat(60)}
    const heading = document.querySelector('#route')
    if (heading) heading.textContent = location.pathname
    const { bread } = await (await fetch('/assets/data.json')).json()
    const place = document.querySelector('#data')
    if (place) place.textContent = bread`,
  'assets/icon.svg': '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>',
  'assets/data.json': '{"bread":"rye"}',
  _redirects: '/old/:id /users/:id 301',
}

test('a browser loads a site with its assets and client-side routes', async () => {
  const { url } = await owner.publish(app, { spa: true })
  const { page, context, faults } = await newVisitor()
  const seen = new Map<string, string | null>()
  page.on('response', async (response) => {
    const { pathname } = new URL(response.url())
    seen.set(pathname, `${response.status()} ${await response.headerValue('content-encoding')}`)
  })
  await page.goto(`${url}/users/7`)
  await page.waitForFunction("document.querySelector('#data').textContent === 'rye'")
  assert.equal(await page.textContent('#route'), '/users/7')
  const color = await page.evaluate("getComputedStyle(document.querySelector('h1')).color")
  assert.equal(color, 'rgb(0, 128, 0)')
  await page.click('a')
  await page.waitForURL(`${url}/users/8`)
  await page.goto(`${url}/old/9`)
  assert.equal(page.url(), `${url}/users/9`)
  await page.goto(`${url}/about`)
  assert.equal(await page.title(), 'About')
  assert.match(seen.get('/assets/style.0a1b2c3d.css') ?? '', /^200 (?:br|zstd|gzip)$/)
  assert.deepEqual(faults, [])
  await context.close()
})

test('a missing script gets 404, also in a single-page app', async () => {
  const { url } = await owner.publish(
    { ...app, 'index.html': '<script src="/gone.js"></script>' },
    { spa: true },
  )
  const { page, context } = await newVisitor()
  const gone = page.waitForResponse((response) => response.url().endsWith('/gone.js'))
  await page.goto(`${url}/anywhere`)
  assert.equal((await gone).status(), 404)
  await context.close()
})

for (const script of [true, false]) {
  const how = script ? 'with scripts' : 'without scripts'
  test(`the password of a site is entered once ${how}`, async () => {
    const fresh = await newSiteOwner(runtime)
    const settings = { visibility: 'password', password: 'white-flour-4' }
    const { url } = await fresh.publish(
      { 'index.html': '<title>In</title>', 'a.html': '<title>A</title>' },
      settings,
    )
    const { page, context, faults } = await newVisitor(script, 'nl-NL')
    await page.goto(`${url}/a?x=1`)
    assert.equal(await page.textContent('h1'), 'Deze site heeft een wachtwoord')
    const focused = await page.evaluate('document.activeElement.id')
    assert.equal(focused, 'password')
    await page.fill('#password', 'wrong-password')
    await page.press('#password', 'Enter')
    await page.waitForSelector('[role=alert]')
    await page.fill('#password', 'white-flour-4')
    await page.click('button')
    await page.waitForURL(`${url}/a?x=1`)
    assert.equal(await page.title(), 'A')
    await page.goto(`${url}/`)
    assert.equal(await page.title(), 'In')
    const [cookie, ...others] = await context.cookies()
    assert.deepEqual(others, [])
    assert.equal(cookie?.domain, new URL(url).hostname)
    assert.equal(cookie?.httpOnly, true)
    const refused = faults.filter((fault) => !fault.includes('401'))
    assert.deepEqual(refused, [])
    await context.close()
  })
}

test('one site cannot read another site, nor the API through it', async () => {
  const fresh = await newSiteOwner(runtime)
  const [one, other] = [await fresh.publish(app), await fresh.publish(app)]
  const { page, context } = await newVisitor()
  await page.goto(one.url)
  const reads = async (url: string) =>
    page.evaluate(
      (address) =>
        fetch(address).then(
          () => true,
          () => false,
        ),
      url,
    )
  assert.equal(await reads(`${one.url}/assets/data.json`), true)
  assert.equal(await reads(`${other.url}/assets/data.json`), false)
  assert.equal(await reads(`${runtime.runtime.config.public_url}/api/v1/status`), false)
  await context.close()
})

test('an unknown address shows a page in the language of the visitor', async () => {
  const { page, context } = await newVisitor(true, 'de-DE')
  await page.goto(`http://nobody.${runtime.runtime.config.sites_domain}/`)
  assert.equal(await page.textContent('h1'), 'Hier ist keine Website')
  await context.close()
})
