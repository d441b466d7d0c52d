/**
 * Deploys that refer to uploaded files by digest while the sweep deletes files unused for an hour:
 * the bytes either exist and stay, or the deploy reports them missing.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { depth } from '../fixtures/depth.ts'
import { slugOf } from '../fixtures/data/data.ts'
import { openTestRuntime } from '../fixtures/runtime.ts'
import { fileBooksOf, newSiteOwner } from '../fixtures/sites/site-owner.ts'
import { sweepFiles } from '../../server/areas/files/sweep.ts'
import { storeFile } from '../../server/areas/files/service.ts'
import * as projects from '../../server/areas/projects/service.ts'

const runtime = await openTestRuntime({ work: false })
const { db } = runtime.runtime

const ROUNDS = depth(2, 12)

test('the sweep deletes only unused files, and keeps the used ones', async () => {
  const owner = await newSiteOwner(runtime)
  const { project_id } = owner
  const site = await owner.publish({ 'index.html': 'first' })
  const project = await projects.find(db, project_id)
  assert.ok(project)
  const outcomes = new Set<number>()
  for (let round = 0; round < ROUNDS; round++) {
    const text = `round ${round}`
    const { sha256, bytes } = await storeFile(runtime.runtime, project, Buffer.from(text))
    const files = [{ path: 'index.html', sha256, bytes }]
    runtime.passes('61 minutes')
    const sweep = () => sweepFiles.run({ ...runtime.runtime, clock: runtime.clock })
    const deploy = () => owner.call(`PUT /sites/${site.id}`, { files })
    const [answer] =
      round % 2 === 0
        ? await Promise.all([deploy(), sweep()])
        : (await Promise.all([sweep(), deploy()])).toReversed()
    assert.ok(answer && 'status' in answer)
    outcomes.add(answer.status)
    if (answer.status === 422) assert.equal(slugOf(answer), 'upload_not_received')
    else assert.equal(answer.status, 200, answer.text)
    const read = await owner.call(`GET /sites/${site.id}/files/index.html`)
    assert.equal(read.status, 200, read.text)
    if (answer.status === 200) assert.equal(read.body.content, text)
    await fileBooksOf(runtime, project_id)
  }
  assert.ok([...outcomes].every((status) => status === 200 || status === 422))
})

test('a deploy stores inline bytes again after they were swept', async () => {
  const owner = await newSiteOwner(runtime)
  const site = await owner.publish({ 'index.html': 'first' })
  for (let round = 0; round < ROUNDS; round++) {
    const files = [{ path: 'index.html', content: `text ${round % 2}` }]
    runtime.passes('61 minutes')
    const [answer] = await Promise.all([
      owner.call(`PUT /sites/${site.id}`, { files }),
      sweepFiles.run({ ...runtime.runtime, clock: runtime.clock }),
    ])
    assert.equal(answer.status, 200, answer.text)
    const read = await owner.call(`GET /sites/${site.id}/files/index.html`)
    assert.equal(read.body.content, `text ${round % 2}`)
    await fileBooksOf(runtime, owner.project_id)
  }
})
