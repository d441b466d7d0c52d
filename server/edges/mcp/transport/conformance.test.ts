/**
 * Tests with the official conformance suite for MCP servers (@modelcontextprotocol/conformance):
 * every requirement of the revisions 2025-11-25 and 2026-07-28, on the route of /mcp, with the
 * tools, resources and prompts that the suite expects. A file beside this one lists known failures
 * with their reasons; any other failure fails here, and so does a listed one that passes.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { longTest } from '../../../../test/fixtures/depth.ts'
import { extra } from '../../../../test/fixtures/mcp/mcp-extra.ts'
import { fixtureSurface } from '../../../../test/fixtures/mcp/mcp-fixtures.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import { createAdmission } from '../../admission.ts'
import { createHttpServer } from '../../http/server.ts'
import { addMcpRoute } from './http-route.ts'

const fixture = await openTestRuntime({ work: false })
const admission = createAdmission(fixture.runtime)
const app = createHttpServer(fixture.runtime)
// The key by session. Requests of the suite have no key; a session uses that of its first request.
const keyOf = new Map<string, string>()
const keyIn = new WeakMap<object, string>()
app.addHook('onSend', async (request, reply) => {
  const id = reply.getHeader('mcp-session-id')
  const key = keyIn.get(request)
  if (typeof id === 'string' && key !== undefined) keyOf.set(id, key)
})
addMcpRoute(app, {
  path: '/mcp',
  runtime: fixture.runtime,
  bytes_max: 1_000_000,
  surface: fixtureSurface,
  extra,
  async admit(request) {
    const key = keyOf.get(String(request.headers['mcp-session-id'])) ?? (await fixture.newKey())
    keyIn.set(request, key)
    const headers = { authorization: `Bearer ${key}` }
    const caller = await admission.recognise({ headers, request_id: request.id, tell() {} })
    return { caller, view: { toolsets: null, read_only: false } }
  },
  checkMessage() {},
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

const known = join(import.meta.dirname, 'known-failures')

function ask(revision: string): Promise<{ code: number | null; said: string }> {
  const url = `http://localhost:${port}/mcp`
  const asked = ['server', '--url', url, '--requirements', revision, '--output-dir', folder]
  const expected = ['--expected-failures', join(known, `${revision}.yml`)]
  const child = spawn(process.execPath, [suite, ...asked, ...expected], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
  return new Promise((resolve) => {
    child.once('close', (code) => resolve({ code, said }))
  })
}

for (const revision of ['2025-11-25', '2026-07-28']) {
  const here = revision === '2026-07-28' ? test : longTest
  here(`the server meets every requirement of ${revision}`, async () => {
    const { code, said } = await ask(revision)
    const summary = said.slice(said.indexOf('=== SUMMARY ==='))
    assert.equal(code, 0, summary)
    assert.match(summary, /tools-list: \d+ passed, 0 failed/)
  })
}
