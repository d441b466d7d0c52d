/**
 * A stored schema equals the submitted one, and an unusable stored schema does not block the
 * collection.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { callerOf, slugOf } from '../../../../test/fixtures/data/data.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'

const runtime = await openTestRuntime({ work: false })
const { db } = runtime.runtime

async function newProject() {
  const { project_id } = await runtime.newProject()
  return { project_id, call: callerOf(runtime, project_id) }
}

test('refuses a schema with a number that cannot be stored, with its path', async () => {
  const { call } = await newProject()
  await call('POST /collections', { name: 'kept' })
  for (const [keyword, number] of [
    ['minimum', '1e400'],
    ['const', '-1e400'],
    ['maxLength', '1e400'],
  ]) {
    const schema = `{"properties":{"a":{"${keyword}":${number}}}}`
    for (const [route, raw] of [
      ['POST /collections', `{"name":"a","schema":${schema}}`],
      ['PATCH /collections/kept', `{"schema":${schema}}`],
    ] as const) {
      const answer = await call(route, undefined, { raw })
      assert.deepEqual([answer.status, slugOf(answer)], [422, 'validation_failed'], answer.text)
      assert.equal(answer.body.errors[0].path, `/schema/properties/a/${keyword}`)
    }
  }
})

test('lets a client replace a stored schema that this release cannot compile', async () => {
  const { call, project_id } = await newProject()
  await call('POST /collections', { name: 'a' })
  const { body: made } = await call('POST /collections/a/documents', { age: 3 })
  const schema = '{"properties":{"age":{"minimum":null}}}'
  await sql`update collections set schema = ${schema} where project_id = ${project_id}`.execute(db)
  assert.equal((await call('GET /collections/a')).status, 200)
  assert.deepEqual((await call(`GET /collections/a/documents/${made.id}`)).body.data, { age: 3 })
  const refused = await call('POST /collections/a/documents', { age: 4 })
  assert.deepEqual([refused.status, slugOf(refused)], [422, 'schema_mismatch'])
  assert.match(refused.body.detail, /needs another schema: \/schema\/properties\/age\/minimum/)
  const repaired = await call('PATCH /collections/a', { schema: { type: 'object' } })
  assert.deepEqual([repaired.status, repaired.body.misfits.count], [200, 0])
  assert.equal((await call('POST /collections/a/documents', { age: 4 })).status, 201)
})
