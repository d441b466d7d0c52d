/** Tests of wake-ups between two processes on one database, with broken connections. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import pg from 'pg'
import { openBareFixture, type BareRuntime } from '../../../test/fixtures/bare-runtime.ts'
import { eventually } from '../../../test/fixtures/eventually.ts'
import { afterCommit } from '../database/database.ts'
import { createSeal } from '../secrets/crypto.ts'
import { openSeal } from '../secrets/lasting-mac-keys.ts'
import { channelOf, connectNotifications } from './notifications.ts'
import { createWakeups } from './wakeups.ts'
import { startWorkPool } from './work-pool.ts'

const fixture = await openBareFixture()

async function openProcess() {
  const runtime = fixture.openRuntime()
  const notifications = connectNotifications(runtime, fixture.connection)
  after(() => notifications.stop())
  await notifications.connected()
  return { runtime, notifications }
}

/** Collects the topics for which a process is woken. */
function heardBy({ wakeups }: BareRuntime, topics: readonly string[]): string[] {
  const heard: string[] = []
  for (const topic of topics) after(wakeups.listen(topic, () => heard.push(topic)))
  return heard
}

const one = await openProcess()
const other = await openProcess()

/** Receives notifications directly from PostgreSQL. */
const observer = new pg.Client(fixture.connection)
const seen: { processId: number; topics: string[] }[] = []
observer.on('notification', ({ processId, payload = '' }) => {
  seen.push({ processId, topics: payload.split('\n') })
})
await observer.connect()
await observer.query(`listen ${channelOf(one.runtime)}`)
// The database is dropped before this connection ends.
observer.on('error', () => {})
after(() => observer.end())

async function backends(): Promise<number[]> {
  const text = `select pid from pg_stat_activity
    where application_name like 'homeport%wake-ups' and datname = current_database()`
  const { rows } = await observer.query<{ pid: number }>(text)
  return rows.map(({ pid }) => pid)
}

describe('an announcement', () => {
  test('wakes the other process once, and not its own again', async () => {
    const [here, there] = [heardBy(one.runtime, ['a']), heardBy(other.runtime, ['a', 'b'])]
    one.runtime.wakeups.announce('a')
    assert.deepEqual(here, ['a'])
    await eventually(() => there.length > 0)
    other.runtime.wakeups.announce('b')
    await eventually(() => seen.some(({ topics }) => topics.includes('b')))
    assert.deepEqual([here, there], [['a'], ['a', 'b']])
  })

  test('causes a claim in the other process, long before its next poll', async () => {
    const claims: number[] = []
    const pool = startWorkPool({
      runtime: other.runtime,
      name: 'test',
      topic: 'work',
      concurrency: 1,
      poll_ms: 3_600_000,
      claim: async (slots) => {
        claims.push(slots)
        return []
      },
      run: async () => {},
    })
    after(() => pool.stop())
    assert.equal(claims.length, 1)
    await one.runtime.db.transact(async (tx) => {
      afterCommit(tx, () => one.runtime.wakeups.announce('work'))
    })
    await eventually(() => claims.length === 2)
  })

  test('is sent on a dedicated connection, never on one of the pool', async () => {
    const own = await backends()
    one.runtime.wakeups.announce('where from')
    await eventually(() => seen.at(-1)?.topics.includes('where from'))
    assert.ok(own.includes(seen.at(-1)?.processId ?? 0))
  })

  test('is sent in one batch with concurrent ones, each topic once', async () => {
    const topics = Array.from({ length: 250 }, (_, index) => `changes of ${index}`)
    const heard = heardBy(other.runtime, topics)
    const before = seen.length
    for (const topic of [...topics, ...topics, ...topics]) one.runtime.wakeups.announce(topic)
    await eventually(() => heard.length >= topics.length)
    assert.deepEqual(new Set(heard), new Set(topics))
    assert.ok(seen.length - before <= 4, `${seen.length - before} notifications`)
  })

  test('is not sent to other processes if it is for this process only', async () => {
    const there = heardBy(other.runtime, ['mine', 'later'])
    one.runtime.wakeups.wake('mine')
    one.runtime.wakeups.announce('later')
    await eventually(() => there.length > 0)
    assert.deepEqual(there, ['later'])
  })
})

describe('too many concurrent announcements', () => {
  test('wake every listener of the other process instead, and are logged', async () => {
    const topics = Array.from({ length: 2_500 }, (_, index) => `much ${index}`)
    const heard = heardBy(other.runtime, ['something else', 'much 2499'])
    const before = seen.length
    for (const topic of topics) one.runtime.wakeups.announce(topic)
    await eventually(() => heard.length >= 2)
    assert.ok(seen.length - before <= 2, `${seen.length - before} notifications`)
    const lines = one.runtime.logged.filter(({ msg }) => /too many wake-ups/.test(String(msg)))
    assert.equal(lines.length, 1)
  })
})

describe('a killed connection', () => {
  test('makes the other processes poll after the announcer reconnects', async () => {
    one.runtime.wakeups.announce('which connection')
    await eventually(() => seen.at(-1)?.topics.includes('which connection'))
    const there = heardBy(other.runtime, ['lost'])
    // Waits until the connection has ended, before it is replaced.
    await observer.query('select pg_terminate_backend($1, 5000)', [seen.at(-1)?.processId])
    one.runtime.wakeups.announce('lost')
    await eventually(() => there.length > 0)
  })

  test('is reopened; the process then looks for missed work, and receives announcements again', async () => {
    const there = heardBy(other.runtime, ['missed', 'after'])
    const killed = await backends()
    await observer.query('select pg_terminate_backend(pid) from unnest($1::int[]) as pid', [killed])
    // The announcement may be lost, but must neither throw nor wait.
    one.runtime.wakeups.announce('missed')
    await eventually(() => there.includes('missed') && there.includes('after'))
    await Promise.all([one.notifications.connected(), other.notifications.connected()])
    there.length = 0
    await eventually(() => {
      one.runtime.wakeups.announce('after')
      return there.includes('after')
    })
  })

  test('is not reopened after a stop', async () => {
    const { notifications, runtime } = await openProcess()
    assert.equal((await backends()).length, 3)
    await notifications.stop()
    runtime.wakeups.announce('nobody hears it')
    await eventually(async () => (await backends()).length === 2)
  })
})

test('wake-ups have a channel that another role, such as that of an app, cannot guess', () => {
  assert.match(channelOf(one.runtime), /^homeport_[0-9a-f]{32}$/)
  assert.equal(channelOf(one.runtime), channelOf(other.runtime))
})

test('wake-ups keep their channel while the master key is rotated, when processes have either key', async () => {
  const { db } = one.runtime
  const [OLD, NEW] = ['the master key before the rotation', 'the master key after the rotation']
  const before = await openSeal(db, { current: OLD, previous: '' })
  const during = await openSeal(db, { current: NEW, previous: OLD })
  assert.equal(channelOf({ seal: during }), channelOf({ seal: before }))
  assert.notEqual(channelOf({ seal: createSeal(NEW) }), channelOf({ seal: before }))
})

describe('an unavailable database', () => {
  test('neither fails an announcement nor ends the process', async () => {
    const wakeups = createWakeups()
    const { log, seal } = one.runtime
    const away = { host: '127.0.0.1', port: 1 }
    const notifications = connectNotifications({ wakeups, log, seal }, away)
    let heard = 0
    wakeups.listen('here', () => (heard += 1))
    wakeups.announce('here')
    assert.equal(heard, 1)
    await notifications.stop()
  })
})
