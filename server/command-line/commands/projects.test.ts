/** Tests of deleting and restoring a project with the commands. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createOwnedProject } from '../../../test/fixtures/portal/portal.ts'
import { newSession } from '../../../test/fixtures/portal/sessions.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { databaseUrl, runInProcess } from '../../../test/fixtures/command-line.ts'

const database = await openTestRuntime({ work: false })
const settings = {
  DATABASE_URL: databaseUrl(database.connection),
  HOMEPORT_SECRET: 'a master key for tests that is long enough',
  HOMEPORT_PUBLIC_URL: database.url,
}

test('only `projects restore` restores what `projects delete` deleted', async () => {
  const email = 'ada@bakery.example'
  const project_id = await createOwnedProject(database, email)
  const owner = await newSession(database, email)
  const run = (command: 'delete' | 'restore') =>
    runInProcess(['projects', command, '--project', project_id, '--json'], settings)
  assert.equal((await run('delete')).json.deleted, true)
  assert.deepEqual((await owner.call('GET /deleted-projects')).body.data, [])
  assert.equal((await owner.call(`POST /deleted-projects/${project_id}/restore`)).status, 404)
  assert.equal((await run('restore')).json.project_id, project_id)
  assert.equal((await owner.call(`GET /projects/${project_id}`)).status, 200)
})
