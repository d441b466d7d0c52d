/** What a browser loads for the first page of a project: counted, because each request costs a round trip. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPortalBrowser } from '../../../../test/fixtures/portal/portal-browser.ts'
import { eventually } from '../../../../test/fixtures/eventually.ts'

const REQUESTS_MAX = 20
const BYTES_MAX = 200_000

const portal = await openPortalBrowser('olga@molen.example')
const { fixture, newProject, open, visit } = portal

test('loads the start page in at most 20 requests, with at most 200 kB of scripts and styles', async (t) => {
  const id = await newProject('Molen')
  const key = await fixture.newKey({ project_id: id })
  await fixture.call('POST /collections', { key, body: { name: 'bookings', title: 'Bookings' } })
  const { page } = await open(t, 1440)
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  // As browsers ask for over https; over http they may not.
  await session.send('Network.setExtraHTTPHeaders', { headers: { 'accept-encoding': 'br' } })
  const urls: string[] = []
  const code = new Set<string>()
  const loaded = new Set<string>()
  let bytes = 0
  session.on('Network.requestWillBeSent', ({ request }) => urls.push(new URL(request.url).pathname))
  session.on('Network.responseReceived', ({ requestId, type }) => {
    if (type === 'Script' || type === 'Stylesheet') code.add(requestId)
  })
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    loaded.add(requestId)
    if (code.has(requestId)) bytes += encodedDataLength
  })
  await visit(page, `/projects/${id}?mode=test`)
  // The last request of the page.
  await eventually(() => urls.some((url) => url.endsWith('/documents/changes')))
  await eventually(() => [...code].every((id) => loaded.has(id)))
  const list = urls.join('\n')
  assert.match(list, /activity\/stream/)
  assert.ok(urls.length > 8 && urls.length <= REQUESTS_MAX, `${urls.length} requests:\n${list}`)
  assert.ok(bytes > 100_000 && bytes <= BYTES_MAX, `${bytes} bytes`)
})

test('tells the browser with the page which script it needs besides the frame', async (t) => {
  const id = await newProject('Molen')
  const { page } = await open(t, 1440)
  for (const [path, script] of [
    ['', 'home'],
    ['/calls', 'calls'],
    ['/chat-tokens', 'chat-tokens'],
  ] as const) {
    const answer = await page.goto(`${fixture.url}/portal/app/projects/${id}${path}`)
    const link = answer?.headers()['link'] ?? ''
    assert.match(
      link,
      new RegExp(`^</portal/app/assets/${script}-page-[\\w-]+\\.js>; rel=modulepreload$`),
    )
  }
  const account = await page.goto(`${fixture.url}/portal/app/account`)
  assert.equal(account?.headers()['link'], undefined)
})
