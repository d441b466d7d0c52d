/**
 * Kills the server while it hands an email over. Before the mail server has asked for the message, the
 * next server sends it; after that it may have arrived, and no server sends it again.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { databaseUrl } from '../fixtures/command-line.ts'
import { openEmailRuntime } from '../fixtures/email/email.ts'
import { movableClock } from '../../server/kernel/clock.ts'
import { eventually } from '../fixtures/eventually.ts'
import { openMailServer } from '../fixtures/external/mail-server.ts'
import { advanceClock, startServer, type ServerProcess } from '../fixtures/server-process.ts'

/** Polls between two moves of the clock. */
const LOOKS = 200
const secret = 'a master key for tests that is long enough'
const fixture = await openEmailRuntime({
  clock: movableClock(),
  work: false,
  settings: { HOMEPORT_SECRET: secret },
})
const folder = mkdtempSync(join(tmpdir(), 'homeport-email-'))
const servers: ServerProcess[] = []
after(async () => {
  for (const server of servers) await server.stop('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** A server delivers before its banner is read. */
let latest: Promise<ServerProcess>
/** Resolves when the process has ended, which is before the mail server has replied. */
const kill = async () => void (await (await latest).stop('SIGKILL'))
const seen = { recipients: 0, messages: 0 }
const mail = await openMailServer({
  async onRcptTo(_address, _session, done) {
    seen.recipients += 1
    if (seen.recipients === 1) await kill()
    done()
  },
  async onData(stream, _session, done) {
    // Clients send DATA together with RCPT, also the one that is killed before it can send the message.
    const is_whole = await stream.toArray().then(
      () => true,
      () => false,
    )
    if (is_whole) {
      seen.messages += 1
      await kill()
    }
    done()
  },
})

async function start(): Promise<ServerProcess> {
  latest = startServer(folder, {
    DATABASE_URL: databaseUrl(fixture.connection),
    HOMEPORT_SECRET: secret,
    HOMEPORT_TEST_CLOCK: '1',
    HOMEPORT_EMAIL: 'smarthost',
    HOMEPORT_EMAIL_URL: `smtp://127.0.0.1:${mail.port}?tls=off`,
    HOMEPORT_LOG_LEVEL: 'error',
  })
  servers.push(await latest)
  return latest
}

test('sends an email once, whenever its process is killed during the hand-over', async () => {
  const sender = await fixture.newSender()
  const { body } = await sender.send()
  await start()
  await eventually(async () => seen.recipients === 1 && servers[0]!.child.signalCode !== null)
  const second = await start()
  assert.equal(seen.messages, 0)
  await timePasses(second, () => seen.messages === 1 && second.child.signalCode !== null)
  const third = await start()
  const read = async () => (await fixture.look(`GET /emails/${body.id}`, sender.project_id)).body
  await timePasses(third, async () => {
    return (await read()).recipients[0].reason_code === 'outcome_unknown'
  })
  await advanceClock(third, 86_400)
  const { status, recipients } = await read()
  assert.deepEqual([status, recipients[0].next_attempt_at, seen.messages], ['sent', null, 1])
})

/** Moves the clock until it is so: past the leases of the killed server, and the pauses of its job. */
async function timePasses(server: ServerProcess, isSo: () => boolean | Promise<boolean>) {
  let looks = 0
  await eventually(async () => {
    if (looks % LOOKS === 0 && server.child.signalCode === null) {
      await advanceClock(server, 300).catch((error: unknown) => {
        if (server.child.signalCode === null && !server.child.killed) throw error
      })
    }
    looks += 1
    return isSo()
  })
}
