/** Alerts to the operators: when they fire, what is sent, and that it arrives. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { standingClock } from '../fixtures/bare-runtime.ts'
import { eventually } from '../fixtures/eventually.ts'
import { mailSettings, openMailServer } from '../fixtures/external/mail-server.ts'
import { newOperator } from '../fixtures/portal/operator.ts'
import { createOwnedProject } from '../fixtures/portal/portal.ts'
import { newSession, type Session } from '../fixtures/portal/sessions.ts'
import { openTestRuntime } from '../fixtures/runtime.ts'
import { openReceiver } from '../fixtures/webhooks/webhook-receiver.ts'
import { startWork } from '../../server/app.ts'
import * as people from '../../server/areas/people/service.ts'
import { evaluate } from '../../server/areas/alerts/jobs.ts'
import { webhookSecret } from '../../server/areas/alerts/service.ts'

let answer = 401
const carrier = createServer((_request, response) => response.writeHead(answer).end())
await once(carrier.listen(0, '127.0.0.1'), 'listening')
after(() => carrier.close())
const bound = carrier.address()
const port = typeof bound === 'object' && bound ? bound.port : 0
const mails = await openMailServer()
const receiver = await openReceiver()

const fixture = await openTestRuntime({
  work: false,
  clock: standingClock(),
  settings: {
    ...mailSettings(mails),
    HOMEPORT_CARRIER: 'telnyx',
    HOMEPORT_CARRIER_KEY: 'key',
    HOMEPORT_CARRIER_URL: `http://127.0.0.1:${port}/carrier`,
    HOMEPORT_PAYMENTS: 'none',
    HOMEPORT_ALERT_WEBHOOK: receiver.url,
    HOMEPORT_ALERT_QUEUE_MINUTES: '0',
    HOMEPORT_ALERT_DISK_PERCENT: '0',
  },
})
const { runtime, passes } = fixture
const operators = await newOperator(fixture)
let operator: Session

before(async () => {
  const dutch = 'daan@operators.example'
  await createOwnedProject(fixture, dutch)
  await newSession(fixture, dutch)
  await people.setOperator(runtime, { email: dutch, is_operator: true })
  await runtime.db.transact((tx) =>
    tx.updateTable('people').set({ language: 'nl' }).where('email', '=', dutch).execute(),
  )
  operator = await operators.fresh()
})

/** Lets minutes pass, each with an evaluation by three processes at once. */
async function minutes(count: number, status: number): Promise<void> {
  answer = status
  for (let minute = 0; minute < count; minute += 1) {
    passes('1 minute')
    await Promise.all([1, 2, 3].map(() => evaluate.run(runtime)))
  }
}

async function shown(): Promise<any> {
  const { status, body, text } = await operator.call('GET /operator/alerts')
  assert.equal(status, 200, text)
  return body
}

/** The subjects of mails and the types of requests that wait for a worker, oldest first. */
async function queued(): Promise<{ mails: string[]; requests: string[] }> {
  const rows = await runtime.db
    .selectFrom('jobs')
    .select(['kind', 'payload'])
    .where('kind', 'like', 'alerts.send%')
    .orderBy('id')
    .execute()
  const payloads = (kind: string) =>
    rows.filter((row) => row.kind === kind).map(({ payload }): any => payload)
  return {
    mails: payloads('alerts.send_mail').map(({ subject }) => subject),
    requests: payloads('alerts.send_webhook').map(({ body }) => JSON.parse(body).type),
  }
}

const english = 'The provider of phone numbers is failing'
const dutch = 'De aanbieder van telefoonnummers werkt niet goed'

describe('an alert', () => {
  test('is watched until its condition has held for five minutes', async () => {
    await minutes(5, 503)
    const { firing, watched } = await shown()
    assert.deepEqual(firing, [])
    assert.deepEqual(
      watched.map(({ kind, subject }: any) => [kind, subject]),
      [['provider', 'phone']],
    )
    assert.deepEqual(await queued(), { mails: [], requests: [] })
  })

  test('is forgotten if the condition ends before', async () => {
    await minutes(1, 401)
    assert.deepEqual((await shown()).watched, [])
    await minutes(5, 503)
    assert.deepEqual((await shown()).firing, [])
  })

  test('fires once, to every operator in their language and to the webhook', async () => {
    await minutes(3, 503)
    const [alert, ...more] = (await shown()).firing
    assert.deepEqual(more, [])
    assert.equal(alert.texts.en.title, english)
    assert.equal(alert.texts.nl.title, dutch)
    assert.equal(alert.link, `${runtime.config.public_url}/portal/app/operator`)
    assert.deepEqual(await queued(), {
      mails: [`Melding: ${dutch}`, `Alert: ${english}`],
      requests: ['alert.firing'],
    })
  })

  test('is counted in the metrics', async () => {
    const { text } = await fixture.call('GET //metrics', { key: null })
    assert.match(text, /^homeport_alerts_firing\{kind="provider"\} 1$/m)
    assert.match(text, /^homeport_alerts_firing\{kind="disk"\} 0$/m)
    assert.match(text, /^homeport_alerts_checked_timestamp_seconds [1-9]/m)
  })

  test('is not resolved by a condition that is over for less than five minutes', async () => {
    await minutes(5, 401)
    await minutes(1, 503)
    assert.equal((await shown()).firing.length, 1)
    assert.equal((await queued()).mails.length, 2)
  })

  test('is sent again each day while it fires', async () => {
    passes('23 hours')
    await minutes(1, 503)
    assert.equal((await queued()).mails.length, 2)
    passes('1 hour')
    await minutes(2, 503)
    const { mails: subjects, requests } = await queued()
    assert.deepEqual(subjects.slice(2), [`Herinnering: ${dutch}`, `Reminder: ${english}`])
    assert.deepEqual(requests, ['alert.firing', 'alert.reminder'])
  })

  test('is sent once more when it is resolved, and is in the history for 30 days', async () => {
    await minutes(7, 401)
    operator = await operators.fresh()
    const { firing, history } = await shown()
    assert.deepEqual(firing, [])
    assert.deepEqual(
      history.map(({ kind, resolved_at }: any) => [kind, typeof resolved_at]),
      [['provider', 'string']],
    )
    const { mails: subjects, requests } = await queued()
    assert.deepEqual(subjects.slice(4), [`Opgelost: ${dutch}`, `Resolved: ${english}`])
    assert.deepEqual(requests, ['alert.firing', 'alert.reminder', 'alert.resolved'])
  })
})

