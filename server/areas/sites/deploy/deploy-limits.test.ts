/**
 * Tests of refusals of a valid deploy: rate limit, storage limit, and a site that was taken
 * offline.
 */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { slugOf } from '../../../../test/fixtures/data/data.ts'
import { openTestRuntime, type Answer } from '../../../../test/fixtures/runtime.ts'
import { filesFromTexts, newSiteOwner } from '../../../../test/fixtures/sites/site-owner.ts'
import { limits } from '../../../contract/limits.ts'
import { readFile } from '../../files/service.ts'
import * as billing from '../../billing/service.ts'
import * as projects from '../../projects/service.ts'
import { deleteOldDeploys } from '../jobs.ts'
import { findServed, readManifest } from '../service.ts'

const runtime = await openTestRuntime({ work: false })
const { db } = runtime.runtime

const page = '<!doctype html><title>Bread</title><h1>Fresh bread</h1>'

function refused(answer: Answer, status: number, slug: string): void {
  assert.deepEqual([answer.status, slugOf(answer)], [status, slug], answer.text.slice(0, 500))
}

/** Returns the files that visitors get, as text by path. */
async function shownAt(label: string): Promise<Record<string, string>> {
  const site = await findServed(db, label)
  assert.ok(site)
  const { files } = await readManifest(db, site, site.version)
  const texts = files.map(async ({ path, file_id }) => {
    const bytes = await readFile(runtime.runtime, site.project_id, { id: file_id })
    return [path, bytes.toString()] as const
  })
  return Object.fromEntries(await Promise.all(texts))
}

suite('the hourly limit of deploys (deploy_limit_reached)', () => {
  const files = filesFromTexts({ 'index.html': page })

  /** Sends deploys concurrently until one is refused. */
  async function deployUntilRefused(owner: Awaited<ReturnType<typeof newSiteOwner>>, id: string) {
    const asked = Array.from({ length: 130 }, () => owner.call(`PUT /sites/${id}`, { files }))
    const answers = await Promise.all(asked)
    return {
      done: answers.filter(({ status }) => status === 200).length,
      refusals: answers.filter(({ status }) => status !== 200),
    }
  }

  test('is 30 in the first week, also for concurrent deploys, and sends Retry-After', async () => {
    const owner = await newSiteOwner(runtime)
    const site = await owner.publish({ 'index.html': page })
    const { done, refusals } = await deployUntilRefused(owner, site.id)
    assert.equal(done, limits.first_week_deploys_per_hour_max - 1, 'the first was one of them')
    const [answer] = refusals
    assert.ok(answer)
    refused(answer, 429, 'deploy_limit_reached')
    const wait_s = Number(answer.headers.get('retry-after'))
    assert.ok(wait_s > 3500 && wait_s <= 3600, `${wait_s}`)
    assert.equal((await owner.call(`GET /sites/${site.id}`)).body.version, done + 1)
    runtime.passes('61 minutes')
    assert.equal((await owner.call(`PUT /sites/${site.id}`, { files })).status, 200)
  })

  test('does not count refused deploys', async () => {
    const owner = await newSiteOwner(runtime)
    const { project_id } = owner
    const count = async () => {
      const { rows } = await sql`select 1 from site_deploys
        where project_id = ${project_id}`.execute(db)
      return rows.length
    }
    const create = () => owner.call('POST /sites', { slug: `s-${crypto.randomUUID()}`, files })
    const answers = await Promise.all(Array.from({ length: 25 }, create))
    const made = answers.filter(({ status }) => status === 201)
    assert.equal(made.length, limits.sites_max)
    assert.equal(await count(), limits.sites_max)
    const [first] = made
    const clashing = filesFromTexts({ a: 'x', 'a/b': 'y' })
    const refuse = () => owner.call(`PUT /sites/${first?.body.id}`, { files: clashing })
    for (let at = 0; at < 10; at += 1) assert.equal((await refuse()).status, 422)
    const counted = 25 - limits.sites_max + 10 - limits.first_week_deploys_per_hour_max
    assert.equal(await count(), limits.sites_max + counted)
  })

  test('is 120 after an approved verification or a top-up', async () => {
    const owner = await newSiteOwner(runtime)
    const site = await owner.publish({ 'index.html': page })
    await projects.setVerification(db, {
      project_id: owner.project_id,
      level: 'company',
      status: 'approved',
    })
    const { done } = await deployUntilRefused(owner, site.id)
    assert.equal(done, limits.deploys_per_hour_max - 1)
  })

  test('becomes 120 at a top-up in the first week', async () => {
    const owner = await newSiteOwner(runtime)
    const { project_id } = owner
    const site = await owner.publish({ 'index.html': page })
    const { done } = await deployUntilRefused(owner, site.id)
    assert.equal(done, limits.first_week_deploys_per_hour_max - 1)
    await db.transact((tx) =>
      billing.topUp(tx, runtime.runtime, {
        project_id,
        amount_micro: 10_000_000n,
        source: 'payment',
        description: 'Top-up',
        reference: 'first',
      }),
    )
    assert.equal((await owner.call(`PUT /sites/${site.id}`, { files })).status, 200)
  })

  test('becomes 120 after the first week', async () => {
    const owner = await newSiteOwner(runtime)
    const site = await owner.publish({ 'index.html': page })
    runtime.passes('7 days')
    const { done } = await deployUntilRefused(owner, site.id)
    assert.equal(done, limits.deploys_per_hour_max)
  })
})

