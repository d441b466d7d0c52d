/** Tests that nothing of a deleted project is left after 30 days, in any table or the blob store. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { longTest } from '../../../../test/fixtures/depth.ts'
import { eventually } from '../../../../test/fixtures/eventually.ts'
import { liveFixture } from '../../../../test/fixtures/live-projects.ts'
import { newFixtures } from '../../../../test/fixtures/path-ids.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import { filesFromTexts, newSiteOwner } from '../../../../test/fixtures/sites/site-owner.ts'
import * as requests from '../../requests/service.ts'
import * as bin from '../service.ts'
import { purgeDeletedProjects } from './jobs.ts'
import { listProjectTables } from './purge-store.ts'

const fixture = await openTestRuntime()
const { runtime } = fixture
const { db } = runtime
const live = liveFixture(fixture)

/**
 * Development only: simulated records of a provider, which outlive the project.
 */
const outside = ['simulator_records']

/** The tables with a row that contains the text in any column. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await sql<{ name: string }>`
    select table_name::text as name from information_schema.tables
    where table_schema = current_schema() and table_type = 'BASE TABLE' order by 1`.execute(db)
  const found: string[] = []
  for (const { name } of tables.rows) {
    if (outside.includes(name)) continue
    const { rows } = await sql`
      select 1 from ${sql.id(name)} as t where to_jsonb(t)::text like ${`%${text}%`} limit 1`.execute(
      db,
    )
    if (rows.length > 0) found.push(name)
  }
  return found
}

/** Deletes a project whose requests are logged, as they are long before the removal. */
async function remove(project_id: string): Promise<void> {
  await requests.flushRequestLog(runtime)
  await bin.remove(runtime, project_id)
}

const blobsOf = async (project_id: string) => await Array.fromAsync(runtime.blobs.list(project_id))

const exists = async (project_id: string) => {
  const query = db.selectFrom('projects').select('id').where('id', '=', project_id)
  return (await query.executeTakeFirst()) !== undefined
}

/** Moves the clock, because a run that conflicts with another job is retried later. */
const gone = (project_id: string) =>
  eventually(async () => {
    if (!(await exists(project_id))) return true
    fixture.passes('1 second')
    return false
  })

describe('the removal of a project 30 days after its deletion', () => {
  test('leaves no row in any table, and no file', async () => {
    const { ids, team } = await newFixtures(fixture)
    const { project_id } = team
    const key = await fixture.newKey({ project_id })
    await fixture.call('PUT /project/company', { key, body: { company_name: 'De Molen' } })
    const before = await tablesWith(project_id)
    assert.ok(before.length > 30, before.join(' '))
    assert.ok((await blobsOf(project_id)).length > 0)
    const { name: kept_name } = await db
      .selectFrom('projects')
      .select('name')
      .where('id', '=', fixture.project_id)
      .executeTakeFirstOrThrow()
    await remove(project_id)
    fixture.passes('29 days')
    await eventually(async () => (await tablesWith('deleted_projects.find_due')).length > 0)
    assert.ok(await exists(project_id))
    fixture.passes('25 hours')
    await gone(project_id)
    await eventually(async () => (await tablesWith(project_id)).length === 0)
    assert.deepEqual(await blobsOf(project_id), [])
    const own = Object.entries(ids).filter(([place]) => !/persons?_id|session|passkey/.test(place))
    const uuids = own.map(([, id]) => id).filter((id) => /^[0-9a-f-]{36}$/.test(id))
    for (const id of new Set(uuids)) {
      if (id === ids['/projects/{project_id}/members/{person_id}']) continue
      if (id === ids['/invitations/{invitation_id}']) continue
      assert.deepEqual(await tablesWith(id), [], id)
    }
    const left = await db
      .selectFrom('projects')
      .select('name')
      .where('id', '=', fixture.project_id)
      .executeTakeFirstOrThrow()
    assert.equal(left.name, kept_name)
  })

  test('keeps the files and rows of other projects', async () => {
    const [away, kept] = [await newSiteOwner(fixture), await newSiteOwner(fixture)]
    for (const owner of [away, kept]) await owner.publish({ 'index.html': '<title>Same</title>' })
    const slug = `freed-${crypto.randomUUID().slice(0, 8)}`
    await away.publish({ 'index.html': '<title>x</title>' }, { slug })
    await remove(away.project_id)
    fixture.passes('31 days')
    await gone(away.project_id)
    assert.ok((await blobsOf(kept.project_id)).length > 0)
    const key = await fixture.newKey({ project_id: kept.project_id })
    assert.equal((await fixture.call('GET /sites', { key })).body.data.length, 1)
    const body = { slug, files: filesFromTexts({ 'index.html': '<title>y</title>' }) }
    assert.equal((await fixture.call('POST /sites', { key, body })).status, 201)
  })

  test('returns the live numbers to the carrier', async () => {
    const { project_id, key } = await live.readyProject()
    const ordered = await live.order(key)
    assert.equal(ordered.status, 201, ordered.text)
    await remove(project_id)
    fixture.passes('31 days')
    await gone(project_id)
    assert.deepEqual(await tablesWith(project_id), [])
    const other = await live.readyProject()
    const again = await live.order(other.key, { e164: ordered.body.e164 })
    assert.equal(again.status, 201, again.text)
  })

  test('keeps the other project of a pair, without a reference to the removed one', async () => {
    const pair = await fixture.newProject({ shape: 'pair' })
    await remove(pair.live_project_id)
    fixture.passes('31 days')
    await gone(pair.live_project_id)
    const key = await fixture.newKey({ project_id: pair.test_project_id, mode: 'test' })
    assert.equal((await fixture.call('GET /project', { key })).status, 200)
    assert.equal((await fixture.call('GET /balance', { key })).status, 200)
    assert.deepEqual(await tablesWith(pair.live_project_id), [])
  })

  longTest('reaches all projects, even if a hundred others are never removed', async () => {
    const still = await openTestRuntime({ work: false })
    const ids: string[] = []
    for (let n = 0; n < 101; n += 1) {
      const { project_id } = await still.newProject()
      ids.push(project_id)
      await bin.remove(still.runtime, project_id)
    }
    still.passes('31 days')
    for (let hours = 0; hours < 2; hours += 1) await purgeDeletedProjects.run(still.runtime)
    const jobs = await still.runtime.db
      .selectFrom('jobs')
      .select('dedupe_key')
      .where('kind', '=', 'deleted_projects.purge')
      .execute()
    assert.deepEqual(jobs.map(({ dedupe_key }) => dedupe_key).toSorted(), ids.toSorted())
  })

  test('skips a restored project', async () => {
    const { project_id } = await fixture.newProject()
    await remove(project_id)
    fixture.passes('29 days')
    assert.ok(await bin.restore(runtime, project_id))
    const { project_id: last } = await fixture.newProject()
    await remove(last)
    fixture.passes('31 days')
    await gone(last)
    assert.ok(await exists(project_id))
  })
})

test('lists a table before the tables that it references', async () => {
  const tables = await listProjectTables(db)
  assert.ok(tables.length > 50)
  assert.ok(!tables.includes('projects'))
  for (const [from, to] of [
    ['webhook_deliveries', 'webhook_endpoints'],
    ['connections', 'members'],
    ['ledger_postings', 'ledger_entries'],
  ] as const) {
    assert.ok(tables.indexOf(from) < tables.indexOf(to), `${from} ${to}`)
  }
})
