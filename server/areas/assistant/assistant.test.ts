/** Tests of PUT and GET /assistant over HTTP. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { readHours, isConfigured, isOpen } from './service.ts'

const fixture = await openTestRuntime({ work: false })
const { runtime, call, newKey, newProject, passes } = fixture

/** Creates a project and a key for one test. */
async function fresh() {
  const { project_id } = await newProject()
  const key = await newKey({ project_id })
  const get = () => call('GET /assistant', { key })
  const put = (body: unknown, headers = {}) => call('PUT /assistant', { key, body, headers })
  return { project_id, key, get, put }
}

/** Returns paths and messages of the errors for an invalid body. */
async function faultsOf(body: unknown): Promise<string[]> {
  const { put } = await fresh()
  const { status, body: problem } = await put(body)
  assert.equal(status, 422, JSON.stringify(problem))
  assert.match(problem.type, /validation_failed$/)
  return problem.errors.map(
    ({ path, message }: { path: string; message: string }) => `${path} ${message}`,
  )
}

const full = {
  name: 'Fietsen Jansen',
  greeting: 'Welkom bij Fietsen Jansen.',
  instructions: 'Wij zijn een fietsenwinkel in Utrecht.',
  languages: ['nl', 'en-GB'],
  voice: 'nl-warm',
  timezone: 'Europe/Brussels',
  opening_hours: [
    { day: 'mon', from: '09:00', to: '12:30' },
    { day: 'mon', from: '13:00', to: '17:30' },
    { day: 'fri', from: '20:00', to: '02:00' },
    { day: 'sun', from: '00:00', to: '24:00' },
  ],
  closures: [{ date: '2026-12-25', reason: 'Kerst' }],
  website_url: null,
  facts: [{ question: 'Kan ik parkeren?', answer: 'Ja, achter de winkel.' }],
  transfer: { phone: '+31201234567', email: 'info@example.com' },
}

test('the assistant resource returns defaults named after the project before the first PUT', async () => {
  const { get, project_id } = await fresh()
  const { status, body, headers } = await get()
  assert.equal(status, 200)
  assert.equal(headers.get('etag'), '"0"')
  assert.deepEqual(body, {
    name: 'Test',
    greeting: '',
    instructions: '',
    languages: ['en'],
    voice: null,
    timezone: 'Europe/Amsterdam',
    opening_hours: [],
    closures: [],
    website_url: null,
    facts: [],
    transfer: { phone: null, email: null },
    model: 'builtin',
    models: ['builtin'],
    version: 0,
    configured: false,
    updated_at: null,
  })
  assert.equal(await isConfigured(runtime.db, project_id), false)
})