test('the daily limit does not count old deploys, whose rows are deleted', async () => {
  const owner = await newSiteOwner(runtime)
  await owner.publish({ 'index.html': page })
  const count = async () => {
    const { rows } = await sql`select 1 from site_deploys
      where project_id = ${owner.project_id}`.execute(db)
    return rows.length
  }
  const { clock } = runtime
  assert.equal(await count(), 1)
  await deleteOldDeploys.run({ ...runtime.runtime, clock })
  assert.equal(await count(), 1)
  runtime.passes('61 minutes')
  await deleteOldDeploys.run({ ...runtime.runtime, clock })
  assert.equal(await count(), 0)
})

suite('plan_limit_reached', () => {
  test('refuses files that exceed the storage of the plan: 409', async () => {
    const { call, publish, project_id } = await newSiteOwner(runtime, { plan: 'free' })
    const site = await publish({ 'index.html': page })
    await db.transact((tx) =>
      sql`update file_usage set bytes = 104857600 where project_id = ${project_id}`.execute(tx),
    )
    const body = { files: filesFromTexts({ 'index.html': 'new' }) }
    refused(await call(`PUT /sites/${site.id}`, body), 409, 'plan_limit_reached')
    assert.deepEqual(await shownAt(site.slug), { 'index.html': page })
  })
})

suite('a file name that is also the name of a JavaScript property', () => {
  test('is accepted like any other name', async () => {
    const { call } = await newSiteOwner(runtime)
    const files = ['index.html', 'constructor', 'a.constructor', 'x.__proto__'].map((path) => {
      return { path, content: 'x' }
    })
    const { status, text, body } = await call('POST /sites', { slug: 'javascript-names', files })
    assert.deepEqual([status, body.files_count], [201, 4], text)
  })
})

suite('site_offline', () => {
  test('refuses deploys to an offline site with 403 and the reason', async () => {
    const { call, publish } = await newSiteOwner(runtime)
    const site = await publish({ 'index.html': page })
    await db.transact((tx) =>
      sql`update sites set status = 'offline', status_reason = 'Phishing'
        where id = ${site.id}`.execute(tx),
    )
    const asked: [string, object][] = [
      [`PUT /sites/${site.id}`, { files: filesFromTexts({ 'index.html': 'new' }) }],
      [`PATCH /sites/${site.id}`, { title: 'New' }],
      [`POST /sites/${site.id}/rollback`, { version: 1 }],
    ]
    for (const [route, body] of asked) {
      const answer = await call(route, body)
      refused(answer, 403, 'site_offline')
      assert.match(answer.body.detail, /: Phishing\.$/)
    }
    refused(await call(`DELETE /sites/${site.id}`), 403, 'site_offline')
    const { body } = await call(`GET /sites/${site.id}`)
    assert.deepEqual([body.status, body.status_reason], ['offline', 'Phishing'])
  })
})
