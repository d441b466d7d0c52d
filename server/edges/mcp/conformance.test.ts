/**
 * The official questions to a server of MCP (@modelcontextprotocol/conformance), put to the same
 * door that is at /mcp, with the tools, resources and prompts that the questions are about. Left
 * out are those about what this server does not announce: logging, completion, subscriptions,
 * sampling, questions and streams in sessions. Nothing that is asked may fail.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fixtureSurface } from '../../../test/ground/mcp-fixtures.ts'
import { openTestHouse } from '../../../test/ground/house.ts'
import { createAdmission } from '../admission.ts'
import { newServer } from '../http/server.ts'
import { addDoor } from './door.ts'

const scenarios = [
  'server-initialize',
  'ping',
  'tools-list',
  'tools-call-simple-text',
  'tools-call-image',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-mixed-content',
  'tools-call-error',
  'json-schema-2020-12',
  'resources-list',
  'resources-read-text',
  'resources-templates-read',
  'prompts-list',
  'prompts-get-simple',
  'prompts-get-with-args',
  'prompts-get-embedded-resource',
  'prompts-get-with-image',
  'dns-rebinding-protection',
]

const ground = await openTestHouse({ work: false })
const admission = createAdmission(ground.house)
const app = newServer(ground.house)
addDoor(app, {
  path: '/mcp',
  house: ground.house,
  bytes_max: 1_000_000,
  surface: fixtureSurface,
  // The questions bring no key.
  async admit(request) {
    const authorization = `Bearer ${await ground.newKey()}`
    const caller = await admission.recognise({ authorization, request_id: request.id, tell() {} })
    return { caller, view: { toolsets: null, read_only: false } }
  },
  refuse() {},
})
await app.listen({ host: '127.0.0.1', port: 0 })
const address = app.server.address()
const port = typeof address === 'object' && address ? address.port : 0
const folder = mkdtempSync(join(tmpdir(), 'homeport-conformance-'))
after(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

const suite = new URL(import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'))
  .pathname

function ask(scenario: string): Promise<{ code: number | null; said: string }> {
  const url = `http://localhost:${port}/mcp`
  const asked = ['server', '--url', url, '--scenario', scenario, '--output-dir', folder]
  const child = spawn(process.execPath, [suite, ...asked], { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ code, said }))
  })
}

for (const scenario of scenarios) {
  test(scenario, async () => {
    const { code, said } = await ask(scenario)
    assert.equal(code, 0, said)
  })
}
