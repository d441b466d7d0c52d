/** Tests of the reads that a page sends in one request. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createOwnedProject, signIn, newVisitor } from '../../../test/fixtures/portal/portal.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'

const fixture = await openTestRuntime({ work: false })
const owner = 'owner@bakery.example'
const project_id = await createOwnedProject(fixture, owner)
const visitor = await signIn(fixture, owner)
const root = `/projects/${project_id}`

interface Line {
  index: number
  status: number
  body: any
}

async function send(reads: unknown): Promise<Line[]> {
  const headers = { 'content-type': 'application/json' }
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const answer = await fetch(`${fixture.url}/portal/api/v1/batch`, {
    method: 'POST',
    headers: { ...headers, cookie, origin: fixture.url },
    body: JSON.stringify(reads),
  })
  const text = await answer.text()
  assert.equal(answer.status, 200, text)
  const lines: Line[] = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  return lines
    .toSorted((left, right) => left.index - right.index)
    .map((line) => ({ ...line, body: JSON.parse(line.body) }))
}

const slugOf = ({ body }: Line): string => body.type.split('/').at(-1)

describe('a batch of reads', () => {
  test('answers each read as if it were sent alone, in its mode', async () => {
    const made = await visitor.call(
      `POST ${root}/numbers`,
      {},
      {
        'homeport-mode': 'test',
        'idempotency-key': crypto.randomUUID(),
      },
    )
    assert.equal(made.status, 201, made.text)
    const path = `${root}/numbers`
    const [me, test_numbers, list] = await send([
      { path: '/me' },
      { path, mode: 'test' },
      { path: `${root}/collections?limit=1` },
    ])
    assert.deepEqual(me?.body, (await visitor.call('GET /me')).body)
    const alone = await visitor.call(`GET ${path}`, undefined, { 'homeport-mode': 'test' })
    assert.deepEqual(test_numbers?.body, alone.body)
    assert.equal(test_numbers?.body.data.length, 1)
    assert.deepEqual(list?.body.data, [])
  })

  test('refuses each read by its own rules, and answers the others', async () => {
    const other = await createOwnedProject(fixture, 'other@bakery.example')
    const lines = await send([
      { path: `/projects/${other}/keys` },
      { path: `${root}/collections?limit=0` },
      { path: '/operator/projects' },
      { path: `${root}/keys` },
    ])
    assert.deepEqual(
      lines.map(({ status }) => status),
      [404, 400, 404, 200],
    )
    assert.equal(slugOf(lines[0]!), 'not_found')
    assert.equal(slugOf(lines[1]!), 'invalid_parameter')
  })

  test('answers 401 to a visitor without a session', async () => {
    const { status } = await newVisitor(fixture).call('POST /batch', [{ path: '/me' }])
    assert.equal(status, 401)
  })

  test('is refused from a page of another site', async () => {
    const { status } = await visitor.call('POST /batch', [{ path: '/me' }], {
      'sec-fetch-site': 'cross-site',
    })
    assert.equal(status, 403)
  })

  test('refuses streams, files, changes, itself and paths outside of the API', async () => {
    const paths = [
      `${root}/activity/stream`,
      `${root}/activity/%73tream`,
      `${root}/collections/things/documents/changes`,
      `${root}/collections/things/documents/changes#x`,
      `${root}/collections/things/documents/%65xport`,
      `${root}/collections/%zz`,
      `${root}/numbers/x/release`,
      '/batch',
      '/openapi.json',
      '/../../api/v1/project',
      'https://example.com/me',
    ]
    const { status, body } = await visitor.call(
      'POST /batch',
      paths.map((path) => ({ path })),
    )
    assert.equal(status, 422)
    assert.deepEqual(
      body.errors.map(({ path }: { path: string }) => path),
      paths.map((_path, index) => `/${index}/path`),
    )
  })

  test('refuses a body that is no list of 1 to 30 reads', async () => {
    const bodies = [{}, [], [{ path: 1 }], Array.from({ length: 31 }, () => ({ path: '/me' }))]
    for (const body of bodies) assert.equal((await visitor.call('POST /batch', body)).status, 422)
    assert.equal((await visitor.call('POST /batch')).status, 400)
  })

  test('counts each read in the rate limit of the person', async () => {
    const reads = Array.from({ length: 30 }, () => ({ path: '/me' }))
    const before = await visitor.call('GET /me')
    await send(reads)
    const after = await visitor.call('GET /me')
    const left = ({ headers }: typeof before) =>
      Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1])
    assert.equal(left(before) - left(after), reads.length + 1)
  })
})
