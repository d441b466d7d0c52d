/** Tests of failures: visitors get 503 with a page, and never part of a file. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { eventually } from '../../../test/fixtures/eventually.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { newSiteOwner } from '../../../test/fixtures/sites/site-owner.ts'
import {
  exchange,
  hostOf,
  visit,
  type SiteReply,
} from '../../../test/fixtures/sites/site-visitor.ts'

const runtime = await openTestRuntime({ work: false })
const owner = await newSiteOwner(runtime)

function isComeAgain(seen: SiteReply): void {
  assert.equal(seen.status, 503)
  assert.equal(seen.headers['retry-after'], '2')
  assert.equal(seen.headers['cache-control'], 'no-store')
  assert.match(seen.text, /Temporarily unavailable/)
}

test('a site answers 503 while the database is unavailable, and recovers afterwards', async () => {
  const { url } = await owner.publish({ 'index.html': 'HERE', 'b.html': 'THERE' })
  const host = hostOf(url)
  assert.equal((await visit(runtime, { host, route: 'GET /' })).text, 'HERE')
  const client = new pg.Client(runtime.connection)
  await client.connect()
  await client.query('alter table sites rename to sites_away')
  runtime.passes('2 seconds')
  isComeAgain(await visit(runtime, { host, route: 'GET /' }))
  isComeAgain(await visit(runtime, { host, route: 'POST /_homeport/password', body: 'password=x' }))
  const get = `GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`
  const said = await exchange(
    runtime,
    get + get.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'),
  )
  assert.equal(said.match(/HTTP\/1\.1 503 /g)?.length, 2)
  await client.query('alter table sites_away rename to sites')
  await client.end()
  assert.equal((await visit(runtime, { host, route: 'GET /b' })).text, 'THERE')
})

test('a site answers 503 for lost bytes, and serves its other files', async () => {
  const site = await owner.publish({ 'index.html': 'HERE', 'lost.txt': 'LOST', 'kept.txt': 'KEPT' })
  const host = hostOf(site.url)
  const keys: string[] = []
  const client = new pg.Client(runtime.connection)
  await client.connect()
  const { rows } = await client.query(
    `select project_id || '/' || (file->>'file_id') as key from site_versions,
       jsonb_array_elements(files) as file where site_id = $1 and file->>'path' = 'lost.txt'`,
    [site.id],
  )
  await client.end()
  keys.push(...rows.map(({ key }) => String(key)))
  assert.equal(keys.length, 1)
  await runtime.runtime.blobs.remove(keys)
  isComeAgain(await visit(runtime, { host, route: 'GET /lost.txt' }))
  assert.equal((await visit(runtime, { host, route: 'HEAD /lost.txt' })).status, 200)
  assert.equal((await visit(runtime, { host, route: 'GET /kept.txt' })).text, 'KEPT')
})

test('a new address serves two hundred concurrent first visitors', async () => {
  const { url } = await owner.publish({ 'index.html': 'MANY' })
  const host = hostOf(url)
  const seen = await Promise.all(
    Array.from({ length: 200 }, () => visit(runtime, { host, route: 'GET /' })),
  )
  assert(seen.every(({ status, text }) => status === 200 && text === 'MANY'))
})

test('the shutdown closes idle connections', async () => {
  const second = await openTestRuntime({ work: false })
  const { url } = await (await newSiteOwner(second)).publish({ 'index.html': 'LAST' })
  const asked = exchange(second, `GET / HTTP/1.1\r\nHost: ${hostOf(url)}\r\n\r\n`)
  const { site_answers } = second.runtime.metrics
  await eventually(() => site_answers.get(200) === 1)
  await second.app.close()
  assert.match(await asked, /LAST$/)
})
