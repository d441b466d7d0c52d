/**
 * Tests of the warnings before an endpoint is disabled and of the notice afterwards: in the reply
 * of the API, and by mail through a real SMTP server, caused by real failing receivers.
 */
import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { suite, test } from 'node:test'
import {
  mailSettings,
  openMailServer,
  type ReceivedMail,
} from '../../../../test/fixtures/external/mail-server.ts'
import { signInDutch } from '../../../../test/fixtures/portal/language.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import { readConfig } from '../../../kernel/config/config.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import type { JobRun } from '../../../kernel/jobs/jobs.ts'
import { mailEndpointOwner } from '../jobs.ts'
import { attemptNow } from '../attempt/test-attempt.ts'
import { openReceiver, eventually } from '../../../../test/fixtures/webhooks/webhook-receiver.ts'

const mailServer = await openMailServer()
const fixture = await openTestRuntime({
  settings: {
    ...mailSettings(mailServer),
  },
})
const { runtime, call } = fixture
let owners = 0

async function newScene({ owner = true, path = '' } = {}) {
  const { project_id } = await fixture.newProject()
  const key = await fixture.newKey({ project_id })
  const owner_email = owner ? `owner-${(owners += 1)}@bakery.example` : null
  await runtime.db.transact((tx) =>
    tx.updateTable('projects').set({ owner_email }).where('id', '=', project_id).execute(),
  )
  const receiver = await openReceiver()
  const url = receiver.url + path
  const made = await call('POST /webhooks', { key, body: { url, events: ['call.completed'] } })
  assert.equal(made.status, 201, made.text)
  const route = `/webhooks/${made.body.id}`
  const mails = () => mailServer.mails.filter(({ to }) => owner_email && to.includes(owner_email))
  return {
    project_id,
    owner_email,
    receiver,
    endpoint: made.body,
    mails,
    show: async () => (await call(`GET ${route}`, { key })).body,
    enable: async () => (await call(`POST ${route}/enable`, { key })).body,
    patch: (change: object) => call(`PATCH ${route}`, { key, body: change }),
    /** Makes this number of attempts in sequence, all with this response. */
    async attempts(count: number, status = 500): Promise<void> {
      receiver.answers(status)
      const of = { project_id, endpoint_id: made.body.id }
      for (let n = 0; n < count; n += 1) await attemptNow(runtime, of)
    },
    /** Waits until the owner has this number of mails and none is pending, and returns them. */
    async waitForMails(count: number): Promise<ReceivedMail[]> {
      await eventually(async () => (await waiting(project_id)) === 0 && mails().length >= count)
      assert.equal(mails().length, count)
      return mails()
    },
  }
}

/** Returns the number of pending mails about endpoints of a project. */
async function waiting(project_id: string): Promise<number> {
  const jobs = await runtime.db
    .selectFrom('jobs')
    .select('id')
    .where('kind', '=', mailEndpointOwner.name)
    .where('project_id', '=', project_id)
    .where('state', '<>', 'dead')
    .execute()
  return jobs.length
}

const subjectsOf = (mails: ReceivedMail[]) => mails.map(({ headers }) => headers['subject'] ?? '')

suite('the warning in a reply', () => {
  test('is present from the 25th failure in a row on, with the number of failures left', async () => {
    const { attempts, show } = await newScene()
    await attempts(24)
    assert.equal((await show()).warning, null)
    await attempts(1)
    assert.deepEqual((await show()).warning, { failures: 25, disabled_at_failures: 50 })
    await attempts(3)
    assert.deepEqual((await show()).warning, { failures: 28, disabled_at_failures: 50 })
    await attempts(1, 204)
    assert.equal((await show()).warning, null)
  })

  test('gives time and reason of disabling until the endpoint is enabled', async () => {
    const { attempts, show, enable } = await newScene()
    await attempts(50)
    const off = await show()
    assert.deepEqual([off.active, off.disabled_reason, off.warning], [false, 'failures', null])
    assert.equal(off.disabled_at, off.last_failure_at)
    const on = await enable()
    assert.deepEqual([on.active, on.disabled_reason, on.disabled_at], [true, null, null])
    await attempts(1)
    assert.equal((await show()).consecutive_failures, 1)
  })
})

