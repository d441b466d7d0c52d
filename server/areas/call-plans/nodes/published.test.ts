/** Tests of the published node schemas, as agents and client generators get them. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import { callMessage, post, valueOf } from '../../../../test/fixtures/mcp/mcp.ts'
import { nodeSchemas } from './node-schemas.ts'

const runtime = await openTestRuntime({ work: false })
const types = Object.keys(nodeSchemas)

describe('the OpenAPI document', async () => {
  const { body: document } = await runtime.call('GET /openapi.json', { key: null })
  const { schemas } = document.components
  const { put, get } = document.paths['/numbers/{id}/call-plan']
  const plan = { $ref: '#/components/schemas/CallPlan' }

  it('has one schema CallPlan for the body of PUT and the replies', () => {
    assert.deepEqual(put.requestBody.content['application/json'].schema, plan)
    for (const { responses } of [put, get]) {
      const { $ref } = responses[200].content['application/json'].schema
      assert.deepEqual(schemas[$ref.split('/').at(-1)].properties.plan, plan)
    }
  })

  it('has the nodes as a union with the discriminator type', () => {
    const node = { $ref: '#/components/schemas/CallPlanNode' }
    assert.deepEqual(schemas.CallPlan.properties.nodes.additionalProperties, node)
    const { oneOf, discriminator } = schemas.CallPlanNode
    assert.equal(discriminator.propertyName, 'type')
    assert.deepEqual(Object.keys(discriminator.mapping), types)
    assert.deepEqual(
      oneOf.map((one: any) => one.$ref),
      Object.values(discriminator.mapping),
    )
    for (const [type, $ref] of Object.entries<string>(discriminator.mapping))
      assert.equal(schemas[$ref.split('/').at(-1) ?? ''].properties.type.const, type)
  })

  it('describes every field of every node, with an example', () => {
    const named = Object.entries<any>(schemas).filter(([name]) =>
      /(?:Node|Target|Rule|TimeRange|OpeningSchedule)$/.test(name),
    )
    assert.ok(named.length >= 12)
    const undescribed = named.flatMap(([name, schema]) =>
      Object.entries<any>(schema.properties ?? {})
        .filter(([, field]) => !isDescribed(field, schemas))
        .map(([field]) => `${name}.${field}`),
    )
    assert.deepEqual(undescribed, [])
  })
})

function isDescribed(field: any, schemas: any): boolean {
  const { $ref, description, examples, default: fallback } = field
  if ($ref !== undefined) return isDescribed(schemas[$ref.split('/').at(-1)], schemas)
  return description !== undefined && (examples !== undefined || fallback !== undefined)
}

describe('search over MCP', async () => {
  // The query is the exact name of an operation, so the search returns its arguments.
  const find = async (query: string) => {
    const { body } = await post(runtime, callMessage('search_operations', { query }))
    return JSON.parse(body.result.content[0].text).operations[0]
  }
  const put = await find('numbers.put_call_plan')

  it('shows a line for every node type, and its fields on request', async () => {
    assert.deepEqual(Object.keys(put.types), types)
    const { fields: forward } = await find('numbers.put_call_plan#forward')
    assert.match(forward.properties.onNoAnswer.description, /nobody answers/)
    assert.deepEqual(forward.required, ['id', 'type', 'strategy', 'targets'])
  })

  it('shows a complete plan that can be sent', async () => {
    const headers = { 'idempotency-key': 'a-number' }
    const number = await runtime.call('POST /numbers', { body: {}, headers })
    await runtime.call('PUT /assistant', { body: { name: 'Anna' } })
    const run = {
      operation: 'numbers.put_call_plan',
      arguments: { id: number.body.id, body: put.example.body },
    }
    const { body: sent } = await post(runtime, callMessage('run_write_operation', run))
    assert.equal(sent.result.isError, undefined, JSON.stringify(sent.result))
    assert.equal(valueOf(sent.result).warnings, undefined)
  })
})
