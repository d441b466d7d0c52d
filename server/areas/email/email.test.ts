/** Tests of sending email: checks in their order, events, delivery, retries and limits. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { sql } from 'kysely'
import { dkimVerify } from 'mailauth/lib/dkim/verify.js'
import { longTest } from '../../../test/fixtures/depth.ts'
import { emailFrom } from '../../../test/fixtures/email/email-from.ts'
import { openEmailRuntime } from '../../../test/fixtures/email/email.ts'
import { eventually } from '../../../test/fixtures/eventually.ts'
import { newTeam } from '../../../test/fixtures/portal/sessions.ts'
import { slugOfProblem as slugOf } from '../../../test/fixtures/live-projects.ts'
import { limits } from '../../contract/limits.ts'
import * as store from './delivery/delivery-store.ts'

const fixture = await openEmailRuntime()
const { call, dns, mail, newKey, newSender, passes, runtime } = fixture
const warnings: string[] = []
process.on('warning', ({ name }) => warnings.push(name))
after(() => assert.ok(!warnings.includes('MaxListenersExceededWarning'), 'connections are reused'))
const eventsOf = async (project_id: string) =>
  (
    await runtime.db
      .selectFrom('events')
      .select(['type', 'subject'])
      .where('project_id', '=', project_id)
      .where('type', 'like', 'email.%')
      .orderBy('id')
      .execute()
  ).map(({ type }) => type)

describe('the checks before sending', () => {
  test('refuse in the specified order', async () => {
    const team = await newTeam(fixture)
    const { project_id, owner } = team
    const key = await newKey({ project_id })
    const send = (body: object) => call('POST /emails', { key, body })
    const wrong = { from: 'orders@nowhere.example', to: [], subject: '' }
    assert.deepEqual(slugOf(await send(wrong)), 'mail_not_enabled')
    await owner.call(`PUT /projects/${project_id}/email/module`, { body: { enabled: true } })
    assert.deepEqual(slugOf(await send(wrong)), 'email_domain_not_verified')
    const added = await call('POST /sending-domains', { key, body: { domain: 'nowhere.example' } })
    assert.equal(added.status, 201, added.text)
    const invalid = await send(wrong)
    assert.deepEqual([invalid.status, slugOf(invalid)], [422, 'validation_failed'])
    const paths = invalid.body.errors.map(({ path }: any) => path)
    assert.ok(paths.includes('/to') && paths.includes('/subject'), invalid.text)
    const attachments = [{ filename: 'setup.exe', content: 'AAAA' }]
    const email = { ...emailFrom('nowhere.example'), html: '<form></form>' }
    const blocked = await send({ ...email, attachments })
    assert.deepEqual([blocked.status, slugOf(blocked)], [422, 'attachment_not_allowed'])
    const unknown = await send(email)
    assert.deepEqual([unknown.status, slugOf(unknown)], [403, 'recipient_not_allowed'])
    assert.deepEqual(unknown.body.recipients, ['anna@example.com'])
    const own = await send({ ...email, to: [team.owner.email] })
    assert.deepEqual([own.status, slugOf(own)], [422, 'email_blocked'])
    assert.equal(own.body.errors[0].code, 'form')
  })

  test('refuse an unverified domain with a live key', async () => {
    const sender = await newSender()
    const other = `other-${sender.domain}`
    await call('POST /sending-domains', { key: sender.live_key, body: { domain: other } })
    const answer = await sender.send({ from: `orders@${other}` })
    assert.deepEqual([answer.status, slugOf(answer)], [409, 'email_domain_not_verified'])
  })

  longTest('refuse more than ten attachments or 10 MB with the limit', async () => {
    const sender = await newSender()
    const small = { filename: 'a.txt', content: 'YQ==' }
    const many = await sender.send({ attachments: Array.from({ length: 11 }, () => small) })
    assert.deepEqual([many.status, slugOf(many)], [413, 'attachment_too_large'])
    assert.equal(many.body.limit_bytes, 10 * 1_048_576)
    const content = Buffer.alloc(10 * 1_048_576 + 1).toString('base64')
    const large = await sender.send({ attachments: [{ filename: 'a.pdf', content }] })
    assert.deepEqual([large.status, slugOf(large)], [413, 'attachment_too_large'])
  })

  test('refuse an address whose domain takes no email, and allow one whose servers do not answer', async () => {
    const sender = await newSender()
    dns.set('nullmx.example', 'MX', ['0 .'])
    dns.silent.add('silent.example')
    await sender.know('bo@nullmx.example', 'bo@silent.example', 'bo@absent.example')
    for (const to of ['bo@nullmx.example', 'bo@absent.example']) {
      const answer = await sender.send({ to: [to] })
      assert.deepEqual([answer.status, slugOf(answer)], [422, 'email_address_invalid'], to)
    }
    assert.equal((await sender.send({ to: ['bo@silent.example'] })).status, 201)
  })

  test('allow people from forms and records', async () => {
    const sender = await newSender()
    const { test_key: key } = sender
    await call('POST /collections', { key, body: { name: 'orders' } })
    const data = { mail: 'Carl <Carl@example.com>' }
    await call('POST /collections/orders/documents', { key, body: { data } })
    assert.equal((await sender.send({ to: ['carl@example.com'] })).status, 201)
    const similar = await sender.send({ to: ['arl@example.com'] })
    assert.equal(slugOf(similar), 'recipient_not_allowed')
  })

  test('limit first emails to people known only from records written by software', async () => {
    const sender = await newSender()
    const { live_key: key } = sender
    await call('POST /collections', { key, body: { name: 'orders' } })
    const count = limits.email_new_recipients_per_day_max + 1
    const people = Array.from({ length: count }, (_, at) => `person${at}@example.com`)
    await call('POST /collections/orders/documents', { key, body: { data: { people } } })
    const first = await sender.send({ to: people.slice(0, count - 1) })
    assert.equal(first.status, 201, first.text)
    const refused = await sender.send({ to: people.slice(-1) })
    assert.deepEqual([refused.status, slugOf(refused)], [429, 'email_limit_reached'])
    assert.equal(refused.body.reason, 'new_recipients_limit')
    assert.equal(refused.body.used_today, count - 1)
    assert.equal((await sender.send({ to: people.slice(0, 1) })).status, 201, 'it is not new now')
    passes('24 hours')
    const later = await newKey({ project_id: sender.project_id, mode: 'live' })
    assert.equal((await sender.send({ to: people.slice(-1) }, { key: later })).status, 201)
  })

  test('count people as new whom software added to a record of a person', async () => {
    const sender = await newSender()
    const { live_key: key, project_id } = sender
    await call('POST /collections', { key, body: { name: 'orders' } })
    const body = { data: { mail: 'dora@example.com', more: [] } }
    const { id } = (await call('POST /collections/orders/documents', { key, body })).body
    await sql`update documents set source = 'form' where project_id = ${project_id}`.execute(
      runtime.db,
    )
    const people = Array.from(
      { length: limits.email_new_recipients_per_day_max + 1 },
      (_, at) => `person${at}@example.com`,
    )
    const change = { data: { more: people } }
    const changed = await call(`PATCH /collections/orders/documents/${id}`, { key, body: change })
    assert.equal(changed.status, 200, changed.text)
    const first = await sender.send({ to: people.slice(1) })
    assert.equal(first.status, 201, first.text)
    const refused = await sender.send({ to: people.slice(0, 1) })
    assert.deepEqual([refused.status, slugOf(refused)], [429, 'email_limit_reached'])
    const own = await sender.send({ to: ['dora@example.com'] })
    assert.equal(own.status, 201, own.text)
  })

  test('charge each recipient, and refuse an email that cannot be paid', async () => {
    const sender = await newSender()
    await sender.know('bo@example.com')
    const { live_key: key } = sender
    await sender.send({ cc: ['bo@example.com'] })
    const { body } = await call('GET /balance', { key })
    assert.equal(body.balance_eur, 10 - 2 * 0.001)
    const { body: project } = await call('GET /project', { key })
    assert.equal(project.rails.email, 'live')
    const poor = await newSender({ euro: 0 })
    const refused = await poor.send()
    assert.deepEqual([refused.status, slugOf(refused)], [402, 'insufficient_balance'])
    assert.deepEqual((await call('GET /emails', { key: poor.live_key })).body.data, [])
  })
})

describe('a delivered email', () => {
  test('is signed, has a return path of its own and emits both events', async () => {
    const sender = await newSender()
    await sender.know('bo@example.com', 'cy@example.com')
    const before = mail.mails.length
    const html = '<p>Hello <b>Anna</b> 🥖, your bread is ready.</p>'
    const sent = await sender.send({
      html,
      cc: ['bo@example.com'],
      bcc: ['cy@example.com'],
      reply_to: ['shop@example.com'],
      subject: 'Bröd 🥖',
      headers: { 'X-Order': '1042' },
      tags: { order: '1042' },
      attachments: [
        { filename: 'invoice.pdf', content: Buffer.from('%PDF-1.7').toString('base64') },
      ],
    })
    assert.deepEqual(
      [sent.status, sent.body.status, sent.body.test],
      [201, 'sent', false],
      sent.text,
    )
    const email = await sender.settled(sent.body.id, 'delivered')
    const mails = (await mail.received(before + 3)).slice(before)
    assert.deepEqual(mails.map(({ to }) => to[0]).toSorted(), [
      'anna@example.com',
      'bo@example.com',
      'cy@example.com',
    ])
    const [first] = mails
    assert.match(
      first!.from,
      new RegExp(`^b\\+[0-9a-f-]{36}\\.[0-9a-f]{8}@bounce\\.${sender.domain}$`),
    )
    assert.ok(!first!.raw.includes('cy@example.com'), 'hidden copies are not in the message')
    assert.equal(first!.headers['x-order'], '1042')
    const records = await call(`GET /sending-domains/${sender.domain_id}`, { key: sender.live_key })
    const key = records.body.records.find(({ purpose }: any) => purpose === 'dkim')
    const verified = await dkimVerify(first!.raw, {
      resolver: async (name: string) => (name === key.name ? [[key.value]] : []),
    })
    assert.equal(verified.results[0]?.status.result, 'pass')
    assert.equal(email.recipients.length, 3)
    assert.equal(email.recipients[0].smtp_code, 250)
    assert.deepEqual(
      new Set(email.events.map(({ type }: any) => type)),
      new Set(['sent', 'delivered']),
    )
    const types = await eventsOf(sender.project_id)
    assert.equal(types.filter((type) => type === 'email.sent').length, 3)
    assert.equal(types.filter((type) => type === 'email.delivered').length, 3)
  })

  test('can have no second recipient or header by any of its fields', async () => {
    const sender = await newSender()
    for (const changes of [
      { subject: 'Hi\r\nBcc: eve@evil.example' },
      { to: ['anna@example.com, eve@evil.example'] },
      { to: ['anna@example.com\r\nRCPT TO:<eve@evil.example>'] },
      { from: `"a\r\nBcc: eve@evil.example" <orders@${sender.domain}>` },
      { from: `"Bank" <service@bank.example>, <orders@${sender.domain}>` },
      { from: `service@bank.example <orders@${sender.domain}>` },
      { headers: { 'X-A': 'b\r\nBcc: eve@evil.example' } },
      { headers: { Bcc: 'eve@evil.example' } },
      { headers: { 'X-A\r\nBcc': 'eve@evil.example' } },
      { attachments: [{ content: 'AAAA' }] },
      { attachments: [{ filename: 'a\r\nb.pdf', content: 'AAAA' }] },
      { attachments: [{ filename: 'a.pdf', content: 'AAAA', content_type: 'a/b\r\nX: y' }] },
    ]) {
      const answer = await sender.send(changes)
      assert.equal(answer.status, 422, JSON.stringify(changes))
    }
  })

  test('is sent once for one Idempotency-Key', async () => {
    const sender = await newSender()
    const headers = { 'idempotency-key': 'order-1042' }
    const [one, two] = [await sender.send({}, { headers }), await sender.send({}, { headers })]
    assert.deepEqual([one.status, two.status, two.body.id], [201, 201, one.body.id])
    assert.equal(two.headers.get('idempotency-replayed') ?? 'true', 'true')
    const other = await sender.send({ subject: 'Other' }, { headers })
    assert.equal(slugOf(other), 'idempotency_key_reused')
    assert.notEqual((await sender.send()).body.id, one.body.id)
  })
})

describe('in test mode', () => {
  test('nothing is sent, nothing is charged, and both events arrive with test: true', async () => {
    const sender = await newSender()
    const before = mail.mails.length
    const sent = await sender.send({}, { key: sender.test_key })
    assert.deepEqual([sent.status, sent.body.test], [201, true], sent.text)
    const email = await sender.settled(sent.body.id, 'delivered')
    assert.equal(email.recipients[0].remote_mta, null)
    assert.deepEqual(await eventsOf(sender.project_id), ['email.sent', 'email.delivered'])
    assert.equal(mail.mails.length, before)
    const { body } = await call('GET /balance', { key: sender.live_key })
    assert.equal(body.balance_eur, 10)
  })
})

describe('a refused email', () => {
  test('is retried after a temporary refusal, and emits email.delayed at the second one', async () => {
    const sender = await newSender()
    mail.refuses('recipient', 451)
    const { body } = await sender.send()
    await sender.settled(body.id, 'delayed')
    assert.ok(!(await eventsOf(sender.project_id)).includes('email.delayed'))
    passes('61 seconds')
    await eventually(async () => (await eventsOf(sender.project_id)).includes('email.delayed'))
    mail.refuses('recipient', null)
    passes('6 minutes')
    const email = await sender.settled(body.id, 'delivered')
    assert.deepEqual([email.recipients[0].attempts, email.recipients[0].reason], [3, null])
  })

  test('bounces after a permanent refusal', async () => {
    const sender = await newSender()
    mail.refuses('recipient', 550)
    const { body } = await sender.send()
    const email = await sender.settled(body.id, 'bounced')
    mail.refuses('recipient', null)
    const [recipient] = email.recipients
    assert.deepEqual([recipient.smtp_code, recipient.next_attempt_at], [550, null])
    assert.deepEqual(await eventsOf(sender.project_id), ['email.sent', 'email.bounced'])
  })

  longTest('pauses sending when more than 5% of 200 bounce, until the owner resumes', async () => {
    const sender = await newSender()
    const { project_id, team } = sender
    const people = Array.from({ length: 12 }, (_, at) => `gone${at}@example.com`)
    await sender.know(...people)
    mail.refuses('recipient', 550)
    const { body } = await sender.send({ to: people })
    await sender.settled(body.id, 'bounced')
    mail.refuses('recipient', null)
    const bounce = { key: await newKey({ project_id, mode: 'live' }) }
    const paused = await sender.send({}, bounce)
    assert.deepEqual([paused.status, slugOf(paused)], [403, 'email_paused'])
    const { body: status } = await call('GET /email/status', bounce)
    assert.deepEqual([status.paused_reason, status.reputation.bounced], ['bounces', 12])
    const resumed = await team.owner.call(`POST /projects/${project_id}/email/resume`)
    assert.deepEqual([resumed.status, resumed.body.paused_at], [200, null], resumed.text)
    assert.equal((await sender.send({}, bounce)).status, 201)
  })

  test('is not sent again if its process ended during the hand-over', async () => {
    const sender = await newSender()
    mail.refuses('recipient', 451)
    const { body } = await sender.send()
    await sender.settled(body.id, 'delayed')
    const now = runtime.clock.now()
    const lease_until = new Date(now.getTime() + 1000)
    const lease_token = crypto.randomUUID()
    passes('61 seconds')
    await runtime.db.transact((tx) =>
      tx
        .updateTable('email_recipients')
        .set({ lease_until, lease_token, handed_over_at: now })
        .where('project_id', '=', sender.project_id)
        .execute(),
    )
    mail.refuses('recipient', null)
    passes('10 minutes')
    await eventually(async () => {
      const { body: email } = await fixture.look(`GET /emails/${body.id}`, sender.project_id)
      return email.recipients[0].reason_code === 'outcome_unknown'
    })
    const rows = await store.findNextDue(runtime.db, { ...sender, real: true })
    assert.equal(rows, null)
  })
})

describe('a scheduled email', () => {
  test('waits for its time, and can be moved and canceled before', async () => {
    const sender = await newSender()
    const at = (minutes: number) =>
      new Date(runtime.clock.now_ms() + minutes * 60_000).toISOString()
    const { live_key: key } = sender
    const made = await sender.send({ scheduled_at: at(60) })
    assert.deepEqual([made.status, made.body.status], [201, 'scheduled'], made.text)
    const moved = await call(`POST /emails/${made.body.id}/schedule`, {
      key,
      body: { scheduled_at: at(30) },
    })
    assert.equal(moved.status, 200, moved.text)
    const other = await sender.send({ scheduled_at: at(30) })
    const canceled = await call(`POST /emails/${other.body.id}/cancel`, { key })
    assert.deepEqual([canceled.status, canceled.body.status], [200, 'canceled'])
    passes('31 minutes')
    await sender.settled(made.body.id, 'delivered')
    const late = await call(`POST /emails/${made.body.id}/cancel`, {
      key: await newKey({ project_id: sender.project_id, mode: 'live' }),
    })
    assert.equal(late.status, 409)
    assert.equal(
      (await fixture.look(`GET /emails/${other.body.id}`, sender.project_id)).body.status,
      'canceled',
    )
  })
})

describe('a batch', () => {
  test('accepts and refuses each email by itself', async () => {
    const sender = await newSender()
    const email = emailFrom(sender.domain)
    const emails = [email, { ...email, to: ['eve@evil.example'] }, { ...email, subject: '' }, email]
    const { status, body } = await call('POST /emails/batch', {
      key: sender.test_key,
      body: { emails },
    })
    assert.equal(status, 201)
    assert.deepEqual(
      body.data.map(({ index, problem }: any) => [index, problem?.type ?? null]),
      [
        [0, null],
        [1, 'recipient_not_allowed'],
        [2, 'validation_failed'],
        [3, null],
      ],
    )
    const listed = await call('GET /emails?recipient=anna@example.com&limit=1', {
      key: sender.test_key,
    })
    assert.equal(listed.body.data[0].id, body.data[3].id)
    assert.ok(listed.body.next_cursor)
  })
})

describe('a suppressed address', () => {
  test('gets no email, and none goes out if every recipient in to is suppressed', async () => {
    const sender = await newSender()
    await sender.know('bo@example.com')
    const { live_key: key } = sender
    const body = { address: 'Anna@example.com', reason: 'Asked by phone.' }
    const made = await call('POST /email/suppressions', { key, body })
    assert.deepEqual([made.status, made.body.origin], [201, 'manual'])
    const sent = await sender.send({ cc: ['bo@example.com'] })
    assert.deepEqual([sent.status, sent.body.status], [201, 'suppressed'])
    const part = await sender.send({ to: ['bo@example.com'], cc: ['anna@example.com'] })
    const email = await sender.settled(part.body.id, 'delivered')
    assert.deepEqual(
      email.recipients.map(({ status }: any) => status),
      ['delivered', 'suppressed'],
    )
    const listed = await call('GET /email/suppressions', { key })
    assert.equal(listed.body.data[0].address, 'anna@example.com')
    const removed = await call('DELETE /email/suppressions/anna@example.com', { key })
    assert.equal(removed.status, 204)
    assert.equal((await call('DELETE /email/suppressions/anna@example.com', { key })).status, 404)
    assert.equal((await sender.send()).body.status, 'sent')
  })
})

describe('personal data', () => {
  test('of one person includes their emails, and its erasure deletes them', async () => {
    const sender = await newSender()
    const { test_key: key } = sender
    const { body } = await sender.send({}, { key })
    await sender.settled(body.id, 'delivered')
    const person = { email: 'anna@example.com' }
    const found = await call('POST /personal-data/query', { key, body: person })
    const own = Object.fromEntries(found.body.kinds.map((one: any) => [one.kind, one.own]))
    assert.deepEqual([own.emails, own.email_recipients], [1, 1], found.text)
    const erased = await call('POST /personal-data/erase', { key, body: person })
    assert.equal(erased.status, 200, erased.text)
    assert.equal((await call(`GET /emails/${body.id}`, { key })).status, 404)
    assert.deepEqual((await call('GET /email/recipients', { key })).body.data, [])
  })
})
