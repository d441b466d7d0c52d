/**
 * Sends each operation its largest accepted input, over REST, MCP and the portal: no reply is a 5xx.
 * Prints how long one request blocks the event loop, because all other requests wait that long. A new
 * operation is tested as soon as it is listed.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { operations, peopleOperations } from '../server/app.ts'
import { limits } from '../server/contract/limits.ts'
import type { Operation } from '../server/contract/operation.ts'
import { hasProjectInPath } from '../server/contract/people.ts'
import { listSessionOperations } from '../server/edges/portal-api/document.ts'
import { createExample } from '../server/edges/describe/samples/example.ts'
import { reportBusy, startProbedServer } from './fixtures/processes/probed-server.ts'

const server = await startProbedServer()

interface Size {
  bytes: number
  /** Maximum number of JSON values in the body. */
  values: number
}

/** Maximum number of members of one object. */
const WIDTH_MAX = limits.json_values_max - 500

const shapes: Record<string, (size: Size) => string> = {
  'a wide object': ({ bytes, values }) =>
    `{${filled({ bytes, values: Math.min(values, WIDTH_MAX) }, (at) => `"f${at}":1`)}}`,
  'an object of long names': (size) => `{${filled(size, (at) => `"${'n'.repeat(500)}${at}":{}`)}}`,
  'an object of too many values': ({ bytes }) =>
    `{${filled({ bytes, values: Infinity }, (at) => `"f${at}":1`)}}`,
  'a long list': (size) => `[${filled(size, () => '1')}]`,
  'a list of objects': ({ bytes, values }) =>
    `[${filled({ bytes, values: values / 4 }, () => '{"a":{"b":"c"}}')}]`,
  'deep nesting': ({ bytes }) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2),
  'a long text': ({ bytes }) => JSON.stringify('x'.repeat(bytes - 2)),
  'a text of escapes': ({ bytes }) => `"${'\\"\\\\'.repeat(bytes / 4 - 1)}"`,
}

function filled({ bytes, values }: Size, piece: (at: number) => string): string {
  const pieces: string[] = []
  for (let at = 0, length = 0; length < bytes - 600 && at < values; at += 1) {
    const one = piece(at)
    pieces.push(one)
    length += one.length + 1
  }
  return pieces.join(',')
}

/** Returns the space that the largest body of an operation leaves beside its example. */
function sizeOf({ body_rules = {} }: Operation): Size {
  return {
    bytes: (body_rules.bytes_max ?? limits.json_body_bytes_max) - 2_000,
    values: (body_rules.values_max ?? limits.json_values_max) - 500,
  }
}

/**
 * The example of an operation, with its first member of the shape's type replaced by the shape;
 * null if no member has that type.
 */
function bodyOf(operation: Operation, shape: string): string | null {
  const { body } = operation
  const whole = shapes[shape]!(sizeOf(operation))
  const good = Object(body ? createExample(body) : {})
  const name = Object.keys(good).find((one) => typeOf(good[one]) === whole[0])
  if (name === undefined) return whole.startsWith('{') ? whole : null
  const rest = JSON.stringify({ ...good, [name]: undefined }).slice(1)
  return `{${JSON.stringify(name)}:${whole}${rest === '}' ? '' : ','}${rest}`
}

/** The JSON type of a value. */
function typeOf(value: unknown): string | undefined {
  return JSON.stringify(value)?.[0]
}

const UNKNOWN_ID = '01890b2c-7d4e-7a1b-9c3d-5e6f7a8b9c0d'

function routeOf({ path }: Operation): string {
  return path
    .replace('{project_id}', server.project_id)
    .replace('{name}', 'c')
    .replaceAll('{rail}', 'phone')
    .replaceAll(/\{\w+\}/g, UNKNOWN_ID)
}

type Send = (body: string) => Promise<unknown>

function senderTo(operation: Operation): Send {
  const { method } = operation
  const for_people = operation.kind === 'people'
  const root = for_people ? '/portal/api/v1' : '/api/v1'
  const headers = {
    'content-type': 'application/json',
    'idempotency-key': 'large',
    ...(for_people
      ? { cookie: server.cookie, origin: server.url, 'sec-fetch-site': 'same-origin' }
      : { authorization: `Bearer ${server.key}` }),
    ...(for_people && hasProjectInPath(operation) ? { 'homeport-mode': 'test' } : {}),
  }
  return async (body) => {
    const answer = await fetch(server.url + root + routeOf(operation), { method, headers, body })
    await answer.text()
    assert.ok(answer.status < 500, `${operation.name}: ${answer.status}`)
  }
}

async function sendMessage(body: string): Promise<void> {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    authorization: `Bearer ${server.key}`,
  }
  const answer = await fetch(`${server.url}/mcp`, { method: 'POST', headers, body })
  await answer.text()
  assert.ok(answer.status < 500, String(answer.status))
}

