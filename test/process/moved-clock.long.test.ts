/** The command line uses the moved clock of a running development server. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runInProcess, temporaryFolder } from '../fixtures/command-line.ts'
import { startServer, type ServerProcess } from '../fixtures/server-process.ts'

const DAY_MS = 86_400_000
const folder = temporaryFolder()
const settings = { HOMEPORT_DATA_DIR: folder }

/** Days between real time and the creation time of a key made by the command line. */
async function daysAhead({ banner: { project_id = '' } }: ServerProcess): Promise<number> {
  const project = ['--project', project_id, '--json']
  const made = await runInProcess(['keys', 'create', '--mode', 'test', ...project], settings)
  const { json } = await runInProcess(['keys', 'list', ...project], settings)
  const key = json.find(({ id }: { id: string }) => id === made.json.id)
  return Math.floor((Date.parse(key.created_at) - Date.now()) / DAY_MS + 0.5)
}

test("the command line uses the server's time for new keys", async (t) => {
  const moved = await startServer(folder, { HOMEPORT_TEST_CLOCK: '1' })
  t.after(() => moved.stop())
  assert.equal(await daysAhead(moved), 0)
  const answer = await fetch(new URL('/dev/clock', moved.banner['base_url']), {
    method: 'POST',
    body: JSON.stringify({ advance_seconds: 40 * 86_400 }),
  })
  assert.equal(answer.status, 200)
  assert.equal(await daysAhead(moved), 40)
  await moved.stop()
  assert.equal(await daysAhead(moved), 40, 'without a server it is the time of the last one')
  const real = await startServer(folder)
  t.after(() => real.stop())
  assert.equal(await daysAhead(moved), 0, 'a server that keeps real time ends it')
})