suite('the mail to the owner', () => {
  test('is sent once each at 25, 35 and 45 failures in a row, and at disabling', async () => {
    const { attempts, waitForMails, endpoint, receiver } = await newScene()
    await attempts(24)
    await waitForMails(0)
    for (const [more, mails] of [
      [1, 1],
      [9, 1],
      [1, 2],
      [9, 2],
      [1, 3],
      [4, 3],
      [1, 4],
    ] as const) {
      await attempts(more)
      await waitForMails(mails)
    }
    const host = new URL(receiver.url).host
    const mails = await waitForMails(4)
    assert.deepEqual(subjectsOf(mails), [
      `Webhook endpoint failing: ${host} (25 times in a row)`,
      `Webhook endpoint failing: ${host} (35 times in a row)`,
      `Webhook endpoint failing: ${host} (45 times in a row)`,
      `Webhook endpoint switched off: ${host}`,
    ])
    assert.match(
      mails[3]!.text,
      RegExp(`${runtime.config.public_url}/api/v1/webhooks/${endpoint.id}`),
    )
  })

  test('names the endpoint and the last fault, and no secret', async () => {
    const { attempts, waitForMails, endpoint, owner_email } = await newScene({
      path: '?token=hush',
    })
    await attempts(25, 418)
    const [mail] = await waitForMails(1)
    assert.deepEqual(mail!.to, [owner_email])
    assert.match(mail!.text, RegExp(`Its id: ${endpoint.id}`))
    assert.match(mail!.text, /Last error: non_2xx_status, status 418/)
    assert.match(mail!.text, /switched off/)
    for (const secret of [endpoint.secret, endpoint.secret.slice(6), 'hush']) {
      assert.ok(!mail!.raw.includes(secret))
    }
  })

  test('is in Dutch if the address belongs to a Dutch account', async () => {
    const { attempts, waitForMails, owner_email, receiver } = await newScene()
    await signInDutch(fixture, owner_email ?? '')
    await attempts(25)
    const [mail] = await waitForMails(1)
    const { host } = new URL(receiver.url)
    assert.deepEqual(subjectsOf([mail!]), [
      `Webhook-ontvanger werkt niet: ${host} (25 keer achter elkaar)`,
    ])
    assert.match(mail!.text, /^Laatste fout: non_2xx_status, status 500/m)
  })

  test('is sent again in a new streak, after a success and after enabling', async () => {
    const { attempts, waitForMails, enable } = await newScene()
    await attempts(25)
    await waitForMails(1)
    await attempts(1, 204)
    await attempts(25)
    await waitForMails(2)
    await attempts(25)
    await waitForMails(5)
    await enable()
    await attempts(25)
    const mails = await waitForMails(6)
    assert.match(subjectsOf(mails)[5]!, /25 times in a row/)
    const ids = new Set(mails.map(({ headers }) => headers['message-id']))
    assert.equal(ids.size, 6, 'each is a message of its own')
  })

  test('is sent once if many attempts fail at once', async () => {
    const { attempts, waitForMails, endpoint, project_id } = await newScene()
    await attempts(20)
    const of = { project_id, endpoint_id: endpoint.id }
    const at_once = Array.from({ length: 20 }, () => attemptNow(runtime, of))
    await Promise.all(at_once)
    const mails = await waitForMails(2)
    const counts = subjectsOf(mails).map((subject) => /\((\d+)/.exec(subject)?.[1])
    assert.deepEqual(counts.toSorted(), ['25', '35'])
  })

  test('is sent only to the owner of that project, and not sent if it has no address', async () => {
    const nobody = await newScene({ owner: false })
    const before = mailServer.mails.length
    await nobody.attempts(50)
    await eventually(async () => (await waiting(nobody.project_id)) === 0)
    assert.equal(mailServer.mails.length, before)
  })
})

suite('the mail during a fault of the mail server', () => {
  test('waits until the server is available', async () => {
    const { attempts, waitForMails, mails } = await newScene()
    mailServer.refuses('recipient', 451)
    await attempts(25)
    await eventually(async () => {
      const job = await runtime.db
        .selectFrom('jobs')
        .select('last_error')
        .where('kind', '=', mailEndpointOwner.name)
        .where('state', '=', 'waiting')
        .executeTakeFirst()
      return job?.last_error?.includes('451')
    })
    assert.equal(mails().length, 0)
    mailServer.refuses('recipient', null)
    fixture.passes('31 seconds')
    await waitForMails(1)
  })

  test('is cancelled for an unknown recipient, and the reply still has the warning', async () => {
    const { attempts, waitForMails, show } = await newScene()
    mailServer.refuses('recipient', 550)
    await attempts(25)
    await waitForMails(0)
    mailServer.refuses('recipient', null)
    assert.equal((await show()).warning.failures, 25)
  })
})

suite('a delayed mail', () => {
  /** Runs the job with a payload, as the queue would. */
  async function tellLate(scene: Awaited<ReturnType<typeof newScene>>, changes: object = {}) {
    const payload = {
      notice_id: 'late',
      project_id: scene.project_id,
      endpoint_id: scene.endpoint.id,
      url: scene.endpoint.url,
      kind: 'warning' as const,
      failures: 25,
      error: 'timeout' as const,
      response_status: null,
      failed_at: '2026-11-02T09:00:00.000Z',
      ...changes,
    }
    const work: JobRun<typeof payload> = {
      runtime,
      payload,
      project_id: scene.project_id,
      attempt: 1,
      signal: new AbortController().signal,
      finish: async () => {},
    }
    await mailEndpointOwner.run(work)
  }

  test('is cancelled if its streak has ended', async () => {
    const scene = await newScene()
    await scene.attempts(24)
    await tellLate(scene)
    await scene.waitForMails(0)
    await scene.attempts(1)
    await tellLate(scene)
    await scene.waitForMails(2)
  })

  test('is cancelled if the endpoint was enabled or deleted', async () => {
    const scene = await newScene()
    await tellLate(scene, { kind: 'disabled', failures: 50 })
    await tellLate(scene, { endpoint_id: '0190f1a2-0000-7000-8000-00000000ffff' })
    await scene.waitForMails(0)
  })

  test('names the URL that failed, not the new one', async () => {
    const scene = await newScene()
    await scene.attempts(25)
    await scene.waitForMails(1)
    await scene.patch({ url: 'http://127.0.0.1:9/elsewhere' })
    await tellLate(scene)
    const [, late] = await scene.waitForMails(2)
    assert.ok(late!.text.includes(scene.endpoint.url))
  })

  test('is not sent if the operator has turned mail off', async () => {
    const scene = await newScene()
    const config = readConfig({ HOMEPORT_MAIL: 'none' }, tmpdir())
    const silent: Runtime = { ...runtime, config }
    await scene.attempts(24)
    await mailEndpointOwner.run({
      runtime: silent,
      payload: {
        notice_id: 'none',
        project_id: scene.project_id,
        endpoint_id: scene.endpoint.id,
        url: scene.endpoint.url,
        kind: 'warning',
        failures: 1,
        error: 'timeout',
        response_status: null,
        failed_at: '2026-11-02T09:00:00.000Z',
      },
      project_id: scene.project_id,
      attempt: 1,
      signal: new AbortController().signal,
      finish: async () => {},
    })
    await scene.waitForMails(0)
  })
})
