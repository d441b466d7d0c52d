/** Tests that an accepted email is not sent if it may not be sent any more when its time comes. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openEmailRuntime, type Sender } from '../../../../test/fixtures/email/email.ts'
import { eventually } from '../../../../test/fixtures/eventually.ts'
import { slugOfProblem } from '../../../../test/fixtures/live-projects.ts'
import { limits } from '../../../contract/limits.ts'
import * as billing from '../../billing/service.ts'
import * as projects from '../../projects/service.ts'

const fixture = await openEmailRuntime()
const { call, mail, newKey, newSender, passes, runtime } = fixture
const { db } = runtime

const inAnHour = () => new Date(runtime.clock.now_ms() + 3_600_000).toISOString()

/** Waits until no delivery of the project is due or running. */
async function deliveriesEnd({ project_id }: Sender): Promise<void> {
  await eventually(async () => {
    const jobs = await db
      .selectFrom('jobs')
      .select('id')
      .where('project_id', '=', project_id)
      .where('kind', '=', 'email.deliver')
      .where('run_at', '<=', runtime.clock.now())
      .execute()
    return jobs.length === 0
  })
}

async function recipientOf(sender: Sender, id: string) {
  const { body } = await fixture.look(`GET /emails/${id}`, sender.project_id)
  return body.recipients[0]
}

async function suppress({ project_id }: Sender, address: string): Promise<void> {
  const key = await newKey({ project_id, mode: 'live' })
  const made = await call('POST /email/suppressions', { key, body: { address, reason: 'Asked.' } })
  assert.equal(made.status, 201, made.text)
}

describe('an address that is suppressed', () => {
  test('while an email to it is scheduled does not get it', async () => {
    const sender = await newSender()
    await sender.know('bo@example.com')
    const to = ['anna@example.com', 'bo@example.com']
    const { body } = await sender.send({ to, scheduled_at: inAnHour() })
    await suppress(sender, 'anna@example.com')
    passes('2 hours')
    const email = await sender.settled(body.id, 'delivered')
    const [anna, bo] = email.recipients
    assert.deepEqual([anna.status, anna.reason, anna.attempts], ['suppressed', 'Asked.', 0])
    assert.equal(bo.status, 'delivered')
    const types = email.events.map(({ type }: { type: string }) => type)
    assert.deepEqual(types.toSorted(), ['delivered', 'sent', 'suppressed'])
  })

  test('keeps the email from cc and bcc if it is the only one in to', async () => {
    const sender = await newSender()
    await sender.know('bo@example.com', 'cy@example.com')
    const copies = { cc: ['bo@example.com'], bcc: ['cy@example.com'] }
    const { body } = await sender.send({ ...copies, scheduled_at: inAnHour() })
    await suppress(sender, 'anna@example.com')
    passes('2 hours')
    const email = await sender.settled(body.id, 'suppressed')
    assert.deepEqual(
      email.recipients.map((one: { reason_code: string; attempts: number }) => [
        one.reason_code,
        one.attempts,
      ]),
      [
        ['suppressed', 0],
        ['all_to_suppressed', 0],
        ['all_to_suppressed', 0],
      ],
    )
    await deliveriesEnd(sender)
  })

  test('before the next attempt is not tried again', async () => {
    const sender = await newSender()
    mail.refuses('recipient', 451)
    const { body } = await sender.send()
    await sender.settled(body.id, 'delayed')
    mail.refuses('recipient', null)
    await suppress(sender, 'anna@example.com')
    passes('10 minutes')
    await sender.settled(body.id, 'suppressed')
    const { attempts, next_attempt_at } = await recipientOf(sender, body.id)
    assert.deepEqual([attempts, next_attempt_at], [1, null])
  })
})

describe('a scheduled email', () => {
  const changes: [string, (project_id: string, allowed: boolean) => Promise<unknown>][] = [
    [
      'is deleted',
      (project_id, allowed) =>
        db.transact((tx) =>
          tx
            .updateTable('projects')
            .set({ deleted_at: allowed ? null : runtime.clock.now() })
            .where('id', '=', project_id)
            .execute(),
        ),
    ],
    ['is disabled', (project_id, enabled) => projects.change(db, project_id, { enabled })],
    [
      'is back in test mode',
      (project_id, allowed) =>
        projects.setRail(db, { project_id, rail: 'email', mode: allowed ? 'live' : 'test' }),
    ],
  ]
  for (const [state, set] of changes) {
    test(`waits while its project ${state}`, async () => {
      const sender = await newSender()
      const { body } = await sender.send({ scheduled_at: inAnHour() })
      await set(sender.project_id, false)
      passes('2 hours')
      await deliveriesEnd(sender)
      await set(sender.project_id, true)
      const { status, attempts } = await recipientOf(sender, body.id)
      assert.deepEqual([status, attempts], ['queued', 0])
      passes('6 minutes')
      await sender.settled(body.id, 'delivered')
    })
  }
})

test('requests at once send to no more recipients than the daily limit', async () => {
  const sender = await newSender({ euro: 100 })
  await db.transact((tx) =>
    tx
      .insertInto('email_days')
      .values({
        project_id: sender.project_id,
        test: false,
        day: billing.toDay(runtime.clock.now(), runtime.config.billing_timezone),
        recipients: limits.email_recipients_per_day_max - 3,
        new_recipients: 0,
      })
      .execute(),
  )
  const answers = await Promise.all(Array.from({ length: 12 }, () => sender.send()))
  const accepted = answers.filter(({ status }) => status === 201)
  const refused = answers.filter((one) => slugOfProblem(one) === 'email_limit_reached')
  assert.deepEqual([accepted.length, refused.length], [3, 9])
})
