/**
 * Tests of the OpenAPI document: valid for two independent validators, complete for every operation
 * and event, and with examples that match their schemas.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Type } from 'typebox'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import {
  assertValid,
  checkerOf,
  contentsOf,
  examplesOf,
  operationsOf,
  placeholdersIn,
  findMissingDescriptions,
  webhooksOf,
  withoutExample,
} from '../../../test/fixtures/docs/openapi.ts'
import { errorCatalogue } from '../../contract/error-catalogue.ts'
import { runAtOnce } from '../../kernel/limits/slices.ts'
import { writeNextStep, restPhrasing } from '../../contract/problems/next-steps.ts'
import { event } from '../../contract/events.ts'
import { isScope, scopeNames } from '../../contract/scopes.ts'
import { problemsOfAll, problemsOfKeys, errorSlugs } from '../describe/problems-of.ts'
import { Boat, exampleOperations } from '../describe/test-operations.ts'
import { createOpenApiDocument } from './openapi.ts'

const addresses = { base_url: 'https://home.test/api/v1', docs_url: 'https://home.test/docs' }

const boatSunk = event({
  type: 'order.paid',
  data: Type.Object({ boat: Boat }),
  load: async () => {
    throw new Error('Only described, never loaded.')
  },
})

/** The document as it is sent, without symbols. */
const sample = JSON.parse(
  JSON.stringify(runAtOnce(createOpenApiDocument(exampleOperations, [boatSunk], addresses))),
)
const runtime = await openTestRuntime({ work: false })
const served = await runtime.call('GET /openapi.json', { key: null })
const real = served.body

const documents = { 'of every kind of operation': sample, 'of the whole API': real }

function slugsOf(operation: any, status: number): string[] {
  return Object.keys(
    operation.responses[status]?.content['application/problem+json'].examples ?? {},
  )
}

for (const [name, document] of Object.entries(documents)) {
  describe(`the document ${name}`, () => {
    test('is valid for two validators', () => assertValid(document))

    test('is OpenAPI 3.1, version 1.0.0', () => {
      assert.equal(document.openapi, '3.1.0')
      assert.equal(document.info.version, '1.0.0')
      assert.match(document.info.title, /Homeport/)
    })

    test('has only references that resolve', () => {
      for (const [, name, member] of JSON.stringify(document).matchAll(
        /"\$ref":"#\/components\/(\w+)\/([^"]+)"/g,
      )) {
        assert.ok(document.components[name!]?.[member!], `${name}/${member}`)
      }
    })

    test('states id, scope, effect, reach and mode of every operation', () => {
      const ids = operationsOf(document).map(({ operation }) => operation.operationId)
      assert.equal(new Set(ids).size, ids.length)
      for (const { path, operation } of operationsOf(document)) {
        const scope = operation['x-scope']
        assert.ok(operation.summary && operation.description.startsWith(operation.summary))
        assert.equal(operation.tags.length, 1)
        assert.ok(scope === null || isScope(scope), operation.operationId)
        const keyless = path.startsWith('/public/') ? [{ public_token: [] }] : []
        const keyed = [{ api_key: [scope] }, { oauth: [scope] }]
        assert.deepEqual(operation.security, scope === null ? keyless : keyed)
        assert.ok(['read', 'write', 'outside', 'money'].includes(operation['x-effect']))
        assert.ok(['project', 'selection'].includes(operation['x-reach']))
        assert.equal(typeof operation['x-test-mode'], 'boolean')
      }
    })

    test('declares every path parameter', () => {
      for (const { path, operation } of operationsOf(document)) {
        const wanted = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
        const given = operation.parameters.filter((one: any) => one.in === 'path')
        assert.deepEqual(
          given.map((one: any) => one.name),
          wanted,
          operation.operationId,
        )
        assert.ok(given.every((one: any) => one.required))
      }
    })

    test('has one successful response per operation, with X-Request-Id', () => {
      for (const { operation } of operationsOf(document)) {
        const good = Object.keys(operation.responses).filter((status) => status.startsWith('2'))
        assert.equal(good.length, 1, operation.operationId)
        for (const response of Object.values<any>(operation.responses)) {
          assert.ok(response.headers['X-Request-Id'], operation.operationId)
        }
      }
    })

    test('has the common errors of every operation, by status', () => {
      for (const { operation } of operationsOf(document)) {
        const family =
          operation['x-scope'] === null ? problemsOfAll : [...problemsOfAll, ...problemsOfKeys]
        for (const slug of family) {
          const { status } = errorCatalogue[slug]
          assert.ok(
            slugsOf(operation, Number(status)).includes(slug),
            `${operation.operationId} ${slug}`,
          )
        }
      }
    })

    test('lists every slug under its status, in schema and example', () => {
      for (const { operation } of operationsOf(document)) {
        for (const [status, response] of Object.entries<any>(operation.responses)) {
          if (Number(status) < 400) continue
          const { schema, examples } = response.content['application/problem+json']
          const types = schema.allOf[1].properties.type.enum
          const values = Object.keys(examples).map(
            (slug) => document.components.examples[componentOf(slug, status)].value,
          )
          assert.deepEqual(
            values.map(({ type }) => type),
            types,
          )
          assert.ok(values.every((value) => value.status === Number(status)))
          for (const slug of Object.keys(examples)) assert.ok(response.description.includes(slug))
        }
      }
    })

    test('has examples that match their schemas', () => {
      const check = checkerOf(document)
      const items = [...operationsOf(document), ...webhooksOf(document)]
      for (const { operation } of items) {
        const where = operation.operationId
        for (const { schema, example, name } of operation.parameters)
          check(schema, example, `${where} ${name}`)
        for (const content of contentsOf(operation)) {
          for (const example of examplesOf(document, content)) check(content.schema, example, where)
        }
      }
      for (const { schema, example, description } of Object.values<any>(
        document.components.headers,
      )) {
        check(schema, example, description)
      }
    })

    test('describes every parameter and every property of every component', () => {
      assert.deepEqual(findMissingDescriptions(document), [])
    })

    test('has a named component for every body and reply', () => {
      for (const { operation } of [...operationsOf(document), ...webhooksOf(document)]) {
        const good = Object.entries<any>(operation.responses).filter(([status]) => status < '300')
        for (const one of [operation.requestBody, ...good.map(([, response]) => response)]) {
          const schema = one?.content?.['application/json']?.schema
          if (schema) assert.match(schema.$ref ?? '', /schemas\/[A-Z][A-Za-z]+$/)
        }
      }
    })

    test('has an example of every body and of every text reply', () => {
      assert.deepEqual(withoutExample(document), [])
    })

    test('has no example that repeats its field name or is empty', () => {
      assert.deepEqual(placeholdersIn(document), [])
    })
  })
}

