/** The `source` of a document, by the interface that created it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runTool } from '../fixtures/mcp/approvals.ts'
import { openTestRuntime } from '../fixtures/runtime.ts'
import { newTeam } from '../fixtures/portal/sessions.ts'

const fixture = await openTestRuntime({ work: false })

test('the source is api over REST, agent over MCP, portal in the portal, and import for imports', async () => {
  const { owner, project_id } = await newTeam(fixture)
  const key = await fixture.newKey({ project_id })
  const call = (route: string, options: object) => fixture.call(route, { key, ...options })
  const route = 'POST /collections/c/documents'
  await call('POST /collections', { body: { name: 'c' } })
  await call(route, { body: { by: 'rest' } })
  await call(`${route}/batch`, { body: { operations: [{ op: 'create', data: { by: 'batch' } }] } })
  await runTool(
    fixture,
    'documents.batch',
    {
      name: 'c',
      operations: [{ op: 'create', data: { by: 'mcp' } }],
    },
    key,
  )
  const path = `/projects/${project_id}/collections/c/documents`
  const made = await owner.call(`POST ${path}`, { body: { by: 'portal' } })
  assert.equal(made.status, 201, made.text)
  const headers = { 'content-type': 'application/x-ndjson' }
  await call(`${route}/import`, { raw: '{"by":"import"}', headers })
  const { body } = await call('GET /collections/c/documents', {})
  const sources = body.data.map((one: any) => [one.data.by, one.source])
  assert.deepEqual(Object.fromEntries(sources), {
    rest: 'api',
    batch: 'api',
    mcp: 'agent',
    portal: 'portal',
    import: 'import',
  })
})
