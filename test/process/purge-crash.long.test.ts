/**
 * Tests that the removal of a deleted project is completed by the next process if one is killed with
 * SIGKILL in the middle. A lock of the test stops the server between two tables.
 */
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { databaseUrl } from '../fixtures/command-line.ts'
import * as bin from '../../server/areas/deleted-projects/service.ts'
import { eventually } from '../fixtures/eventually.ts'
import { openTestRuntime } from '../fixtures/runtime.ts'
import { movableClock } from '../../server/kernel/clock.ts'
import { advanceClock, startServer, type ServerProcess } from '../fixtures/server-process.ts'
import { newSiteOwner } from '../fixtures/sites/site-owner.ts'

const MONTH_S = 31 * 86_400
const secret = 'a master key for tests that is long enough'
const fixture = await openTestRuntime({
  clock: movableClock(),
  work: false,
  settings: { HOMEPORT_SECRET: secret },
})
const { db } = fixture.runtime
const folder = mkdtempSync(join(tmpdir(), 'homeport-purge-'))
const servers = new Set<ServerProcess>()
after(async () => {
  for (const server of servers) await server.stop('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

async function newServer(): Promise<ServerProcess> {
  const server = await startServer(folder, {
    DATABASE_URL: databaseUrl(fixture.connection),
    HOMEPORT_SECRET: secret,
    HOMEPORT_TEST_CLOCK: '1',
    HOMEPORT_LOG_LEVEL: 'error',
  })
  servers.add(server)
  return server
}

async function countOf(table: 'files' | 'sites' | 'projects' | 'site_versions', id: string) {
  const column = table === 'projects' ? 'id' : 'project_id'
  const { count } = await db
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where(column as 'project_id', '=', id)
    .executeTakeFirstOrThrow()
  return Number(count)
}

test('completes a removal after its process was killed between two tables', async () => {
  const { publish, project_id } = await newSiteOwner(fixture)
  await publish({ 'index.html': '<title>Bread</title>' })
  cpSync(join(fixture.runtime.config.data_dir, 'blobs'), join(folder, 'blobs'), { recursive: true })
  await bin.remove(fixture.runtime, project_id)
  const blocker = new pg.Client(fixture.connection)
  await blocker.connect()
  await blocker.query('begin')
  await blocker.query('select 1 from sites where project_id = $1 for update', [project_id])
  const killed = await newServer()
  await advanceClock(killed, MONTH_S)
  await eventually(async () => (await countOf('site_versions', project_id)) === 0)
  await killed.stop('SIGKILL')
  await blocker.query('rollback')
  await blocker.end()
  assert.deepEqual(
    [await countOf('sites', project_id), await countOf('projects', project_id)],
    [1, 1],
  )
  assert.equal(await bin.restore(fixture.runtime, project_id), null)
  const next = await newServer()
  await eventually(async () => {
    await advanceClock(next, 60)
    return (await countOf('projects', project_id)) === 0
  })
  assert.equal(await countOf('files', project_id), 0)
  const blobs = join(folder, 'blobs')
  assert.deepEqual(await Array.fromAsync(listIn(blobs, project_id)), [])
})

async function* listIn(blobs: string, project_id: string): AsyncGenerator<string> {
  const { readdir } = await import('node:fs/promises')
  for (const name of await readdir(blobs)) if (name.startsWith(project_id)) yield name
}
