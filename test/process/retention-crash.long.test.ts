/**
 * Tests that the deletion of old records is completed by the next process if one is killed with
 * SIGKILL between two batches. A lock of the test stops the server at a record of the second batch.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { databaseUrl } from '../fixtures/command-line.ts'
import { limits } from '../../server/contract/limits.ts'
import { newId } from '../../server/kernel/values/ids.ts'
import { eventually } from '../fixtures/eventually.ts'
import { openTestRuntime } from '../fixtures/runtime.ts'
import { movableClock } from '../../server/kernel/clock.ts'
import { advanceClock, startServer, type ServerProcess } from '../fixtures/server-process.ts'

const DAY_S = 86_400
const CONVERSATIONS = limits.retention_batch_max + 20

const secret = 'a master key for tests that is long enough'
const fixture = await openTestRuntime({
  clock: movableClock(),
  work: false,
  settings: { HOMEPORT_SECRET: secret },
})
const { clock, runtime, project_id, key } = fixture
const folder = mkdtempSync(join(tmpdir(), 'homeport-retention-'))
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

/** Copies a conversation, so that there are more than one transaction deletes. Returns their ids. */
async function addConversations(): Promise<string[]> {
  await fixture.call('PUT /assistant', { key, body: { name: 'Robin' } })
  const { body } = await fixture.call('POST /conversations', { key, body: {} })
  const { id } = body.conversation
  await fixture.call(`POST /conversations/${id}/close`, { key, body: {} })
  const ids = Array.from({ length: CONVERSATIONS - 1 }, () => newId(clock))
  await runtime.db.transact(async (tx) => {
    await sql`
      insert into conversations select (jsonb_populate_record(c, jsonb_build_object('id', n.id))).*
      from conversations as c, unnest(${ids}::uuid[]) as n (id)
      where c.project_id = ${project_id} and c.id = ${id}`.execute(tx)
  })
  return [id, ...ids].toSorted()
}

async function countOf(): Promise<number> {
  const { count } = await runtime.db
    .selectFrom('conversations')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where('project_id', '=', project_id)
    .executeTakeFirstOrThrow()
  return Number(count)
}

test('completes a deletion of old records after its process was killed between two batches', async () => {
  const ids = await addConversations()
  const blocker = new pg.Client(fixture.connection)
  await blocker.connect()
  await blocker.query('begin')
  await blocker.query('select 1 from conversations where id = $1 for update', [ids.at(-1)])
  const killed = await newServer()
  await advanceClock(killed, 400 * DAY_S)
  await eventually(async () => (await countOf()) === CONVERSATIONS - limits.retention_batch_max)
  await killed.stop('SIGKILL')
  await blocker.query('rollback')
  await blocker.end()
  assert.equal(await countOf(), CONVERSATIONS - limits.retention_batch_max)
  const next = await newServer()
  await advanceClock(next, 2 * 3600)
  await eventually(async () => (await countOf()) === 0)
})