test('the assistant resource returns what was put, from PUT and GET, with its version as ETag', async () => {
  const { get, put, project_id } = await fresh()
  const saved = await put(full)
  assert.equal(saved.status, 200)
  assert.equal(saved.headers.get('etag'), '"1"')
  const { model, models, version, configured, updated_at, ...rest } = saved.body
  assert.deepEqual(rest, full)
  assert.deepEqual(
    { model, models, version, configured },
    { model: 'builtin', models: ['builtin'], version: 1, configured: true },
  )
  assert.match(updated_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.deepEqual((await get()).body, saved.body)
  assert.equal(await isConfigured(runtime.db, project_id), true)
})

test('the assistant resource accepts a changed body of GET', async () => {
  const { get, put } = await fresh()
  await put(full)
  const read = await get()
  const { status, body } = await put(
    { ...read.body, name: 'Jansen' },
    { 'if-match': read.headers.get('etag') },
  )
  assert.equal(status, 200)
  assert.equal(body.name, 'Jansen')
  assert.equal(body.version, 2)
})

test('the assistant resource resets omitted fields to their defaults', async () => {
  const { put } = await fresh()
  await put(full)
  const { body } = await put({ name: 'Jansen' })
  assert.deepEqual(
    [body.facts, body.opening_hours, body.timezone, body.greeting],
    [[], [], 'Europe/Amsterdam', ''],
  )
})

test('the assistant resource refuses a body without a writable field', async () => {
  assert.deepEqual((await faultsOf({})).length, 1)
  assert.match(
    (await faultsOf({ version: 3, configured: true }))[0] ?? '',
    /at least one of name, greeting/,
  )
})

test('the assistant resource refuses unknown fields, and names every error', async () => {
  const faults = await faultsOf({ nmae: 'x', greeting: 5, facts: [{ question: '' }] })
  const paths = faults.map((fault) => fault.split(' ')[0])
  assert.deepEqual(paths.toSorted(), ['/facts/0/answer', '/facts/0/question', '/greeting', '/nmae'])
})

test('the assistant resource accepts full names of weekdays, shortens them and keeps their order', async () => {
  const { put } = await fresh()
  const opening_hours = [
    { day: 'sunday', from: '10:00', to: '12:00' },
    { day: 'tuesday', from: '09:00', to: '24:00' },
  ]
  const { body } = await put({ opening_hours })
  assert.deepEqual(
    body.opening_hours.map(({ day }: { day: string }) => day),
    ['sun', 'tue'],
  )
})

const bad: [string, object, RegExp][] = [
  [
    'a day that is none',
    { opening_hours: [{ day: 'someday', from: '09:00', to: '10:00' }] },
    /^\/opening_hours\/0\/day /,
  ],
  [
    'a time that is none',
    { opening_hours: [{ day: 'mon', from: '9:00', to: '10:00' }] },
    /^\/opening_hours\/0\/from /,
  ],
  [
    '24:00 as a beginning',
    { opening_hours: [{ day: 'mon', from: '24:00', to: '10:00' }] },
    /^\/opening_hours\/0\/from /,
  ],
  [
    '24:30',
    { opening_hours: [{ day: 'mon', from: '20:00', to: '24:30' }] },
    /^\/opening_hours\/0\/to /,
  ],
  [
    'a range without length',
    { opening_hours: [{ day: 'mon', from: '09:00', to: '09:00' }] },
    /^\/opening_hours\/0\/to /,
  ],
  ['a date that is none', { closures: [{ date: '2026-02-30' }] }, /^\/closures\/0\/date /],
  ['a time zone that is none', { timezone: 'Europe/Atlantis' }, /^\/timezone /],
  ['an offset for a time zone', { timezone: '+01:00' }, /^\/timezone /],
  ['a language that is none', { languages: ['nl', 'not a tag'] }, /^\/languages\/1 /],
  ['no language', { languages: [] }, /^\/languages /],
  ['a blank name', { name: '  ' }, /^\/name /],
  ['a phone number not in E.164', { transfer: { phone: '020 1234567' } }, /^\/transfer\/phone /],
  ['an email address that is none', { transfer: { email: 'info' } }, /^\/transfer\/email /],
  ['a website that is no address', { website_url: 'fietsenjansen' }, /^\/website_url .*complete/],
  ['a website on a private address', { website_url: 'https://10.0.0.1/' }, /^\/website_url /],
  [
    'a website with a password',
    { website_url: 'https://a:b@example.com/' },
    /^\/website_url .*password/,
  ],
  ['a website of another kind', { website_url: 'ftp://example.com/' }, /^\/website_url /],
  ['a name that is too long', { name: 'x'.repeat(101) }, /^\/name /],
  ['a greeting that is too long', { greeting: 'x'.repeat(1_001) }, /^\/greeting /],
  ['instructions that are too long', { instructions: 'x'.repeat(20_001) }, /^\/instructions /],
  [
    'too many facts',
    { facts: Array.from({ length: 201 }, () => ({ question: 'a', answer: 'b' })) },
    /^\/facts /,
  ],
  [
    'a question that is too long',
    { facts: [{ question: 'x'.repeat(501), answer: 'b' }] },
    /^\/facts\/0\/question /,
  ],
  [
    'an answer that is too long',
    { facts: [{ question: 'a', answer: 'x'.repeat(2_001) }] },
    /^\/facts\/0\/answer /,
  ],
  ['too many languages', { languages: Array(21).fill('nl') }, /^\/languages /],
  [
    'too many closures',
    { closures: Array.from({ length: 367 }, () => ({ date: '2026-12-25' })) },
    /^\/closures /,
  ],
]

for (const [name, body, fault] of bad) {
  test(`refuses ${name}`, async () => {
    const faults = await faultsOf(body)
    assert.ok(
      faults.some((one) => fault.test(one)),
      faults.join('\n'),
    )
  })
}

test('the assistant resource refuses an outdated version and changes nothing', async () => {
  const { get, put } = await fresh()
  await put(full)
  await put({ ...full, name: 'Second' }, { 'if-match': '"1"' })
  const { status, body } = await put({ name: 'Third' }, { 'if-match': '"1"' })
  assert.equal(status, 412)
  assert.match(body.type, /version_conflict$/)
  assert.equal(body.current_version, 2)
  assert.equal((await get()).body.name, 'Second')
})

test('the assistant resource accepts version 0 in If-Match of a first PUT, and no other', async () => {
  const { put, get } = await fresh()
  assert.equal((await put({ name: 'A' }, { 'if-match': '"7"' })).status, 412)
  assert.equal((await get()).body.configured, false)
  assert.equal((await put({ name: 'A' }, { 'if-match': '"0"' })).body.version, 1)
})

test('the assistant resource lets one of several PUTs with the same If-Match succeed', async () => {
  const { put } = await fresh()
  await put(full)
  const names = Array.from({ length: 8 }, (_, index) => `Name ${index}`)
  const replies = await Promise.all(names.map((name) => put({ name }, { 'if-match': '"1"' })))
  assert.equal(replies.filter(({ status }) => status === 200).length, 1)
  assert.equal(replies.filter(({ status }) => status === 412).length, 7)
})

test('the assistant resource serializes concurrent first PUTs', async () => {
  const { put } = await fresh()
  const replies = await Promise.all(['A', 'B', 'C'].map((name) => put({ name })))
  assert.deepEqual(replies.map(({ body }) => body.version).toSorted(), [1, 2, 3])
})

test('the assistant resource accepts a website whose host does not resolve at the moment', async () => {
  const { put } = await fresh()
  const { status, body } = await put({ website_url: 'https://no-such-name.invalid/' })
  assert.equal(status, 200)
  assert.equal(body.website_url, 'https://no-such-name.invalid/')
})

test('the assistant resource of another project is not visible', async () => {
  const [one, other] = [await fresh(), await fresh()]
  await one.put(full)
  assert.equal((await other.get()).body.configured, false)
})

test('the assistant resource sets updated_at to the time of the last PUT', async () => {
  const { put } = await fresh()
  const first = await put({ name: 'A' })
  passes('2 hours')
  const second = await put({ name: 'A' })
  const gone_ms = Date.parse(second.body.updated_at) - Date.parse(first.body.updated_at)
  assert.ok(gone_ms >= 7_200_000 && gone_ms < 7_260_000)
})

test('the assistant resource needs assistant:write and access to the whole project', async () => {
  const { project_id } = await fresh()
  const reader = await newKey({ project_id, scopes: ['project:read', 'calls:read'] })
  for (const route of ['GET /assistant', 'PUT /assistant']) {
    const { status, body } = await call(route, {
      key: reader,
      body: route.startsWith('PUT') ? {} : undefined,
    })
    assert.equal(status, 403)
    assert.match(body.type, /missing_scope$/)
    assert.match(body.detail, /assistant:write/)
  }
  const access = { sites: [], apps: [], collections: [], limited_by: 'api_key' as const }
  const limited = await newKey({ project_id, access })
  assert.match((await call('GET /assistant', { key: limited })).body.type, /forbidden$/)
})

test('the assistant resource returns the opening hours to other areas, or null', async () => {
  const { put, project_id } = await fresh()
  assert.deepEqual(await readHours(runtime.db, project_id), { hours: null })
  await put(full)
  const { hours } = await readHours(runtime.db, project_id)
  assert.ok(hours)
  assert.equal(isOpen(hours, '2026-11-23T09:00:00+01:00'), true)
  assert.equal(isOpen(hours, '2026-11-23T12:45:00+01:00'), false)
  assert.equal(isOpen(hours, '2026-12-26T01:30:00+01:00'), false)
})
