/**
 * Sends emails to a real mail server of Debian, exim4: delivered, refused for now, refused for good, and
 * bounced later. opendkim and dkimpy verify the signature of what arrived. Run by .ci/run, where these programs
 * can be unpacked: node --test test/real-mail/exim.check.ts
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openMailPort } from '../../server/edges/mail-port/mail-port.ts'
import { movableClock } from '../../server/kernel/clock.ts'
import { openEmailRuntime, type EmailFixture } from '../fixtures/email/email.ts'
import { eventually } from '../fixtures/eventually.ts'
import { openMailServer } from '../fixtures/external/mail-server.ts'
import { startExim } from './exim.ts'
import { unpackPrograms, type Programs } from './programs.ts'

const folder = mkdtempSync(join(tmpdir(), 'homeport-exim-'))
// exim reads and writes there as another user.
chmodSync(folder, 0o755)
after(() => rmSync(folder, { recursive: true, force: true }))
const programs = unpackPrograms(folder)
const skip = typeof programs === 'string' ? `exim4 cannot be used here: ${programs}` : false
if (skip) console.log(skip)

test(
  'emails are delivered, delayed, refused and bounced by exim4, and verified',
  { skip },
  async () => {
    assert(typeof programs !== 'string')
    const refusing = await openMailServer()
    refusing.refuses('recipient', 552)
    const fixture = await openEmailRuntime({
      clock: movableClock(),
      mode: 'direct',
      settings: { HOMEPORT_EMAIL_LISTEN: '127.0.0.1:0', HOMEPORT_EMAIL_MX_PORT: '1' },
    })
    const { runtime } = fixture
    const mailPort = await openMailPort(runtime)
    assert(mailPort)
    writeFileSync(join(folder, 'mailboxes'), 'anna: anna\nbusy: busy\n')
    const exim = await startExim(programs, folder, {
      bounces: mailPort.port,
      refusing: refusing.port,
    })
    runtime.config.email.mx_port = exim.port
    after(async () => {
      exim.process.kill()
      await mailPort.stop()
    })

    const sender = await fixture.newSender()
    const people = ['nobody', 'busy', 'late'].map((name) => `${name}@example.com`)
    await sender.know(...people)
    const send = async (to: string) =>
      (await sender.send({ to: [to], html: '<p>Bröd 🥖</p>' })).body.id
    const first = async (id: string, status: string) =>
      (await sender.settled(id, status)).recipients[0]

    const id = await send('anna@example.com')
    const delivered = await first(id, 'delivered')
    assert.deepEqual([delivered.smtp_code, delivered.remote_mta], [250, 'mx.example.com'])
    await eventually(async () => exim.readMailbox('anna').length === 1)
    await verifySignature(exim.readMailbox('anna')[0]!, { programs, fixture, sender })

    const unknown = await first(await send('nobody@example.com'), 'bounced')
    assert.deepEqual(
      [unknown.smtp_code, unknown.enhanced_code, unknown.reason_code, unknown.bounce_type],
      [550, '5.1.1', 'mailbox_unknown', 'permanent'],
    )

    const busy = await send('busy@example.com')
    assert.equal((await first(busy, 'delayed')).reason_code, 'greylisted')
    writeFileSync(join(folder, 'awake'), '')
    fixture.passes('61 seconds')
    assert.equal((await first(busy, 'delivered')).attempts, 2)

    // exim has taken the message, and reports to the return path that it could not deliver it.
    const late = await first(await send('late@example.com'), 'bounced')
    assert.ok(late.delivered_at && late.bounced_at)
    assert.deepEqual([late.smtp_code, late.bounce_type], [552, 'permanent'])
    const { events } = await runtime.db
      .selectFrom('events')
      .select((row) => row.fn.countAll<bigint>().as('events'))
      .where('project_id', '=', sender.project_id)
      .where('type', '=', 'email.bounced')
      .executeTakeFirstOrThrow()
    assert.equal(events, 2n)
  },
)

interface Place {
  programs: Programs
  fixture: EmailFixture
  sender: { domain_id: string; live_key: string }
}

async function verifySignature(message: string, { programs, fixture, sender }: Place) {
  const route = `GET /sending-domains/${sender.domain_id}`
  const { body } = await fixture.call(route, { key: sender.live_key })
  const record = body.records.find(({ purpose }: { purpose: string }) => purpose === 'dkim')
  const file = join(folder, 'message.eml')
  const opendkim = (text: string) => {
    writeFileSync(file, text.replaceAll(/\r?\n/g, '\r\n'), 'latin1')
    return run(programs, programs.opendkim, ['-x', join(folder, 'opendkim.conf'), '-t', file])
  }
  const dkimpy = (text: string) => {
    writeFileSync(file, text.replaceAll(/\r?\n/g, '\r\n'), 'latin1')
    const script = `import dkim, sys
print(dkim.verify(open(sys.argv[1], 'rb').read(), dnsfunc=lambda name, timeout=5: sys.argv[2].encode()))`
    return run(programs, 'python3', ['-c', script, file, record.value])
  }
  writeFileSync(join(folder, 'keys'), `${record.name} ${record.value}\n`)
  writeFileSync(join(folder, 'opendkim.conf'), `TestPublicKeys ${join(folder, 'keys')}\n`)
  const changed = message.replace('Your order', 'Her order')
  assert.notEqual(changed, message)
  assert.match(opendkim(message), /verification \(.*\) succeeded/)
  assert.doesNotMatch(opendkim(changed), /succeeded/)
  assert.match(dkimpy(message), /True/)
  assert.match(dkimpy(changed), /False/)
}

function run({ environment }: Programs, command: string, args: string[]): string {
  const { stdout, stderr } = spawnSync(command, args, { env: environment, encoding: 'utf8' })
  return stdout + stderr
}
