/** The commands for alerts, on a real database. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createTestDatabase, dropTestDatabase } from '../../../test/fixtures/cluster.ts'
import { databaseUrl, runInProcess, temporaryFolder } from '../../../test/fixtures/command-line.ts'

const connection = await createTestDatabase()
after(() => dropTestDatabase(connection))
const settings = {
  DATABASE_URL: databaseUrl(connection),
  HOMEPORT_DATA_DIR: temporaryFolder(),
  HOMEPORT_SECRET: 'a master key for tests that is long enough',
}
const webhook = { ...settings, HOMEPORT_ALERT_WEBHOOK: 'http://127.0.0.1:9/alerts' }

test('alerts lists what fires and where alerts are sent', async () => {
  const { stdout } = await runInProcess(['alerts'], webhook)
  assert.match(stdout, /Nothing was checked yet\./)
  assert.match(stdout, /Mail: nobody\nWebhook: 127\.0\.0\.1:9/)
})

test('alerts test queues a test alert, and is refused if there is nowhere to send it', async () => {
  const sent = await runInProcess(['alerts', 'test', '--json'], webhook)
  assert.deepEqual(sent.json, { sent: 1 })
  const refused = await runInProcess(['alerts', 'test'], settings)
  assert.match(refused.said, /There is nowhere to send it/)
  assert.equal(refused.code, 1)
})

test('alerts secret prints the same secret each time, or that of the settings', async () => {
  const first = await runInProcess(['alerts', 'secret', '--json'], settings)
  const second = await runInProcess(['alerts', 'secret', '--json'], settings)
  assert.match(first.json.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.deepEqual(second.json, first.json)
  const own = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
  const given = { ...settings, HOMEPORT_ALERT_WEBHOOK_SECRET: own }
  assert.deepEqual((await runInProcess(['alerts', 'secret', '--json'], given)).json, {
    secret: own,
  })
})

test('a start is refused with wrong settings of alerts, one sentence each', async () => {
  const { said } = await runInProcess(['alerts'], {
    ...settings,
    HOMEPORT_ALERT_MAIL: 'ops@home.example, nobody',
    HOMEPORT_ALERT_WEBHOOK: 'hooks.example',
    HOMEPORT_ALERT_WEBHOOK_SECRET: 'whsec_c2hvcnQ=',
    HOMEPORT_ALERT_MINUTES: '0',
    HOMEPORT_ALERT_DISK_PERCENT: '100',
  })
  for (const name of ['MAIL', 'WEBHOOK', 'WEBHOOK_SECRET', 'MINUTES', 'DISK_PERCENT'])
    assert.match(said, new RegExp(`HOMEPORT_ALERT_${name} must be `))
})
