/** Tests that a site changed by another process is served in its new version at once. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { standingClock } from '../fixtures/bare-runtime.ts'
import { eventually } from '../fixtures/eventually.ts'
import { openTestRuntime } from '../fixtures/runtime.ts'
import { hostOf, visit } from '../fixtures/sites/site-visitor.ts'
import { buildApp } from '../../server/app.ts'
import { openDatabase } from '../../server/kernel/database/database.ts'
import { connectNotifications } from '../../server/kernel/jobs/notifications.ts'
import { createWakeups } from '../../server/kernel/jobs/wakeups.ts'

// The standing clock never expires the cached version.
const one = await openTestRuntime({ work: false, clock: standingClock() })

async function openOther() {
  const db = openDatabase({ connection: one.connection, onError: () => {} })
  const runtime = { ...one.runtime, db, wakeups: createWakeups() }
  const app = buildApp(runtime, null)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const address = app.server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return { runtime, app, url: `http://127.0.0.1:${port}` }
}

test('a process serves the change of another process once it is announced', async () => {
  const other = await openOther()
  const notifications = [one.runtime, other.runtime].map((runtime) =>
    connectNotifications(runtime, one.connection),
  )
  after(async () => {
    for (const each of notifications) await each.stop()
    await other.app.close()
    await other.runtime.db.close()
  })
  for (const each of notifications) await each.connected()
  const files = [{ path: 'index.html', content: '<h1>One</h1>' }]
  const body = { slug: 'shared', visibility: 'password', password: 'secret one', files }
  const { body: site, text } = await one.call('POST /sites', { body })
  assert.ok(site.url, text)
  const host = hostOf(site.url)
  const statusAt = async () => (await visit(other, { host, route: 'GET /' })).status
  assert.equal(await statusAt(), 401)
  assert.equal((await one.call(`DELETE /sites/${site.id}`)).status, 204)
  await eventually(async () => (await statusAt()) === 404)
})