async function reportAll(send: Send, bodies: Record<string, string | null>): Promise<void> {
  for (const [shape, body] of Object.entries(bodies)) {
    if (body === null) continue
    await reportBusy(server, `${shape}, ${body.length} characters`, () => send(body))
  }
}

const names = new Set(peopleOperations.map(({ name }) => name))
const forPeople = listSessionOperations({ operations, peopleOperations }).filter(({ name }) =>
  names.has(name),
)
const withBodies = [...operations, ...forPeople].filter(({ body }) => body !== undefined)

describe('the largest inputs are answered', () => {
  test('in a documentation search for many words', async () => {
    const words = 'a e i o u s t p c d w m n b '.repeat(4).slice(0, 100)
    const search = () => fetch(`${server.url}/docs/search?q=${encodeURIComponent(words)}`)
    await search()
    await reportBusy(server, words, async () => (await search()).text())
  })

  test('in six MCP resource lists at once', async () => {
    const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'resources/list', params: {} })
    await sendMessage(message)
    const six = () => Promise.all(Array.from({ length: 6 }, () => sendMessage(message)))
    await reportBusy(server, 'six lists', six)
  })

  for (const operation of withBodies) {
    test(`by the largest bodies of ${operation.name}`, async () => {
      const tried = ['a wide object', 'a list of objects', 'a text of escapes']
      const bodies = tried.map((shape) => [shape, bodyOf(operation, shape)])
      await reportAll(senderTo(operation), Object.fromEntries(bodies))
    })
  }

  // All operations share the code that reads bodies, so three examples suffice.
  for (const name of ['documents.create', 'documents.batch', 'sites.create']) {
    test(`by a body of any shape to ${name}`, async () => {
      const operation = operations.find((one) => one.name === name)
      assert(operation)
      const size = sizeOf(operation)
      const bodies = Object.entries(shapes).map(([shape, make]) => [shape, make(size)])
      await reportAll(senderTo(operation), Object.fromEntries(bodies))
    })
  }

  test('in a batch whose operations have faults everywhere', async () => {
    const operation = operations.find(({ name }) => name === 'documents.batch')
    assert(operation)
    const { bytes, values } = sizeOf(operation)
    const operations_of = {
      'wide operations': (width: number) =>
        `{"op":"create",${shapes['a wide object']!({ bytes, values: width }).slice(1)}`,
      'operations of an unknown kind': () => '1',
    }
    const bodies = Object.entries(operations_of).flatMap(([what, make]) =>
      [1, 3, 500, 90_000].map((count) => {
        const list = filled({ bytes, values: count }, () => make(Math.floor(values / count) - 3))
        return [`${count} ${what}`, `{"operations":[${list}]}`]
      }),
    )
    await reportAll(senderTo(operation), Object.fromEntries(bodies))
  })

  test('in a message of any shape to /mcp', async () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call' }
    const send: Send = (body) => {
      const params = `{"name":"documents_batch","arguments":${body}}`
      return sendMessage(`${JSON.stringify(message).slice(0, -1)},"params":${params}}`)
    }
    const size = {
      bytes: limits.batch_body_bytes_max - 2_000,
      values: limits.json_values_max - 500,
    }
    const bodies = Object.entries(shapes).map(([shape, make]) => [shape, make(size)])
    await reportAll(send, Object.fromEntries(bodies))
  })

  test('in a form to the portal or OAuth, with or without a session', async () => {
    const form = (bytes: number) =>
      filled({ bytes, values: Infinity }, (at) => `f${at}=%41`).replaceAll(',', '&')
    for (const path of ['/portal/sign-in', '/oauth/token', '/oauth/revoke', '/oauth/register']) {
      const send: Send = async (body) => {
        const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: server.url }
        await (await fetch(server.url + path, { method: 'POST', headers, body })).text()
      }
      await reportAll(send, { [path]: form(limits.portal_form_bytes_max - 1_000) })
    }
  })

  test('in a batch of documents checked by an expensive schema', async () => {
    const of = { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' }
    const contains = Array.from({ length: 240 }, (_, n) => ({ contains: { const: n } }))
    const schema = { type: 'object', properties: { a: { allOf: contains } } }
    const made = await fetch(`${server.url}/api/v1/collections`, {
      method: 'POST',
      headers: of,
      body: JSON.stringify({ name: 'costly', schema }),
    })
    assert.equal(made.status, 201, await made.text())
    const data = { a: Array.from({ length: 1_500 }, () => 1) }
    const operation = { op: 'create', data }
    const body = JSON.stringify({ operations: Array.from({ length: 20 }, () => operation) })
    const send: Send = async (sent) => {
      const address = `${server.url}/api/v1/collections/costly/documents/batch`
      const answer = await fetch(address, { method: 'POST', headers: of, body: sent })
      assert.equal(answer.status, 422, await answer.text())
    }
    await reportAll(send, { 'a batch': body })
  })
})