/** Returns a route with anonymous path parameters. */
function bare(route: string): string {
  return route.replaceAll(/\{\w+\}/g, '{}')
}

/** Returns the name of the component with an example; includes the status if the slug has two. */
function componentOf(slug: string, status: string): string {
  const entry = Object.entries(errorCatalogue).find(([name]) => name === slug)
  return typeof entry?.[1].status === 'number' ? slug : `${slug}_${status}`
}

describe('an operation in the document', () => {
  const { paths } = sample
  const parameter = (operation: any, name: string) =>
    operation.parameters.find((one: any) => one.name === name)

  test('needs no key and has no rate-limit headers if it is public', () => {
    const { get } = paths['/weather']
    assert.deepEqual(get.security, [])
    assert.deepEqual(Object.keys(get.responses), ['200', '400', '500', '503'])
    assert.equal(get.responses[200].headers.RateLimit, undefined)
  })

  test('has rate-limit headers if it needs a key', () => {
    assert.ok(paths['/boats'].get.responses[200].headers.RateLimit)
    assert.ok(paths['/boats'].get.responses[429].headers['Retry-After'])
  })

  test('does not require query parameters with a default', () => {
    const limit = parameter(paths['/boats'].get, 'limit')
    assert.deepEqual([limit.in, limit.required, limit.example], ['query', false, 20])
    assert.equal(limit.description, 'How many.')
  })

  test('requires an Idempotency-Key if it costs money, and declares Idempotency-Replayed', () => {
    const { post } = paths['/boats']
    assert.equal(parameter(post, 'Idempotency-Key').required, true)
    assert.ok(post.responses[201].headers['Idempotent-Replayed'])
    assert.ok(slugsOf(post, 400).includes('idempotency_key_missing'))
    assert.ok(slugsOf(post, 409).includes('idempotency_request_in_progress'))
    assert.ok(post.responses[409].headers['Retry-After'])
  })

  test('lists a slug with two statuses under both', () => {
    const { post } = paths['/boats']
    assert.ok(slugsOf(post, 402).includes('plan_limit_reached'))
    assert.ok(slugsOf(post, 409).includes('plan_limit_reached'))
  })

  test('omits slugs that are never a reply', () => {
    assert.ok(!JSON.stringify(sample.paths).includes('test_free_calls_used'))
  })

  test('declares an ETag for versioned resources, and If-Match for changes', () => {
    const { get, put } = paths['/boats/{id}']
    assert.ok(get.responses[200].headers.ETag && put.responses[200].headers.ETag)
    assert.equal(parameter(get, 'If-Match'), undefined)
    assert.equal(parameter(put, 'If-Match').required, false)
    assert.deepEqual(slugsOf(put, 412), ['version_conflict'])
    assert.ok(!slugsOf(put, 409).includes('version_conflict'))
  })

  test('states that it exists only in test mode', () => {
    const sink = paths['/test/boats/{id}'].delete
    assert.equal(sink['x-test-mode'], true)
    assert.ok(slugsOf(sink, 403).includes('test_key_required'))
  })

  test('has no response body without a reply schema', () => {
    assert.equal(paths['/test/boats/{id}'].delete.responses[204].content, undefined)
  })

  test('shares schemas with other operations', () => {
    const reference = paths['/boats/{id}'].get.responses[200].content['application/json'].schema
    assert.deepEqual(Object.keys(reference), ['$ref'])
    assert.deepEqual(
      paths['/boats'].post.responses[201].content['application/json'].schema,
      reference,
    )
    assert.deepEqual(
      sample.components.schemas.OrderPaidEvent.properties.data.properties.boat,
      reference,
    )
  })
})

