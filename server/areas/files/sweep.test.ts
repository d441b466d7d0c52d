/**
 * Tests that the sweep keeps used files and deletes unused ones with all derived bytes after an
 * hour. After a crash at any step, the next sweep makes rows and blobs consistent.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { beforeEach, suite, test } from 'node:test'
import { sql } from 'kysely'
import { openBareFixture, standingClock } from '../../../test/fixtures/bare-runtime.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import * as projects from '../projects/service.ts'
import { sweepFiles } from './sweep.ts'
import * as files from './service.ts'

const HOUR_S = 3600
const fixture = await openBareFixture()
const clock = standingClock()
const runtime = fixture.openRuntime(clock)

async function newProject() {
  const made = await projects.create(runtime, {
    name: 'Test',
    shape: 'single',
    plan: 'business',
    owner_email: null,
  })
  assert('project_id' in made)
  const row = await projects.find(runtime.db, made.project_id)
  assert(row)
  return row
}

let project = await newProject()
beforeEach(async () => {
  project = await newProject()
})

const hexOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

async function blobKeysOf(project_id: string): Promise<string[]> {
  return (await Array.fromAsync(runtime.blobs.list(`${project_id}/`))).map(({ key }) => key)
}

const rowsOf = (project_id: string) =>
  runtime.db.selectFrom('files').selectAll().where('project_id', '=', project_id).execute()

async function usageOf(project_id: string): Promise<{ said: number; counted: number }> {
  const usage = await runtime.db
    .selectFrom('file_usage')
    .select('bytes')
    .where('project_id', '=', project_id)
    .executeTakeFirst()
  const rows = await rowsOf(project_id)
  const live = rows.filter(({ doomed_at }) => doomed_at === null)
  const counted = live.reduce((sum, { bytes }) => sum + Number(bytes), 0)
  return { said: Number(usage?.bytes ?? 0), counted }
}

/** Changes the use count of each file by one. */
function use(by: 1 | -1, ids: readonly string[]): Promise<void> {
  const { id: project_id } = project
  return runtime.db.transact(async (tx) => {
    await projects.lock(tx, project_id)
    if (by === 1) await files.adoptFiles(tx, project_id, ids)
    else await files.releaseFiles(tx, { project_id, now: clock.now() }, ids)
  })
}

const store = (bytes: Uint8Array) => files.storeFile(runtime, project, bytes)
const find = async (bytes: Uint8Array) =>
  (await files.findFiles(runtime, project.id, [hexOf(bytes)])).map(({ id }) => id)

async function sweep(of: Runtime = runtime): Promise<void> {
  await sweepFiles.run(of)
}

/** Moves the clock by an hour and sweeps; rows of deleted files are kept for 45 minutes. */
async function sweepLater(): Promise<void> {
  clock.advance(HOUR_S)
  await sweep()
}

