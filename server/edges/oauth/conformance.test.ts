/**
 * Tests with the conformance suite for authorization servers (@modelcontextprotocol/conformance).
 * Where it needs a person, a test person consents.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { decide, registerNewClient, pathOf } from '../../../test/fixtures/portal/oauth.ts'
import { createOwnedProject, signIn } from '../../../test/fixtures/portal/portal.ts'
import { freePort } from '../../../test/fixtures/loopback.ts'

const fixture = await openTestRuntime({ work: false })
const { public_url } = fixture.runtime.config
const project_id = await createOwnedProject(fixture, 'owner@bakery.example')
const visitor = await signIn(fixture, 'owner@bakery.example')
const folder = mkdtempSync(join(tmpdir(), 'homeport-conformance-'))
after(() => rmSync(folder, { recursive: true, force: true }))

/** Opens each authorization URL that the suite prints, as a person, and consents. */
async function allow(address: string): Promise<void> {
  const asked = await visitor.get(pathOf(address))
  const back = asked.to?.startsWith('/portal/')
    ? await decide(visitor, asked.to, { project_id })
    : asked
  await fetch(back.to ?? '')
}

test('the authorization server passes every conformance check', async () => {
  const port = await freePort()
  const program = await registerNewClient(fixture, `http://127.0.0.1:${port}/callback`)
  const tool = join(import.meta.dirname, '../../../node_modules/.bin/conformance')
  const options = {
    url: public_url,
    'client-id': program.client_id,
    port: String(port),
    resource: `${public_url}/mcp`,
    'output-dir': folder,
  }
  const given = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
  const asking = spawn(tool, ['authorization', ...given], { cwd: folder })
  let said = ''
  let allowed = 0
  const hear = (chunk: Buffer) => {
    said += chunk.toString()
    const found = [...said.matchAll(/https?:\S+\/oauth\/authorize\?\S+/g)].map(([url]) => url)
    for (const url of found.slice(allowed)) void allow(url)
    allowed = found.length
  }
  asking.stdout.on('data', hear)
  asking.stderr.on('data', hear)
  const [code] = await once(asking, 'exit')
  assert.equal(code, 0, said)
  const checks = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('checks.json'))
    .flatMap((path): any[] => JSON.parse(readFileSync(join(folder, path), 'utf8')))
  assert.ok(checks.length > 0, said)
  assert.deepEqual(
    checks.filter(({ status }) => !['SUCCESS', 'INFO', 'SKIPPED'].includes(status)),
    [],
  )
  assert.ok(allowed > 0)
})
