/**
 * The official inspector, on the command line, as people try a server out: it lists tools and calls
 * them with a key, in the versions of the protocol that it speaks.
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

/** The exit codes that it documents: 0 fine, 3 not let in, 5 a tool that answered with an error. */
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

test('it lists the tools that a key sees', async () => {
  const { code, said, complained } = await inspect(fixture.key, '--method', 'tools/list')
  assert.equal(code, 0, complained)
  const names = JSON.parse(said).result.tools.map(({ name }: any) => name)
  for (const name of ['get_state', 'search_operations', 'run_read_operation'])
    assert.ok(names.includes(name), said)
})

test('it calls a tool, and gets what REST would say', async () => {
  const call = ['--method', 'tools/call', '--tool-name', 'run_read_operation']
  const given = ['--tool-arg', 'operation=project.get', '--tool-arg', 'arguments={}']
  const { code, said, complained } = await inspect(fixture.key, ...call, ...given)
  assert.equal(code, 0, complained + said)
  const project = await fixture.call('GET /project')
  assert.match(said, new RegExp(project.body.id))
})

test('it is told what is wrong with a call, and who may not come in', async () => {
  const call = ['--method', 'tools/call', '--tool-name', 'run_read_operation']
  const refused = await inspect(fixture.key, ...call, '--tool-arg', 'operation=nothing.at_all')
  assert.equal(refused.code, 5, refused.said + refused.complained)
  const stranger = await inspect('', '--method', 'tools/list')
  assert.equal(stranger.code, 3, stranger.said + stranger.complained)
})