suite('an unused file', () => {
  test('is deleted an hour after it was stored, with its bytes and its plan usage', async () => {
    const bytes = randomBytes(700)
    const { id } = await store(bytes)
    clock.advance(HOUR_S - 10)
    await sweep()
    assert.deepEqual((await rowsOf(project.id)).length, 1)
    clock.advance(20)
    await sweep()
    assert.deepEqual(await find(bytes), [])
    assert.deepEqual(await blobKeysOf(project.id), [])
    assert.deepEqual(await usageOf(project.id), { said: 0, counted: 0 })
    await sweepLater()
    assert.deepEqual(await rowsOf(project.id), [])
    assert.notEqual((await store(bytes)).id, id)
  })

  test('is kept for another hour when it is requested', async () => {
    const bytes = randomBytes(700)
    const { id } = await store(bytes)
    for (let time = 0; time < 4; time++) {
      clock.advance(HOUR_S - 60)
      assert.deepEqual(await find(bytes), [id])
      await sweep()
    }
    clock.advance(HOUR_S - 60)
    assert.equal((await store(bytes)).id, id)
    await sweep()
    assert.deepEqual(await find(bytes), [id])
  })

  test('is deleted with its compressed copies and the derived files beside it', async () => {
    const { id } = await store(Buffer.from('Opening hours. '.repeat(100)))
    await files.encodeFiles(runtime, project.id, [id])
    await files.storeDerived(
      runtime,
      { project_id: project.id, id, suffix: '320.webp' },
      randomBytes(9),
    )
    await files.storeDerived(
      runtime,
      { project_id: project.id, id, suffix: '320.webp' },
      randomBytes(9),
    )
    assert.equal((await blobKeysOf(project.id)).length, 5)
    clock.advance(2 * HOUR_S)
    await sweep()
    assert.deepEqual(await blobKeysOf(project.id), [])
  })

  test('expires an hour after its last use was released', async () => {
    const { id } = await store(randomBytes(700))
    await use(1, [id, id, id])
    clock.advance(100 * HOUR_S)
    await use(-1, [id])
    await use(-1, [id])
    clock.advance(2 * HOUR_S)
    await sweep()
    assert.equal((await rowsOf(project.id))[0]?.uses, 1)
    await use(-1, [id])
    clock.advance(HOUR_S - 10)
    await sweep()
    assert.equal((await rowsOf(project.id))[0]?.doomed_at, null)
    clock.advance(20)
    await sweep()
    assert.notEqual((await rowsOf(project.id))[0]?.doomed_at, null)
  })

  test('cannot be adopted after deletion: FileGone is thrown and the usage is not counted', async () => {
    const [gone, there] = [await store(randomBytes(700)), await store(randomBytes(701))]
    await use(1, [there.id])
    clock.advance(2 * HOUR_S)
    await sweep()
    await assert.rejects(use(1, [there.id, gone.id]), files.FileGone)
    assert.equal((await rowsOf(project.id))[0]?.uses, 1)
    const beside = { project_id: project.id, id: gone.id, suffix: 'a' }
    await assert.rejects(files.storeDerived(runtime, beside, randomBytes(9)), files.FileGone)
    assert.deepEqual(await blobKeysOf(project.id), [`${project.id}/${there.id}`])
  })

  test('leaves no bytes if it is deleted while a stream is still being stored', async () => {
    const slow = async function* () {
      yield randomBytes(700)
      clock.advance(2 * HOUR_S)
      await sweep()
      yield randomBytes(700)
    }
    await assert.rejects(files.storeFile(runtime, project, slow()), files.FileGone)
    assert.deepEqual(await blobKeysOf(project.id), [])
    assert.deepEqual(await usageOf(project.id), { said: 0, counted: 0 })
  })

  test('is deleted with all others, over several batches and projects', async () => {
    const rows = Array.from({ length: 520 }, (_, index) => randomBytes(index + 1))
    await files.storeFiles(runtime, project, rows)
    clock.advance(2 * HOUR_S)
    await sweep()
    assert.deepEqual(await blobKeysOf(project.id), [])
    assert.deepEqual(await usageOf(project.id), { said: 0, counted: 0 })
  })
})

suite('a file in use', () => {
  test('is kept during concurrent adoptions and releases', async () => {
    const stored = await files.storeFiles(
      runtime,
      project,
      [1, 2, 3, 4, 5].map((n) => randomBytes(n)),
    )
    const ids = stored.map(({ id }) => id)
    await use(1, ids)
    const takings = Array.from({ length: 40 }, async (_, index) => {
      const some = [...ids, ...ids].slice(index % 5, (index % 5) + 3).toReversed()
      await use(1, some)
      await sweep()
      await use(-1, some)
    })
    await Promise.all(takings)
    clock.advance(5 * HOUR_S)
    await sweep()
    assert.deepEqual(
      (await rowsOf(project.id)).map(({ uses }) => uses),
      [1, 1, 1, 1, 1],
    )
  })
})

