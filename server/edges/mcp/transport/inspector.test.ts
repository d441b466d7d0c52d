/**
 * Tests with the official inspector on the command line, which people use to try a server: it lists
 * tools and calls them with a key, in the protocol versions that it supports.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'

const fixture = await openTestRuntime({ work: false })
const inspector = new URL(
  import.meta.resolve('@modelcontextprotocol/inspector/clients/launcher/build/index.js'),
).pathname

/**
 * Runs the inspector. Its documented exit codes: 0 success, 3 not authorized, 5 an error result of
 * a tool.
 */
async function inspect(key: string, ...asked: string[]) {
  const where = ['--cli', `${fixture.url}/mcp`, '--transport', 'http', '--format', 'json']
  const who = key === '' ? [] : ['--header', `Authorization: Bearer ${key}`]
  const child = spawn(process.execPath, [inspector, ...where, ...who, ...asked], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  let complained = ''
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (complained += chunk.toString()))
  const [code] = await once(child, 'close')
  return { code, said, complained }
}

test('the inspector lists the tools that a key sees', async () => {
  const { code, said, complained } = await inspect(fixture.key, '--method', 'tools/list')
  assert.equal(code, 0, complained)
  const names = JSON.parse(said).result.tools.map(({ name }: any) => name)
  for (const name of ['get_state', 'search_operations', 'run_read_operation'])
    assert.ok(names.includes(name), said)
})

test('the inspector calls a tool and gets the reply of REST', async () => {
  const call = ['--method', 'tools/call', '--tool-name', 'run_read_operation']
  const given = ['--tool-arg', 'operation=project.get', '--tool-arg', 'arguments={}']
  const { code, said, complained } = await inspect(fixture.key, ...call, ...given)
  assert.equal(code, 0, complained + said)
  const project = await fixture.call('GET /project')
  assert.match(said, new RegExp(project.body.id))
})

test('the inspector shows the fault of a call, and a refused key', async () => {
  const call = ['--method', 'tools/call', '--tool-name', 'run_read_operation']
  const refused = await inspect(fixture.key, ...call, '--tool-arg', 'operation=nothing.at_all')
  assert.equal(refused.code, 5, refused.said + refused.complained)
  const stranger = await inspect('', '--method', 'tools/list')
  assert.equal(stranger.code, 3, stranger.said + stranger.complained)
})
