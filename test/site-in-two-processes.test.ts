/** A site that another process changes: served as it is now, without waiting for a second to pass. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { standingClock } from './ground/bare-house.ts'
import { eventually } from './ground/eventually.ts'
import { openTestHouse } from './ground/house.ts'
import { hostOf, visit } from './ground/site-visitor.ts'
import { buildApp } from '../server/app.ts'
import { openDatabase } from '../server/kernel/database.ts'
import { connectNotifications } from '../server/kernel/notifications.ts'
import { createWakeups } from '../server/kernel/wakeups.ts'

// It stands still, so what is served is never old enough to be asked for again by itself.
const one = await openTestHouse({ work: false, clock: standingClock() })

async function openOther() {
  const db = openDatabase({ connection: one.connection, onError: () => {} })
  const house = { ...one.house, db, wakeups: createWakeups() }
  const app = buildApp(house, null)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const address = app.server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return { house, app, url: `http://127.0.0.1:${port}` }
}

test('is served as changed once the change is announced', async () => {
  const other = await openOther()
  const notifications = [one.house, other.house].map((house) =>
    connectNotifications(house, one.connection),
  )
  after(async () => {
    for (const each of notifications) await each.stop()
    await other.app.close()
    await other.house.db.close()
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
