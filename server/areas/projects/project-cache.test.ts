/** The cache of project rows: a request always sees the current row, whichever process wrote it. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import fc from 'fast-check'
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

describe('the project row of an authenticated key', () => {
  after(() => other_process.end())

  test('is current after a change between any two requests', async () => {
    const { project_id, keys } = await newHolders(2)
    for (const name of ['one', 'two', 'one', 'one', 'three']) {
      await rename(name, project_id)
      assert.deepEqual(await Promise.all(keys.map(nameFor)), [name, name])
      assert.deepEqual(await Promise.all(keys.map(nameFor)), [name, name])
    }
  })

  test('is unchanged by uncommitted and rolled-back changes', async () => {
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

  test('is never that of another project, in any order of changes', async () => {
    const projects = await Promise.all([newHolders(2), newHolders(2), newHolders(1)])
    const names = projects.map(() => 'Test')
    const step = fc.record({
      at: fc.nat(projects.length - 1),
      name: fc.option(fc.string({ minLength: 1, maxLength: 5, unit: 'grapheme-ascii' })),
      written: fc.nat(2),
    })
    const change = async ({
      at,
      name,
      written,
    }: {
      at: number
      name: string | null
      written: number
    }) => {
      if (name === null) return
      const { project_id } = projects[at]!
      // Updates without a change, vacuum and row locks affect xmin too.
      if (written === 1) await rename(name, project_id)
      await rename(name, project_id)
      if (written === 2) await other_process.query('vacuum full projects')
      names[at] = name
    }
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        for (const one of steps) {
          await change(one)
          const seen = await Promise.all(projects.map(({ keys }) => Promise.all(keys.map(nameFor))))
          assert.deepEqual(
            seen,
            projects.map(({ keys }, at) => keys.map(() => names[at])),
          )
        }
      }),
      { numRuns: 25 },
    )
  })

  test('refuses the key from the next request on after the project was deleted or disabled', async () => {
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
