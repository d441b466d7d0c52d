/**
 * The OpenAPI document of the portal's API: valid, complete, and consistent with the declarations.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { longTest } from '../fixtures/depth.ts'
import { openTestRuntime } from '../fixtures/runtime.ts'
import {
  assertValid,
  checkerOf,
  contentsOf,
  examplesOf,
  operationsOf,
  placeholdersIn,
  findMissingDescriptions,
  withoutExample,
} from '../fixtures/docs/openapi.ts'
import { operations, peopleOperations } from '../../server/app.ts'
import { listSessionOperations } from '../../server/edges/portal-api/document.ts'

const runtime = await openTestRuntime({ work: false })
const answer = await runtime.call('GET //portal/api/v1/openapi.json', { key: null })
const document = answer.body
const all = listSessionOperations({ operations, peopleOperations })

describe('the schema of one operation', () => {
  test('is that of its body, which the forms of the portal are made from', async () => {
    for (const { name, body } of all) {
      const { status, body: schema } = await runtime.call(`GET //portal/api/v1/schemas/${name}`, {
        key: null,
      })
      assert.equal(status, body === undefined ? 404 : 200, name)
      if (body !== undefined) assert.deepEqual(schema, JSON.parse(JSON.stringify(body)), name)
    }
  })

  test('is 404 for an unknown operation', async () => {
    const { status } = await runtime.call('GET //portal/api/v1/schemas/x', { key: null })
    assert.equal(status, 404)
  })
})

describe('the document of the portal API', () => {
  test('needs no session, and names the portal API', () => {
    assert.equal(answer.status, 200)
    assert.equal(document.info.title, 'Homeport API of the portal')
    assert.equal(document.servers[0].url, `${runtime.runtime.config.public_url}/portal/api/v1`)
  })

  longTest('is valid by two validators', () => assertValid(document))

  test('has every operation that a session can call, and no other', () => {
    const described = operationsOf(document).map(({ path, method }) => `${method} ${path}`)
    const declared = all.map(({ path, method }) => `${method.toLowerCase()} ${path}`)
    assert.deepEqual(described.toSorted(), declared.toSorted())
  })

  test('requires a session for each operation, and names the roles of operations for people', () => {
    for (const { operation } of operationsOf(document)) {
      assert.deepEqual(operation.security, [{ session: [] }], operation.operationId)
      const own = peopleOperations.find(({ name }) => name === operation.operationId)
      assert.equal(operation['x-access'], own?.access, operation.operationId)
      assert.equal(operation['x-fresh'], own?.fresh, operation.operationId)
    }
  })

  test('has a parameter for every variable part of a path, the project first', () => {
    for (const { path, operation } of operationsOf(document)) {
      const wanted = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      const given = operation.parameters.filter((one: any) => one.in === 'path')
      assert.deepEqual(
        given.map(({ name }: any) => name),
        wanted,
        operation.operationId,
      )
    }
  })

  test('lists 401, 403 and 429 for each operation, and never requires a key', () => {
    for (const { operation } of operationsOf(document)) {
      const slugs = Object.values<any>(operation.responses).flatMap(({ content }) =>
        Object.keys(content?.['application/problem+json']?.examples ?? {}),
      )
      for (const slug of ['unauthorized', 'forbidden', 'rate_limited']) {
        assert.ok(slugs.includes(slug), `${operation.operationId} ${slug}`)
      }
      assert.ok(!slugs.includes('missing_api_key'), operation.operationId)
    }
  })

  test('describes every parameter, and every property of every component', () => {
    assert.deepEqual(findMissingDescriptions(document), [])
  })

  test('has an example of every text field, none of them a placeholder', () => {
    assert.deepEqual(withoutExample(document), [])
    assert.deepEqual(placeholdersIn(document), [])
  })

  test('has examples of every body and reply, which match their schemas', () => {
    const check = checkerOf(document)
    for (const { operation } of operationsOf(document)) {
      for (const { schema, example, name } of operation.parameters)
        check(schema, example, `${operation.operationId} ${name}`)
      for (const content of contentsOf(operation)) {
        if (!('schema' in content)) continue
        const examples = examplesOf(document, content)
        assert.ok(examples.length > 0, operation.operationId)
        for (const example of examples) check(content.schema, example, operation.operationId)
      }
    }
  })
})
