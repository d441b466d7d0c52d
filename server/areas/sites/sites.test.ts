/** Sites through the front door: published, found, listed. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { callerOf, slugOf } from '../../../test/ground/data.ts'
import { openTestHouse } from '../../../test/ground/house.ts'
import * as projects from '../projects/service.ts'
import { findServed, readManifest } from './service.ts'

const house = await openTestHouse({ work: false })
const { db } = house.house

let made = 0

async function newProject() {
  const { project_id } = await house.newProject()
  await projects.change(db, project_id, { phone_verified: true })
  return { project_id, call: callerOf(house, project_id), slug: `site-${++made}` }
}

const page = '<!doctype html><title>Bread &amp; more</title><h1>Hello</h1>'

suite('POST /sites', () => {
  test('publishes files and gives the address', async () => {
    const { call, slug, project_id } = await newProject()
    const files = [{ path: 'index.html', content: page }]
    const { status, body, text } = await call('POST /sites', { slug, files })
    assert.equal(status, 201, text)
    console.log(body)
    const served = await findServed(db, slug)
    assert.equal(served?.id, body.id)
    const manifest = await readManifest(db, { project_id, id: body.id }, 1)
    console.log(JSON.stringify(manifest))
    const put = await call(`PUT /sites/${body.id}`, {
      files: [{ path: '/a.txt', content: 'aGk=', encoding: 'base64' }],
      keep_others: true,
    })
    console.log(put.body)
    assert.ok(slugOf)
  })
})
