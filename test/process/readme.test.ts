/** Runs the five-minute tour of the README: its own commands, in its order. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { startServer } from '../fixtures/server-process.ts'
import { freePort } from '../fixtures/loopback.ts'

const root = join(import.meta.dirname, '..', '..')

/** The shell blocks of the tour, with the address and key of this server. */
function tourScript(base_url: string, test_key: string, receiver_port: number): string {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const tour = readme.slice(readme.indexOf('## Five-minute tour'), readme.indexOf('## Folders'))
  const blocks = [...tour.matchAll(/```bash\n([\s\S]*?)```/g)].map(([, block]) => block)
  return blocks
    .join('\n')
    .replace(/^BASE=.*$/m, `BASE=${base_url}`)
    .replace(/^KEY=.*$/m, `KEY=${test_key}`)
    .replaceAll('4500', String(receiver_port))
}

test('every command of the README tour works', { timeout: 240_000 }, async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'homeport-readme-'))
  const server = await startServer(folder)
  context.after(async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const { base_url, test_key } = server.banner
  const script = tourScript(base_url!, test_key!, await freePort())
  const { stdout } = await promisify(execFile)('bash', ['-euc', script], {
    cwd: root,
    env: { PATH: `${dirname(process.execPath)}:${process.env['PATH']}` },
  })
  assert.match(stdout, /"edition":"api"/, 'GET /project answered')
  assert.match(stdout, /^number [0-9a-f-]{36}$/m, 'a test number was taken')
  assert.match(stdout, /"configured":true/, 'the assistant is set up')
  assert.match(stdout, /"source":"number"/, 'the number has its plan')
  assert.match(stdout, /"status":"ai_handled"/, 'the assistant handled the call')
  assert.match(stdout, /"role":"assistant","text":"[^"]*4\.50 euro/, 'it answered from its facts')
  assert.match(
    stdout,
    /"role":"assistant","text":"[^"]*8:00 to 16:00/,
    'it answered from its hours',
  )
  assert.match(stdout, /"summary":\{"text":"[^"]+/, 'the call has a summary')
  assert.match(
    stdout,
    /"data":\[\{[^\n]*"name": "Ada"[^\n]*"next_cursor":null/,
    'the filter found it',
  )
  assert.match(stdout, /^site http:\/\/mill-bakery\.sites\.localhost:\d+$/m, 'it has an address')
  assert.match(stdout, /<h1>Fresh bread<\/h1>/, 'the site is there')
  // The receiver prints while curl does, so its output may start in the middle of another line.
  const events = [...stdout.matchAll(/(call\.[\w.]+): signature (\w+)/g)].map(
    ([, type, verdict]) => `${type} ${verdict}`,
  )
  assert.deepEqual(events, ['call.completed ok', 'call.summary.ready ok'])
  const headers = { authorization: `Bearer ${test_key}` }
  const left = await fetch(`${base_url}/webhooks`, { headers })
  assert.match(await left.text(), /"data":\[\]/, 'no endpoint is left behind')
})