describe('the components of the document', () => {
  test("contain an OAuth scheme with the server's URLs and every scope", () => {
    const { oauth } = real.components.securitySchemes
    const { authorizationUrl, tokenUrl, scopes } = oauth.flows.authorizationCode
    assert.equal(oauth.type, 'oauth2')
    assert.equal(authorizationUrl, `${runtime.runtime.config.public_url}/oauth/authorize`)
    assert.equal(tokenUrl, `${runtime.runtime.config.public_url}/oauth/token`)
    assert.deepEqual(Object.keys(scopes), scopeNames)
  })

  test('contain one Event schema with `type` as the discriminator', () => {
    const { discriminator, oneOf } = real.components.schemas.Event
    assert.equal(discriminator.propertyName, 'type')
    assert.deepEqual(Object.keys(discriminator.mapping), Object.keys(real.webhooks))
    assert.deepEqual(
      oneOf.map(({ $ref }: any) => $ref),
      Object.values(discriminator.mapping),
    )
  })
})

describe('an event in the document', () => {
  const { post } = sample.webhooks['order.paid']

  test('is an envelope with the schema of its data', () => {
    const { schema, example } = post.requestBody.content['application/json']
    assert.deepEqual(schema, { $ref: '#/components/schemas/OrderPaidEvent' })
    const { OrderPaidEvent } = sample.components.schemas
    assert.deepEqual(OrderPaidEvent.required, ['id', 'type', 'created_at', 'data'])
    assert.equal(example.type, 'order.paid')
    assert.match(example.id, /^evt_[0-9a-f]{32}$/)
    assert.deepEqual(Object.keys(example.data.boat), ['id', 'name', 'version'])
  })

  test('declares the sent headers', () => {
    const names = post.parameters.map((one: any) => one.name)
    for (const name of ['User-Agent', 'Service-Event', 'Service-Delivery', 'Service-Signature']) {
      assert.ok(names.includes(name), name)
    }
  })

  test('needs no security scheme', () => {
    assert.deepEqual(post.security, [])
  })
})

