/**
 * The first requests of a process are answered. Prints how long they block the event loop, because they
 * load libraries and build indexes.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callMessage } from './fixtures/mcp/mcp.ts'
import {
  reportBusy,
  startProbedServer,
  type ProbedPlace,
} from './fixtures/processes/probed-server.ts'

/** Stands for the id of the number that an earlier request ordered. */
const NUMBER_ID = '{number_id}'

interface FirstRequest {
  path: string
  body?: object | string
  headers?: Record<string, string>
}

const accept = 'application/json, text/event-stream'
const capabilities = { elicitation: {} }
const clientInfo = { name: 'test', version: '1' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }

function toMcp(method: string, params: object): FirstRequest {
  return { path: '/mcp', headers: { accept }, body: { jsonrpc: '2.0', id: 1, method, params } }
}

const requests: Record<string, FirstRequest> = {
  'a request to the API': { path: '/api/v1/project' },
  'a session over MCP': toMcp('initialize', {
    protocolVersion: '2025-06-18',
    capabilities,
    clientInfo,
  }),
  'a list of tools': toMcp('tools/list', {}),
  'a list of tools in the revision of 2026': {
    ...toMcp('tools/list', {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': clientInfo,
        'io.modelcontextprotocol/clientCapabilities': capabilities,
      },
    }),
    headers: { accept, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' },
  },
  'a list of resources': toMcp('resources/list', {}),
  'a search for an operation': {
    path: '/mcp',
    headers: { accept },
    body: callMessage('search_operations', { query: 'send a message' }),
  },
  'an authorization request': { path: '/oauth/authorize?client_id=x&response_type=code' },
  'a token request': { path: '/oauth/token', headers: form, body: 'grant_type=x&client_id=y' },
  'a registration': {
    path: '/oauth/register',
    body: { redirect_uris: ['http://127.0.0.1/callback'] },
  },
  'the OpenAPI document': { path: '/api/v1/openapi.json' },
  'the OpenAPI document of the portal': { path: '/portal/api/v1/openapi.json' },
  'a page of the documentation': { path: '/docs/reference/documents' },
  'a search in the documentation': { path: '/docs/search?q=webhook' },
  'the table of contents for agents': { path: '/llms.txt' },
  'the documentation in one file': { path: '/llms-full.txt' },
  'the sign-in page': { path: '/portal/sign-in' },
  'a new collection': {
    path: '/api/v1/collections',
    body: { name: 'c', schema: { type: 'object', properties: { n: { type: 'number' } } } },
  },
  'a document': { path: '/api/v1/collections/c/documents', body: { data: { n: 1 } } },
  'a filtered list': { path: '/api/v1/collections/c/documents?filter=n%20%3E%200&q=word' },
  'an exported workbook': { path: '/api/v1/collections/c/documents/export?format=xlsx' },
  'a site': {
    path: '/api/v1/sites',
    body: {
      slug: 'first',
      visibility: 'unlisted',
      files: [{ path: 'index.html', content: '<p>hello' }],
    },
  },
  'a number': {
    path: '/api/v1/numbers',
    headers: { 'idempotency-key': 'first' },
    body: { area: '010' },
  },
  'a test call': {
    path: '/api/v1/test/calls',
    body: {
      number_id: NUMBER_ID,
      from: '+31612345678',
      turns: [{ say: 'Are you open on Monday?' }, { hangup: true }],
    },
  },
  'an import from another server': {
    path: '/api/v1/media/import',
    headers: { 'idempotency-key': 'first' },
    body: { url: 'http://nowhere.invalid/picture.png' },
  },
}

/** Requests that are refused: no client, no token, and a host that does not exist. */
const refused = new Set([
  'an authorization request',
  'a token request',
  'an import from another server',
])

async function send(place: ProbedPlace, { path, headers, body }: FirstRequest) {
  const is_form = typeof body === 'string'
  const answer = await fetch(place.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    redirect: 'manual',
    headers: {
      authorization: `Bearer ${place.key}`,
      ...(body !== undefined && !is_form && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: is_form ? body : JSON.stringify(body) }),
  })
  return { status: answer.status, text: await answer.text() }
}

function withNumber(request: FirstRequest, number_id: string): FirstRequest {
  return JSON.parse(JSON.stringify(request).replace(NUMBER_ID, number_id))
}

test('the first requests of a process are answered', async () => {
  const server = await startProbedServer()
  let number_id = ''
  for (const [what, request] of Object.entries(requests)) {
    await reportBusy(server, what, async () => {
      const { status, text } = await send(server, withNumber(request, number_id))
      assert.equal(status < 400, !refused.has(what), `${what}: ${status} ${text.slice(0, 300)}`)
      if (what === 'a number') number_id = JSON.parse(text).id
    })
  }
})