suite('a process that crashes', () => {
  /** Opens a runtime whose blob store fails at every `remove`, or at `put` after some calls. */
  function failing(verb: 'put' | 'remove', calls: number): Runtime {
    let left = calls
    const fail = async (...given: Parameters<Runtime['blobs']['put']>) => {
      if (left-- > 0) return runtime.blobs.put(...given)
      throw new Error('blob store failed')
    }
    const methods =
      verb === 'put'
        ? { put: fail }
        : { remove: () => Promise.reject(new Error('blob store failed')) }
    return { ...runtime, blobs: { ...runtime.blobs, ...methods } }
  }

  test('leaves a file that is marked as deleted, with its bytes, for the next sweep', async () => {
    const bytes = randomBytes(900)
    await store(bytes)
    clock.advance(2 * HOUR_S)
    await assert.rejects(sweep(failing('remove', 0)), { message: 'blob store failed' })
    assert.deepEqual(await find(bytes), [])
    assert.equal((await blobKeysOf(project.id)).length, 1)
    const { id } = await store(bytes)
    await sweep()
    assert.deepEqual(await blobKeysOf(project.id), [`${project.id}/${id}`])
  })

  test('leaves a file whose bytes but not its row are deleted for the next sweep', async () => {
    await store(randomBytes(900))
    clock.advance(2 * HOUR_S)
    await assert.rejects(sweep(failing('remove', 0)))
    await runtime.blobs.remove(await blobKeysOf(project.id))
    await sweep()
    await sweepLater()
    assert.deepEqual(await rowsOf(project.id), [])
  })

  test('leaves no file if only part of its bytes was written, and they can be stored again', async () => {
    const contents = [1, 2, 3, 4].map((n) => randomBytes(n * 1000))
    await assert.rejects(files.storeFiles(failing('put', 2), project, contents), {
      message: 'blob store failed',
    })
    for (const bytes of contents) assert.deepEqual(await find(bytes), [])
    const stored = await files.storeFiles(runtime, project, contents)
    for (const [index, { id }] of stored.entries())
      assert.deepEqual(await files.readFile(runtime, project.id, { id }), contents[index])
    const { said, counted } = await usageOf(project.id)
    assert.deepEqual([said, counted], [10_000, 10_000])
  })

  test('deletes derived files that were stored later together with their file', async () => {
    const bytes = randomBytes(800)
    const { id } = await store(bytes)
    const put = async (...given: Parameters<Runtime['blobs']['put']>) => {
      clock.advance(2 * HOUR_S)
      await sweep()
      return runtime.blobs.put(...given)
    }
    const beside = { project_id: project.id, id, suffix: '8.webp' }
    await files.storeDerived(
      { ...runtime, blobs: { ...runtime.blobs, put } },
      beside,
      randomBytes(9),
    )
    assert.equal((await blobKeysOf(project.id)).length, 1)
    await sweepLater()
    assert.deepEqual([await blobKeysOf(project.id), await rowsOf(project.id)], [[], []])
  })

  test('leaves no partial bytes, no bytes without a row, and an exact usage', async () => {
    const file = join(import.meta.dirname, '../../../test/fixtures/processes/files-worker.ts')
    const { id: project_id } = project
    let kills = 0
    for (const lines of [1, 4, 9, 17]) {
      const settings = { connection: fixture.connection, offset_s: kills * 5 * HOUR_S }
      const folder = runtime.config.data_dir
      const child = spawn(
        process.execPath,
        [file, JSON.stringify({ ...settings, folder, project_id })],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      )
      const ended = new Promise((done) => child.once('exit', (_code, signal) => done(signal)))
      let heard = 0
      for await (const line of createInterface({ input: child.stdout }))
        if (line !== '' && ++heard === lines) child.kill('SIGKILL')
      assert.equal(await ended, 'SIGKILL')
      kills += 1
    }
    await requireWhole(project_id)
    clock.advance(1000 * HOUR_S)
    await sweep()
    clock.advance(HOUR_S)
    await sweep()
    await requireWhole(project_id)
    const rows = await rowsOf(project_id)
    assert(rows.length > 0 && rows.every(({ uses }) => uses > 0))
  })

  /**
   * Asserts that every stored row has its bytes, every blob key has a row, and the usage is the sum
   * of the rows.
   */
  async function requireWhole(project_id: string): Promise<void> {
    const rows = await rowsOf(project_id)
    for (const row of rows.filter(({ stored_at, doomed_at }) => stored_at && !doomed_at)) {
      const bytes = await files.readFile(runtime, project_id, { id: row.id })
      assert.equal(hexOf(bytes), row.sha256?.toString('hex'))
      assert.equal(bytes.length, Number(row.bytes))
    }
    const ids = new Set(rows.map(({ id }) => id))
    for (const key of await blobKeysOf(project_id))
      assert(ids.has(key.slice(project_id.length + 1).split('.')[0] ?? ''), key)
    const { said, counted } = await usageOf(project_id)
    assert.equal(said, counted)
  }
})

test('the sweep finds expired files by an index, for any number of used files', async () => {
  const now = new Date()
  await runtime.db.transact(async (tx) => {
    await sql`
      insert into files (project_id, id, sha256, bytes, stored_at, uses, created_at)
      select ${project.id}, gen_random_uuid(), sha256(i::text::bytea), 1, ${now}, 1, ${now}
      from generate_series(1, 20000) i`.execute(tx)
    await sql`analyze files`.execute(tx)
  })
  const { rows } = await sql<{ 'QUERY PLAN': string }>`
    explain select project_id, id from files where uses = 0 and doomed_at is null
    and unused_since < ${now}::timestamptz order by unused_since limit 500`.execute(runtime.db)
  assert.match(JSON.stringify(rows), /files_unused/)
})