describe('GET /openapi.json', () => {
  test('needs no key, is JSON and is not cached', () => {
    assert.equal(served.status, 200)
    assert.match(served.headers.get('content-type') ?? '', /^application\/json/)
    assert.equal(served.headers.get('cache-control'), 'no-store')
    assert.ok(served.headers.get('x-request-id'))
  })

  test('contains the URL of the request', () => {
    const { public_url } = runtime.runtime.config
    assert.deepEqual(real.servers, [{ url: `${public_url}/api/v1` }])
    assert.ok(JSON.stringify(real).includes(`"${public_url}/docs/errors/not_found"`))
  })

  test('returns the same document each time', async () => {
    assert.equal((await runtime.call('GET /openapi.json', { key: null })).text, served.text)
  })

  test('contains the public URL of a server with another address', async () => {
    const settings = { HOMEPORT_PUBLIC_URL: 'https://elsewhere.test' }
    const other = await openTestRuntime({ settings, work: false })
    const { body } = await other.call('GET /openapi.json', { key: null })
    assert.deepEqual(body.servers, [{ url: 'https://elsewhere.test/api/v1' }])
  })

  test('refuses unknown query parameters, as documented', async () => {
    const { status, body } = await runtime.call('GET /openapi.json?pretty=1', { key: null })
    assert.equal(status, 400)
    assert.ok(
      slugsOf(real.paths['/openapi.json'].get, 400).some((slug) => body.type.endsWith(`/${slug}`)),
    )
  })

  test('describes existing routes, including itself', () => {
    assert.ok(real.paths['/openapi.json'])
    for (const { path, method } of operationsOf(real)) {
      const url = `/api/v1${path.replaceAll(/\{(\w+)\}/g, ':$1')}`
      assert.ok(runtime.app.hasRoute({ method: method.toUpperCase() as 'GET', url }), url)
    }
  })

  test('names only existing routes in meanings and next steps of errors', () => {
    const known = new Set(
      operationsOf(real).map(({ method, path }) => bare(`${method.toUpperCase()} ${path}`)),
    )
    const given = errorSlugs.filter((slug) => served.text.includes(`/errors/${slug}"`))
    const missing = given.flatMap((slug) => {
      const { about, next } = errorCatalogue[slug]
      const named = `${about} ${writeNextStep(restPhrasing, next)}`.match(
        /(?:(?:GET|POST|PUT|PATCH|DELETE) |\bunder )\/[\w/{}.-]*[\w}]/g,
      )
      return (named ?? [])
        .filter((route) => !known.has(bare(route)))
        .map((route) => `${slug}: ${route}`)
    })
    assert.ok(given.length > 50)
    // Checks named routes only, not prefixes such as "under /public".
    assert.deepEqual(
      missing.filter((one) => !one.endsWith('under /public')),
      [],
    )
  })

  test('documents the HTML page or redirect for forms without JavaScript', () => {
    const { post, get } = real.paths['/public/collections/{name}/documents']
    const { 303: sent_on, ...others } = post.responses
    assert.deepEqual(Object.keys(sent_on.headers), ['X-Request-Id', 'Location'])
    assert.equal(sent_on.content, undefined)
    for (const [status, { content }] of Object.entries<any>(others))
      assert.ok('text/html' in content, status)
    assert.equal(get.responses[303], undefined)
    assert.deepEqual(Object.keys(get.responses[200].content), ['application/json'])
  })

  test('documents media types of exports, imports and HTML pages', async () => {
    const { post: load } = real.paths['/collections/{name}/documents/import']
    const { get: save } = real.paths['/collections/{name}/documents/export']
    const { post: submit } = real.paths['/public/collections/{name}/documents']
    const schema = { properties: { name: {}, guests: {} } }
    const made = await runtime.call('POST /collections', {
      body: { name: 'bookings', public_write: true, schema },
    })
    assert.equal(made.status, 201, made.text)
    const imported = await runtime.call('POST /collections/bookings/documents/import', {
      raw: load.requestBody.content['text/csv'].example,
      headers: { 'content-type': 'text/csv' },
    })
    assert.equal(imported.body.inserted, 2, imported.text)
    const { example: report } = load.responses[200].content['application/json']
    assert.deepEqual(Object.keys(imported.body), Object.keys(report))
    const gives = save.responses[200].content
    const path = 'GET /collections/bookings/documents/export?format='
    const [line = ''] = (await runtime.call(`${path}ndjson`)).text.split('\n')
    const ndjson = JSON.parse(gives['application/x-ndjson'].example)
    assert.deepEqual(Object.keys(JSON.parse(line)), Object.keys(ndjson))
    const head = (text: string) => text.split('\r\n')[0]
    assert.equal(head((await runtime.call(`${path}csv`)).text), head(gives['text/csv'].example))
    const thanks = submit.responses[201].content['text/html'].example
    assert.match(thanks, /^<!doctype html>.*<h1>Thank you/s)
  })

  test('documents the error for a file that is too large', () => {
    const { post } = real.paths['/public/collections/{name}/documents']
    assert.deepEqual(slugsOf(post, 413), ['file_too_large'])
  })

  test('returns errors that match the documented schemas', async () => {
    const answer = await runtime.call('GET /project', { key: null })
    const { schema } = real.paths['/project'].get.responses[401].content['application/problem+json']
    checkerOf(real)(schema, answer.body, '401')
  })
})
