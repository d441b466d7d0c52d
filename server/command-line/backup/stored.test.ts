/** Tests of scheduled backups with a real database, on disk and in a bucket. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { CreateMultipartUploadCommand, S3Client } from '@aws-sdk/client-s3'
import pg from 'pg'
import { longTest } from '../../../test/fixtures/depth.ts'
import { createTestDatabase, dropTestDatabase } from '../../../test/fixtures/cluster.ts'
import { eventually, untilEnough } from '../../../test/fixtures/eventually.ts'
import { openS3Server } from '../../../test/fixtures/external/s3-server.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import {
  compileCache,
  databaseUrl,
  mainFile,
  runInProcess,
  temporaryFolder,
} from '../../../test/fixtures/command-line.ts'
import * as stored from '../../areas/files/service.ts'
import * as projects from '../../areas/projects/service.ts'
import { startWork } from '../../app.ts'
import { createWakeups } from '../../kernel/jobs/wakeups.ts'
import { backUp, listBackups, testLatest, type ListedBackup } from '../../areas/backups/service.ts'

const MB = 1_048_576
const requested = { scheduled_for: null }
const namesOf = (listed: readonly ListedBackup[]) => listed.map(({ name }) => name)

function backupFiles(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.startsWith('homeport-'))
}

describe('a scheduled backup', async () => {
  const folder = temporaryFolder()
  const settings = { HOMEPORT_BACKUPS: `disk:${folder}`, HOMEPORT_BACKUP_KEEP_DAILY: '2' }
  const { runtime, passes } = await openTestRuntime({
    settings: { ...settings, HOMEPORT_BACKUP_KEEP_WEEKLY: '0' },
  })
  // Another process that shares the database; its wake-ups are its own.
  const other = { ...runtime, wakeups: createWakeups() }
  const working = startWork(other)
  after(() => working.stop())

  const complete = (count: number) =>
    eventually(async () => {
      for (const topic of ['jobs', 'reconcilers']) other.wakeups.announce(topic)
      const listed = await listBackups(runtime)
      return listed.filter(({ state }) => state === 'complete').length === count && listed
    })

  it('is written once by two processes when it is switched on, for the owner only', async () => {
    passes('10 minutes')
    const [backup] = await complete(1)
    assert.ok(backup?.bytes)
    assert.ok(backup.finished_at)
    const file = join(folder, backup.name)
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.equal(statSync(file).size, backup.bytes)
    passes('10 minutes')
    passes('10 minutes')
    assert.equal((await complete(1)).length, 1)
    const metric = await eventually(async () => {
      const { values } = await runtime.metrics.last_backup.get()
      return values.find(({ value }) => value > 0)
    })
    assert.equal(metric.value, backup.started_at.getTime() / 1000)
  })

  it('is restored as a test within a week, with the result in the list', async () => {
    passes('10 minutes')
    const tested = await eventually(async () => {
      const listed = await complete(1)
      return listed.find(({ tested_at }) => tested_at !== null)
    })
    assert.equal(tested.test_error, null)
  })

  it('is written each day, and the expired one is deleted after it', async () => {
    const [first] = await complete(1)
    passes('24 hours')
    await complete(2)
    passes('24 hours')
    const last = await eventually(async () => {
      const listed = await complete(2)
      return !namesOf(listed).includes(first?.name ?? '') && listed
    })
    assert.equal(last.length, 2)
    assert.deepEqual(backupFiles(folder).toSorted(), namesOf(last).toSorted())
  })
})

describe('a backup on request', async () => {
  const folder = temporaryFolder()
  const { runtime, clock } = await openTestRuntime({
    settings: { HOMEPORT_BACKUPS: `disk:${folder}` },
    work: false,
  })

  it('is refused while another one runs, which completes', async () => {
    const results = await Promise.allSettled([
      backUp(runtime, requested),
      backUp(runtime, requested),
    ])
    const refused = results.filter((one) => one.status === 'rejected')
    assert.equal(refused.length, 1)
    assert.match(String(refused[0]?.reason), /Another backup is running/)
    assert.equal(backupFiles(folder).length, 1)
  })

  it('ends at an aborted signal, leaving no file and a failed run', async () => {
    const before = backupFiles(folder)
    const signal = AbortSignal.abort()
    await assert.rejects(backUp(runtime, { ...requested, signal }))
    assert.deepEqual(backupFiles(folder), before)
    assert.deepEqual(readdirSync(join(folder, '.unfinished')), [])
    const [failed] = await listBackups(runtime)
    assert.equal(failed?.state, 'failed')
  })

  it('marks a run as failed whose process died', async () => {
    const row = {
      id: '019ab3f0-5e1c-7a42-9d30-6f1e2c3b4a59',
      name: 'dead',
      state: 'running',
    } as const
    await runtime.db.transact((tx) =>
      tx
        .insertInto('backups')
        .values({ ...row, started_at: clock.now() })
        .execute(),
    )
    await backUp(runtime, requested)
    const dead = (await listBackups(runtime)).find(({ name }) => name === 'dead')
    assert.deepEqual(
      [dead?.state, dead?.error],
      ['failed', 'The process ended while it wrote the backup.'],
    )
  })

  longTest('is restored as a test, which drops the databases of interrupted tests', async () => {
    const client = new pg.Client(runtime.connection)
    await client.connect()
    const { rows } = await client.query(
      'select oid from pg_database where datname = current_database()',
    )
    const stale = `homeport_verify_${rows[0].oid}_dead`
    await client.query(`create database ${stale} template template0`)
    const { name } = await backUp(runtime, requested)
    assert.equal(await testLatest(runtime), name)
    const left = await client.query('select from pg_database where datname = $1', [stale])
    await client.end()
    assert.equal(left.rowCount, 0)
  })
})

describe('backups in a bucket', async () => {
  const bucket = await openS3Server()
  const relay = await openBreakingRelay(bucket.url)
  after(() => relay.close())
  const endpoint = encodeURIComponent(relay.url)
  const { runtime, project_id, clock } = await openTestRuntime({
    settings: {
      ...bucket.settings,
      HOMEPORT_BLOBS: 'disk',
      HOMEPORT_BACKUPS: `s3://homeport-files/backups/a?endpoint=${endpoint}`,
    },
    work: false,
  })

  it('are written below the prefix, listed and restored', async () => {
    const { name, bytes } = await backUp(runtime, requested)
    assert.deepEqual(
      (await listBackups(runtime)).map((one) => [one.name, one.bytes, one.state]),
      [[name, bytes, 'complete']],
    )
    assert.equal(await testLatest(runtime), name)
  })

  longTest(
    'keep the previous one if the store breaks half-way, and complete when it is back',
    async () => {
      const [previous] = await listBackups(runtime)
      const project = await projects.find(runtime.db, project_id)
      assert.ok(project)
      const file = await stored.storeFile(runtime, project, randomBytes(20 * MB))
      await runtime.db.transact((tx) => stored.adoptFiles(tx, project_id, [file.id]))
      relay.breakAfter(10 * MB)
      await assert.rejects(backUp(runtime, requested), /S3 does not keep files/)
      relay.breakAfter(Infinity)
      const listed = await listBackups(runtime)
      assert.deepEqual(
        listed.map(({ state }) => state),
        ['failed', 'complete'],
      )
      assert.match(listed[0]?.error ?? '', /S3 does not keep files/)
      assert.equal(listed[1]?.name, previous?.name)
      const { bytes } = await backUp(runtime, requested)
      assert.ok(bytes > 20 * MB)
    },
  )

  longTest(
    'delete the parts of interrupted ones after a day, below their prefix only',
    async () => {
      const client = new S3Client({
        region: 'us-east-1',
        endpoint: bucket.url,
        forcePathStyle: true,
        credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
      })
      after(() => client.destroy())
      const other = 'backups/b/homeport-other'
      for (const Key of [other, 'backups/a/homeport-killed'])
        await client.send(new CreateMultipartUploadCommand({ Bucket: 'homeport-files', Key }))
      await backUp(runtime, requested)
      // The interrupted one of the test before, and these two.
      assert.equal(bucket.uploads().length, 3)
      clock.advance(25 * 3600)
      await backUp(runtime, requested)
      assert.deepEqual(bucket.uploads(), [other])
    },
  )
})

/** Forwards connections, and cuts them once `bytes_max` bytes were sent to the target. */
async function openBreakingRelay(target: string) {
  const { hostname, port } = new URL(target)
  const open = new Set<Socket>()
  let left = Infinity
  const server = createServer((socket) => {
    const onward = connect(Number(port), hostname)
    for (const one of [socket, onward]) {
      open.add(one)
      one.on('error', () => {})
      one.on('close', () => open.delete(one))
    }
    socket.on('data', (chunk) => {
      left -= chunk.length
      if (left >= 0) return
      socket.destroy()
      onward.destroy()
    })
    socket.pipe(onward)
    onward.pipe(socket)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port: own }: AddressInfo = Object(server.address())
  return {
    url: `http://127.0.0.1:${own}`,
    breakAfter: (bytes: number) => void (left = bytes),
    close() {
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
}

describe('the commands on stored backups', async () => {
  const connection = await createTestDatabase()
  const target = await createTestDatabase()
  after(async () => {
    await dropTestDatabase(connection)
    await dropTestDatabase(target)
  })
  const folder = temporaryFolder()
  const settings = {
    DATABASE_URL: databaseUrl(connection),
    HOMEPORT_DATA_DIR: temporaryFolder(),
    HOMEPORT_SECRET: 'a master key for tests that is long enough',
    HOMEPORT_BACKUPS: `disk:${folder}`,
  }

  it('refuse without HOMEPORT_BACKUPS, and name a fix if there is no backup', async () => {
    await runInProcess(['projects', 'create', '--name', 'Bakery'], settings)
    const without = await runInProcess(['backup', 'now'], { ...settings, HOMEPORT_BACKUPS: '' })
    assert.match(without.said, /set HOMEPORT_BACKUPS to disk:\/folder or s3:/)
    const none = await runInProcess(['backup', 'verify', '--latest'], settings)
    assert.match(none.said, /There is no backup in .*: "homeport backup now" writes one/)
    const both = await runInProcess(
      ['restore', '--latest', '--from', join(tmpdir(), 'a')],
      settings,
    )
    assert.match(both.said, /--from FILE, or choose the newest backup with --latest/)
  })

  it('write, list, verify and restore the newest backup, without the list of backups', async () => {
    const { json: written } = await runInProcess(['backup', 'now', '--json'], settings)
    const { json: listed } = await runInProcess(['backup', 'list', '--json'], settings)
    assert.deepEqual(
      listed.map((one: { name: string; state: string }) => [one.name, one.state]),
      [[written.name, 'complete']],
    )
    const verified = await runInProcess(['backup', 'verify', '--latest', '--json'], settings)
    assert.equal(verified.json.file, written.name)
    const elsewhere = {
      ...settings,
      DATABASE_URL: databaseUrl(target),
      HOMEPORT_DATA_DIR: temporaryFolder(),
    }
    const restored = await runInProcess(['restore', '--latest', '--json'], elsewhere)
    assert.equal(restored.code, 0, restored.said)
    const found = await runInProcess(['projects', 'list', '--json'], elsewhere)
    assert.match(JSON.stringify(found.json), /Bakery/)
    const after = await runInProcess(['backup', 'list', '--json'], elsewhere)
    assert.deepEqual(
      after.json.map((one: { name: string; finished_at: unknown }) => [one.name, one.finished_at]),
      [[written.name, null]],
    )
  })
})

describe('a restore test', async () => {
  const folder = temporaryFolder()
  const { runtime } = await openTestRuntime({
    settings: { HOMEPORT_BACKUPS: `disk:${folder}` },
    work: false,
  })

  it('fails for a damaged backup, and the list says so', async () => {
    const { name } = await backUp(runtime, requested)
    const file = join(folder, name)
    const bytes = readFileSync(file)
    writeFileSync(file, bytes.subarray(0, bytes.length - 200))
    await assert.rejects(testLatest(runtime), /is damaged/)
    const [listed] = await listBackups(runtime)
    assert.ok(listed?.tested_at)
    assert.match(listed.test_error ?? '', /is damaged/)
  })
})

describe('a killed backup', async () => {
  const folder = temporaryFolder()
  const { runtime, connection, project_id } = await openTestRuntime({
    settings: { HOMEPORT_BACKUPS: `disk:${folder}` },
    work: false,
  })
  const unfinished = join(folder, '.unfinished')

  longTest('leaves no listed file, and the next one completes and removes its part', async () => {
    const project = await projects.find(runtime.db, project_id)
    assert.ok(project)
    const file = await stored.storeFile(runtime, project, randomBytes(40 * MB))
    await runtime.db.transact((tx) => stored.adoptFiles(tx, project_id, [file.id]))
    const child = spawn(process.execPath, [mainFile, 'backup', 'now'], {
      env: {
        ...compileCache,
        DATABASE_URL: databaseUrl(connection),
        HOMEPORT_DATA_DIR: runtime.config.data_dir,
        HOMEPORT_SECRET: 'a master key for tests that is long enough',
        HOMEPORT_BACKUPS: `disk:${folder}`,
      },
      stdio: 'ignore',
    })
    const ended = once(child, 'exit')
    const isWriting = () => existsSync(unfinished) && readdirSync(unfinished).length > 0
    await untilEnough(() => isWriting() && partBytes() > MB, ended)
    child.kill('SIGKILL')
    assert.deepEqual(await ended, [null, 'SIGKILL'])
    assert.deepEqual(backupFiles(folder), [])
    const [part = ''] = readdirSync(unfinished)
    utimesSync(join(unfinished, part), 0, 0)
    const { name } = await eventuallyFree(() => backUp(runtime, requested))
    assert.deepEqual(backupFiles(folder), [name])
    assert.deepEqual(readdirSync(unfinished), [])
    assert.deepEqual(
      (await listBackups(runtime)).map(({ state }) => state),
      ['complete', 'failed'],
    )
  })

  function partBytes(): number {
    const [part = ''] = readdirSync(unfinished)
    return statSync(join(unfinished, part)).size
  }
})

/** PostgreSQL notices the end of a killed process after a moment. */
function eventuallyFree<T>(work: () => Promise<T>): Promise<T> {
  return eventually(async () => {
    try {
      return await work()
    } catch (error) {
      assert.match(String(error), /Another backup is running/)
      return null
    }
  })
}
