/** Tests that each request sees the committed row of its project, whichever process wrote it. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import pg from 'pg'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'

const fixture = await openTestRuntime({ work: false })
const other_process = new pg.Client(fixture.connection)
await other_process.connect()

const rename = (name: string, project_id: string) =>
  other_process.query('update projects set name = $1 where id = $2', [name, project_id])

async function newHolders(count: number): Promise<{ project_id: string; keys: string[] }> {
  const { project_id } = await fixture.newProject()
  const keys = await Promise.all(
    Array.from({ length: count }, () => fixture.newKey({ project_id })),
  )
  return { project_id, keys }
}

async function nameFor(key: string): Promise<string> {
  const { status, body, text } = await fixture.call('GET /project', { key })
  assert.equal(status, 200, text)
  return body.name
}

describe('the project of a key', () => {
  after(() => other_process.end())

  test('shows a change by another process in the next request', async () => {
    const { project_id, keys } = await newHolders(2)
    for (const name of ['one', 'two', 'one', 'one', 'three']) {
      await rename(name, project_id)
      assert.deepEqual(await Promise.all(keys.map(nameFor)), [name, name])
      assert.deepEqual(await Promise.all(keys.map(nameFor)), [name, name])
    }
  })

  test('shows no uncommitted and no rolled back change', async () => {
    const { project_id, keys } = await newHolders(1)
    for (const end of ['rollback', 'commit']) {
      await rename('before', project_id)
      assert.equal(await nameFor(keys[0]!), 'before')
      await other_process.query('begin')
      await rename('within', project_id)
      await rename('at the end', project_id)
      assert.equal(await nameFor(keys[0]!), 'before')
      await other_process.query(end)
      assert.equal(await nameFor(keys[0]!), end === 'commit' ? 'at the end' : 'before')
    }
  })

  test('is refused in the next request after it was deleted or disabled', async () => {
    const { project_id, keys } = await newHolders(1)
    const [key = ''] = keys
    await nameFor(key)
    const slugFor = async () =>
      (await fixture.call('GET /project', { key })).body.type.split('/').at(-1)
    await other_process.query('update projects set enabled = false where id = $1', [project_id])
    assert.equal(await slugFor(), 'project_not_enabled')
    await other_process.query('update projects set deleted_at = now() where id = $1', [project_id])
    assert.equal(await slugFor(), 'project_deleted')
    await other_process.query(
      'update projects set enabled = true, deleted_at = null where id = $1',
      [project_id],
    )
    assert.equal(await nameFor(key), 'Test')
  })
})
