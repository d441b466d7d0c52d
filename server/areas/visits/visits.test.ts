/** Tests of page views: what is counted, by which names, and for how long. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { standingClock } from '../../../test/fixtures/bare-runtime.ts'
import { slugOf } from '../../../test/fixtures/data/data.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { newSiteOwner } from '../../../test/fixtures/sites/site-owner.ts'
import { hostOf, visit } from '../../../test/fixtures/sites/site-visitor.ts'
import { limits } from '../../contract/limits.ts'
import { newId } from '../../kernel/values/ids.ts'
import { deleteOldVisits } from './jobs.ts'
import { flushViews, recordView } from './service.ts'

const fixture = await openTestRuntime({ work: false, clock: standingClock() })
const { runtime } = fixture
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const page = (title: string) => `<!doctype html><title>${title}</title><h1>${title}</h1>`
const today = () => fixture.clock.now().toISOString().slice(0, 10)

async function newSite() {
  const owner = await newSiteOwner(fixture)
  const site = await owner.publish({
    'index.html': page('Home'),
    'menu.html': page('Menu'),
    '404.html': page('Missing'),
    'style.css': 'body { color: black }',
  })
  const go = (path: string, headers: Record<string, string> = {}, host = hostOf(site.url)) => {
    const [method = 'GET', target = path] = path.includes(' ') ? path.split(' ') : ['GET', path]
    const sent = { 'user-agent': BROWSER, ...headers }
    return visit(fixture, { host, route: `${method} ${target}`, headers: sent })
  }
  const read = async (query = '') => {
    const answer = await owner.call(`GET /sites/${site.id}/visits${query}`)
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  return { ...owner, site, go, read }
}

suite('page views of a site', () => {
  test('are counted by page, whatever its spelling, and not for other files', async () => {
    const { go, read } = await newSite()
    for (const path of ['/', '/?a=1', '/index.html', '/menu', '/menu.html', '/style.css'])
      await go(path)
    const { views, pages, days, from, to } = await read()
    assert.deepEqual(
      [views, pages],
      [
        5,
        [
          { path: '/', views: 3 },
          { path: '/menu', views: 2 },
        ],
      ],
    )
    assert.deepEqual([days.length, days.at(-1)], [30, { day: today(), views: 5 }])
    assert.deepEqual([from, to], [days[0].day, today()])
  })

  test('are counted as one page for each way to encode its path', async () => {
    const { go, read } = await newSite()
    for (const path of ['/menu', '/%6denu', '/men%75?a=1', '/menu']) await go(path)
    assert.deepEqual((await read()).pages, [{ path: '/menu', views: 4 }])
  })

  test('include a page that is answered with 304', async () => {
    const { go, read } = await newSite()
    const { etag } = (await go('/')).headers
    const again = await go('/', { 'if-none-match': String(etag) })
    assert.deepEqual([again.status, (await read()).views], [304, 2])
  })

  test('leave out bots, programs, prefetches, frames, HEAD, missing pages and previews', async () => {
    const { go, read, site } = await newSite()
    await go('/', { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1)' })
    await go('/', { 'user-agent': 'curl/8.5.0' })
    await go('/', { 'sec-purpose': 'prefetch' })
    await go('/', { 'sec-fetch-dest': 'iframe' })
    await go('HEAD /')
    await go('/nothing')
    await go('/', {}, hostOf(site.preview_url))
    const { views, pages, referrers } = await read()
    assert.deepEqual([views, pages, referrers], [0, [], []])
  })

  test('name the hosts with the links, without www and without the site itself', async () => {
    const { go, read, site } = await newSite()
    await go('/', { referer: 'https://www.google.com/search?q=bread' })
    await go('/', { referer: 'https://google.com/' })
    await go('/', { referer: 'not a URL' })
    await go('/menu', { referer: `http://${hostOf(site.url)}/` })
    assert.deepEqual((await read()).referrers, [{ host: 'google.com', views: 2 }])
  })

  test('are added per day, and read for a span of days', async () => {
    const { go, read } = await newSite()
    const first = today()
    await go('/')
    await flushViews(runtime)
    await go('/')
    fixture.passes('1 day')
    await go('/menu')
    assert.deepEqual((await read(`?from=${first}`)).days, [
      { day: first, views: 2 },
      { day: today(), views: 1 },
    ])
    const { views, pages } = await read(`?from=${first}&to=${first}`)
    assert.deepEqual([views, pages], [2, [{ path: '/', views: 2 }]])
  })

  test('are counted together, without a path, beyond the maximum of paths per day', async () => {
    const { read, site, project_id } = await newSite()
    const record = (n: number) =>
      recordView(runtime, { project_id, site_id: site.id, path: `/p${n}`, referrer: null })
    for (let n = 0; n < limits.visits_pages_max; n += 1) record(n)
    await flushViews(runtime)
    for (let n = 0; n < limits.visits_pages_max + 5; n += 1) record(n)
    const { views, pages } = await read()
    assert.deepEqual([views, pages[0]], [2 * limits.visits_pages_max + 5, { path: null, views: 5 }])
  })

  test('of more names than the memory has room for are counted together', async () => {
    const { read, site, project_id } = await newSite()
    for (let n = 0; n < 1_010; n += 1)
      recordView(runtime, { project_id, site_id: site.id, path: `/p${n}`, referrer: null })
    assert.equal((await read()).views, 1_010)
  })

  test('of a project with many names leave room for those of other projects', async () => {
    const [crowded, other] = [await newSite(), await newSite()]
    const { project_id } = crowded
    for (let sites = 0; sites < 20; sites += 1) {
      const site_id = newId(fixture.clock)
      for (let n = 0; n < 1_000; n += 1)
        recordView(runtime, { project_id, site_id, path: `/p${n}`, referrer: null })
    }
    await Promise.all([crowded.go('/menu'), other.go('/menu')])
    const pages = [(await crowded.read()).pages, (await other.read()).pages]
    assert.deepEqual(pages, [[{ path: null, views: 1 }], [{ path: '/menu', views: 1 }]])
  })

  test('are deleted after 400 days, and with their site', async () => {
    const { go, read, site, call, project_id } = await newSite()
    const first = today()
    await go('/')
    await flushViews(runtime)
    fixture.passes('401 days')
    await go('/')
    assert.equal((await read()).views, 1)
    await deleteOldVisits.run(runtime)
    assert.equal((await read(`?from=${first}&to=${first}`)).views, 0)
    await go('/')
    assert.equal((await call(`DELETE /sites/${site.id}`)).status, 204)
    await flushViews(runtime)
    const left = runtime.db.selectFrom('site_visits').selectAll()
    assert.deepEqual(await left.where('project_id', '=', project_id).execute(), [])
  })

  test('are refused for an invalid span with 400 invalid_parameter', async () => {
    const { call, site } = await newSite()
    const spans = ['from=2026-02-30', 'from=2026-03-02&to=2026-03-01', 'from=2020-01-01', 'to=x']
    for (const span of spans) {
      const answer = await call(`GET /sites/${site.id}/visits?${span}`)
      assert.deepEqual([answer.status, slugOf(answer)], [400, 'invalid_parameter'], span)
    }
  })
})
