/** The page of alerts in the operator console. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertFit } from '../../../../test/fixtures/portal/fit.ts'
import {
  openPortalBrowser,
  saveScreenshot,
  widthsOfStates,
} from '../../../../test/fixtures/portal/portal-browser.ts'
import { openReceiver } from '../../../../test/fixtures/webhooks/webhook-receiver.ts'
import * as people from '../../../areas/people/service.ts'
import { newId } from '../../../kernel/values/ids.ts'

const owner = 'olga@homeport.example'
const receiver = await openReceiver()
const { fixture, newProject, open, visit } = await openPortalBrowser(owner, {
  HOMEPORT_ALERT_WEBHOOK: receiver.url,
  HOMEPORT_ALERT_DISK_PERCENT: '0',
  HOMEPORT_ALERT_MINUTES: '60',
})
await newProject('Bakkerij De Molen')
const { runtime } = fixture

/** One that fires, one that is watched, and one that is over. */
async function insertAlerts(): Promise<void> {
  const now = runtime.clock.now()
  const minutes = (count: number) => new Date(now.getTime() - count * 60_000)
  const began = minutes(95)
  const row = (rest: object) => ({
    id: newId(runtime.clock),
    began_at: began,
    seen_at: now,
    ...rest,
  })
  const fired = { fired_at: minutes(90), sent_at: minutes(90) }
  const disk = { folder: '/var/homeport', percent: 93, free_bytes: 5.2e9, machine: 'home' }
  const rows: any[] = [
    row({
      kind: 'disk',
      subject: 'data@home',
      detail: JSON.stringify(disk),
      state: 'firing',
      ...fired,
    }),
    row({ kind: 'disk', subject: 'backups@home', detail: JSON.stringify(disk), state: 'pending' }),
    row({
      kind: 'provider',
      subject: 'payments',
      detail: JSON.stringify({ message: 'api.stripe.com answered 401.' }),
      state: 'resolved',
      ...fired,
      cleared_at: minutes(30),
      resolved_at: minutes(25),
    }),
  ]
  await runtime.db.transact(async (tx) => {
    for (const one of rows) await tx.insertInto('alerts').values(one).execute()
  })
}

test('the page shows what fires, sends a test alert, and says that it arrived', async (t) => {
  const { page, faults } = await open(t, 1440)
  await people.setOperator(runtime, { email: owner, is_operator: true })
  await visit(page, '/operator/alerts')
  await page.getByText('Nothing needs you').waitFor({ timeout: 120_000 })
  for (const width of widthsOfStates) {
    await page.setViewportSize({ width, height: 900 })
    await saveScreenshot(page, `operator-alerts-none-${width}`)
    await assertFit(page, width)
  }
  await page.getByRole('button', { name: 'Send a test alert' }).press('Enter')
  await page.getByText('The test alert is on its way').first().waitFor()
  await receiver.received(1)
  await insertAlerts()
  await page.reload()
  await page.getByText('The disk of the data folder is nearly full').first().waitFor()
  await page.getByLabel('1 alert fires').waitFor()
  await page.getByText('Delivered').first().waitFor()
  for (const width of widthsOfStates) {
    await page.setViewportSize({ width, height: 900 })
    await saveScreenshot(page, `operator-alerts-${width}`)
    await assertFit(page, width)
  }
  assert.deepEqual(faults, [])
})