describe('the delivery of alerts', () => {
  let working: ReturnType<typeof startWork> | null = null
  after(() => working?.stop())

  test('happens after a process died between firing and sending, and after mail was down', async () => {
    mails.refuses('message', 450)
    receiver.answers(500)
    working = startWork(runtime)
    const failed = await eventually(async () => {
      passes('1 second')
      const { mail, webhook } = await shown()
      return mail.error !== null && webhook.error !== null && { mail, webhook }
    })
    assert.match(failed.mail.error, /refused the mail with 450/)
    assert.match(failed.webhook.error, /answered 500/)
    mails.refuses('message', null)
    receiver.answers(204)
    await eventually(async () => {
      passes('30 seconds')
      return mails.mails.length >= 6
    })
    const subjects = mails.mails.map(({ headers }) => headers['subject'])
    assert.equal(new Set(subjects).size, 6)
    const mail = mails.mails.find(({ headers }) => headers['subject'] === `Alert: ${english}`)
    assert.match(mail?.text ?? '', /answer/)
    assert.match(mail?.text ?? '', /Since .*\n\nLook at the provider's status page/)
    assert.match(mail?.html ?? '', /Open the alerts/)
  })

  test('signs each request, which the library of Standard Webhooks verifies', async () => {
    const { body, headers } = await eventually(() =>
      receiver.requests.findLast(({ event }) => event.type === 'alert.firing'),
    )
    const t = Number(headers['webhook-timestamp'])
    const { now } = Date
    Date.now = () => t * 1000
    try {
      const event: any = new Webhook(webhookSecret(runtime)).verify(body, headers)
      assert.equal(event.data.title, english)
      assert.match(event.text, /^The provider of phone numbers is failing\. /)
    } finally {
      Date.now = now
    }
  })

  test('repeats a request with the same id and body', async () => {
    await eventually(() => {
      passes('30 seconds')
      return new Set(receiver.requests.map(({ body }) => body)).size === 3
    })
    const ids = Map.groupBy(receiver.requests, ({ body }) => body)
    for (const requests of ids.values())
      assert.equal(new Set(requests.map(({ headers }) => headers['webhook-id'])).size, 1)
  })

  test('of a test goes to everyone at once, and is shown', async () => {
    operator = await operators.fresh()
    const count = mails.mails.length
    const { status, body } = await operator.call('POST /operator/alerts/test')
    assert.deepEqual([status, body], [200, { sent: 3 }])
    await mails.received(count + 2)
    const subjects = mails.mails.slice(count).map(({ headers }) => headers['subject'])
    assert.deepEqual(subjects.toSorted(), ['Test alert', 'Testmelding'])
    await eventually(() => receiver.requests.find(({ event }) => event.type === 'alert.test'))
    const { mail, webhook } = await eventually(async () => {
      const now = await shown()
      return now.mail.error === null && now.webhook.error === null && now
    })
    assert.deepEqual(mail.addresses, ['daan@operators.example', 'olga@operators.example'])
    assert.equal(webhook.host, new URL(receiver.url).host)
  })

  test('of a test is refused if there is nowhere to send it', async () => {
    const { alerts } = runtime.config
    runtime.config = { ...runtime.config, alerts: { ...alerts, mail: ['none'], webhook: '' } }
    const { status, body } = await operator.call('POST /operator/alerts/test')
    runtime.config = { ...runtime.config, alerts }
    assert.equal(status, 409)
    assert.match(body.user_message, /nowhere to send/)
  })

  test('goes to the addresses of HOMEPORT_ALERT_MAIL instead, if it is set', async () => {
    const { alerts } = runtime.config
    const mail = ['ops@home.example']
    runtime.config = { ...runtime.config, alerts: { ...alerts, mail } }
    const { mail: shownMail } = await shown()
    runtime.config = { ...runtime.config, alerts }
    assert.deepEqual(shownMail.addresses, mail)
  })
})

test('to others the operations do not exist', async () => {
  const email = 'anna@bakery.example'
  await createOwnedProject(fixture, email)
  const person = await newSession(fixture, email)
  for (const route of ['GET /operator/alerts', 'POST /operator/alerts/test'])
    assert.equal((await person.call(route)).status, 404)
})
