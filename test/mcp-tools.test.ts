/**
 * Tests of the MCP tools as a client sees them: names, hints, size, and deliberate changes.
 * edges/mcp/tools.jsonl holds one tool per line; `HOMEPORT_WRITE_TOOLS=1` rewrites it.
 */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { areas, operations } from '../server/app.ts'
import { openTestRuntime } from './fixtures/runtime.ts'
import { connectEarlier, connectModern } from './fixtures/mcp/mcp.ts'
import { tokensOf } from './fixtures/docs/tokens.ts'
import { routesInText } from '../server/contract/problems/next-steps.ts'
import { createExample } from '../server/edges/describe/samples/example.ts'
import { createCatalog } from '../server/edges/mcp/catalog.ts'
import { isDangerous } from '../server/edges/mcp/tools/danger.ts'
import { listTools } from '../server/edges/mcp/mcp.ts'
import type { View } from '../server/edges/mcp/tools/view.ts'
import type { Operation } from '../server/contract/operation.ts'
import { scopeNames } from '../server/contract/scopes.ts'
import { defaultOperations } from '../server/edges/describe/default-tools.ts'

const fixture = await openTestRuntime({ work: false })
const client = await connectEarlier(fixture)
const tools: any[] = (await client.listTools()).tools
await client.close()

const file = join(import.meta.dirname, '../server/edges/mcp/tools.jsonl')
if (process.env['HOMEPORT_WRITE_TOOLS'] === '1')
  writeFileSync(file, tools.map((tool) => `${JSON.stringify(tool)}\n`).join(''))
const kept = new Map<string, any>(
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => [JSON.parse(line).name, JSON.parse(line)]),
)

/** Operations of an area that does not exist. */
function areaOf(at: number): Operation[] {
  return operations
    .filter(({ name }) => name.startsWith('webhooks.'))
    .map((one): Operation => {
      const path = `/area${at}${one.path}`
      return {
        ...one,
        name: `area${at}_${one.name}`,
        path,
        route: `${one.method} /area${at}${one.path}`,
      }
    })
}

describe('the text of a confirmation', () => {
  for (const operation of operations.filter((one) => isDangerous(one) || one.consent?.loses)) {
    test(`describes ${operation.name} without terms of the API`, () => {
      const { about = '' } = operation.consent ?? {}
      assert.match(about, /^[A-Z].+\.$/)
      assert.doesNotMatch(
        about,
        /Idempotency|If-Match|test key|header|endpoint|webhook|_|each_alone|request|reply/i,
      )
    })
  }
})

describe('the tools', () => {
  for (const tool of tools) {
    test(`include ${tool.name} as tools.jsonl has it`, () => {
      assert.deepEqual(tool, kept.get(tool.name))
    })
  }

  for (const [name, { listing, shape }] of createCatalog(operations).all) {
    test(`describe ${name} without a route of REST`, () => {
      assert.doesNotMatch(JSON.stringify([listing, shape]), routesInText)
    })
  }

  test('include every tool of tools.jsonl', () => {
    assert.deepEqual([...kept.keys()].toSorted(), tools.map(({ name }) => name).toSorted())
  })

  test('need at most 4,000 tokens together, at 3.5 characters a token', () => {
    const tokens = tokensOf(JSON.stringify(tools).length)
    assert.ok(tokens <= 4000, `${tokens} tokens`)
  })

  test('are state, status, search, two runners and ten operations by default', () => {
    const first = ['get_state', 'search_operations', 'run_read_operation', 'run_write_operation']
    const names = tools.map(({ name }) => name)
    assert.deepEqual(names.slice(0, 5), [...first, 'get_status'])
    assert.equal(names.length, 15)
  })

  test('keep their names and stay below 8,000 tokens when twenty more areas declare operations', () => {
    const declared = [...operations, ...Array.from({ length: 20 }, (_, at) => areaOf(at)).flat()]
    const catalog = createCatalog(declared)
    const callers: any = {}
    const guides: any = {}
    const caller: any = { scopes: new Set(scopeNames), mode: 'test', access: null }
    const own = areas.flatMap(({ state = [] }) => state)
    const more = own
      .slice(0, 1)
      .flatMap((section) =>
        Array.from({ length: 20 }, (_, at) => ({ ...section, about: `the things of area ${at}` })),
      )
    const sections = [...own, ...more]
    const shownIn = (toolsets: View['toolsets']) =>
      listTools(catalog, { callers, sections, guides })
        .filter((tool) => tool.isShown({ caller, view: { toolsets, read_only: false } }))
        .map(({ listing }) => listing)
    const byDefault = shownIn(null)
    assert.deepEqual(
      byDefault.map(({ name }) => name),
      tools.map(({ name }) => name),
    )
    assert.ok(tokensOf(JSON.stringify(byDefault).length) <= 8000)
    assert.ok(shownIn('all').length >= 20 * 5 + byDefault.length)
  })

  test('have a name that every client accepts, a title, and all four hints', () => {
    for (const { name, title, description, annotations, inputSchema, outputSchema } of tools) {
      assert.match(name, /^[a-z][a-z0-9_]{2,63}$/)
      assert.ok(title && description, name)
      for (const hint of ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'])
        assert.equal(typeof annotations[hint], 'boolean', `${name} ${hint}`)
      assert.equal(inputSchema.type, 'object', name)
      assert.equal(outputSchema, undefined, name)
      assert.equal(inputSchema.additionalProperties, false, name)
    }
  })

  test('have valid JSON Schemas', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    for (const { name, inputSchema } of tools)
      assert.ok(ajv.validateSchema(inputSchema), `${name}: ${ajv.errorsText()}`)
  })

  test('are marked read-only if they read, and destructive or open-world if they delete, cost money or contact outside people', () => {
    const { all } = createCatalog(operations)
    for (const { operation, listing } of all.values()) {
      const { readOnlyHint, destructiveHint, openWorldHint } = listing.annotations
      assert.equal(readOnlyHint, operation.effect === 'read', operation.name)
      const dangerous = operation.method === 'DELETE' || operation.effect === 'money'
      if (dangerous || operation.effect === 'outside') assert.ok(destructiveHint, operation.name)
      if (operation.effect === 'outside') assert.ok(openWorldHint, operation.name)
    }
  })

  test('are the same in the same order for both client versions', async () => {
    const modern = await connectModern(fixture)
    assert.deepEqual((await modern.listTools()).tools, tools)
    await modern.close()
  })
})

describe('every operation', () => {
  test('listed by default is declared by an area', () => {
    const declared = new Set<string>(operations.map(({ name }) => name))
    for (const name of defaultOperations) assert.ok(declared.has(name), name)
  })

  test('has arguments from which an example can be built', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    for (const { operation, listing } of createCatalog(operations).all.values()) {
      const schema: any = listing.inputSchema
      assert.ok(
        ajv.validate(schema, createExample(schema)),
        `${operation.name}: ${ajv.errorsText()}`,
      )
    }
  })
})
