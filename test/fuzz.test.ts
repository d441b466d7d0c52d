/**
 * Ten thousand random requests to every operation: values near what is right, values far from it,
 * wrong types, odd texts, ids that exist and ids that do not. A key calls the operations of the API,
 * a session of the owner calls those for people. No reply is a 5xx that is not documented, and every
 * reply has the shape that is declared for it. The seed is printed; HOMEPORT_FUZZ_SEED runs the same
 * requests again.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import fc from 'fast-check'
import { operations, peopleOperations } from '../server/app.ts'
import { ProblemSchema, statusesOf, type ErrorSlug } from '../server/contract/errors.ts'
import { asStream } from '../server/contract/streams.ts'
import type { Operation } from '../server/contract/operation.ts'
import { describable, isForSessions } from '../server/contract/people.ts'
import { exampleOf } from '../server/edges/docs/describe/example.ts'
import { problemsOf } from '../server/edges/docs/describe/problems-of.ts'
import { openTestRuntime, type Answer } from './fixtures/runtime.ts'
import { fillPath, newFixtures, type Fixtures } from './fixtures/path-ids.ts'
import { newSession } from './fixtures/sessions.ts'

const REQUESTS = 10_000
/** Answers on purpose: what is not connected in a test is said with these. */
const documented5xx = new Set(['telephony_unavailable'])
const seed = Number(process.env['HOMEPORT_FUZZ_SEED'] ?? Date.now() % 2 ** 31)

const all = [...operations, ...peopleOperations.map(describable)]
/** A stream that does not end is left out. */
const tried = all.filter((operation) => !asStream(operation)?.media.endless)

const runtime = await openTestRuntime({ work: false })
const ajv = new Ajv2020({ strict: false })
for (const [name, format] of Object.entries(fullFormats)) ajv.addFormat(name, format)
const isProblem = ajv.compile(ProblemSchema)
const repliesTo = new Map<string, ValidateFunction>(
  all.flatMap(({ name, reply }) => (reply ? [[name, ajv.compile(reply)]] : [])),
)

/** Texts that have broken programs before. */
const oddTexts = fc.constantFrom(
  '',
  ' ',
  '\u0000',
  '\ud800',
  '‮abc',
  "'; drop table projects; --",
  '../../etc/passwd',
  '{{7*7}}',
  '%00',
  '<script>',
  'a'.repeat(5000),
  '😀'.repeat(300),
  'NaN',
  '-0',
  '1e400',
  '٣',
  '\r\nX-Injected: 1',
  'urn:uuid:01890b2c-7d4e-7a1b-9c3d-5e6f7a8b9c0d',
  '${jndi:ldap://x}',
  'Ａ',
  'ﬀ',
)
const anyValue: fc.Arbitrary<unknown> = fc.oneof(
  oddTexts,
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.constantFrom(null, true, false, 0, -1, 1.5, 1e308, -1e308, 2 ** 53, [], {}, [[]], {
    __proto__: null,
  }),
  fc.jsonValue({ maxDepth: 4 }),
)

/** A good value with one place of it changed: replaced, removed, or something added. */
function damaged(good: unknown): fc.Arbitrary<unknown> {
  return fc
    .tuple(
      fc.infiniteStream(fc.nat(1000)),
      anyValue,
      fc.constantFrom('replace', 'remove', 'add', 'keep'),
    )
    .map(([steps, value, how]) => damage(structuredClone(good), { steps, value, how }))
}

interface Damage {
  steps: Iterator<number>
  value: unknown
  how: string
}

function damage(good: any, how: Damage): unknown {
  const step = () => how.steps.next().value as number
  if (how.how === 'keep') return good
  if (typeof good !== 'object' || good === null) return how.value
  const keys = Object.keys(good)
  const key = keys[step() % Math.max(1, keys.length)]
  if (key === undefined || how.how === 'add')
    return Array.isArray(good) ? [...good, how.value] : { ...good, [`x${step()}`]: how.value }
  if (step() % 2 === 0 && typeof good[key] === 'object' && good[key] !== null)
    good[key] = damage(good[key], how)
  else if (how.how === 'remove') delete good[key]
  else good[key] = how.value
  return good
}

interface Sent {
  operation: Operation
  route: string
  options: { raw?: string; headers: Record<string, string> }
}

/** The example of a body, about things that exist. */
function goodBody({ body }: Operation, { ids, input_hash }: Fixtures): unknown {
  const good = body ? exampleOf(body) : {}
  if (typeof good !== 'object' || good === null) return good
  if ('number_id' in good) Object.assign(good, { number_id: ids['/numbers/{id}'] })
  if ('input_hash' in good) Object.assign(good, { input_hash })
  return good
}

function requests(fixtures: Fixtures): fc.Arbitrary<Sent> {
  const id = fc.oneof(
    { weight: 6, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.uuid() },
    { weight: 1, arbitrary: oddTexts.map(encodable) },
  )
  const query = fc.dictionary(
    fc.constantFrom(...'limit cursor type area by dry_run months confirm x'.split(' ')),
    fc.oneof(
      fc.constantFrom('1', '100', '020', 'national', 'email', 'true'),
      oddTexts.map(encodable),
    ),
    { maxKeys: 2 },
  )
  return fc.constantFrom(...tried).chain((operation) => {
    const pathOf = (given: string | null) =>
      fillPath(operation.path, fixtures.ids, (known, place) =>
        place === '/projects/{project_id}' ? known : (given ?? known),
      )
    return fc
      .record({
        id,
        query,
        body: damaged(goodBody(operation, fixtures)),
        odd: oddTexts,
        version: fc.constantFrom('"0"', '"1"', '*', 'x'),
      })
      .map(({ id: given, query: asked, body, odd, version }) => ({
        operation,
        route: `${operation.method} ${pathOf(given)}?${operation.query ? new URLSearchParams(asked) : ''}`,
        options: {
          ...(operation.method === 'GET' || operation.method === 'DELETE'
            ? {}
            : { raw: JSON.stringify(body) ?? '' }),
          headers: {
            'idempotency-key': asciiOnly(odd) || `k${Math.abs(hash(JSON.stringify(body) ?? ''))}`,
            ...(operation.headers?.etag ? { 'if-match': version } : {}),
          },
        },
      }))
  })
}

const encodable = (text: string) => text.toWellFormed()
const asciiOnly = (text: string) =>
  text
    .replaceAll(/[^\x20-\x7e]/g, '')
    .trim()
    .slice(0, 300)
const hash = (text: string) =>
  Array.from(text).reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) | 0, 7)

function check(operation: Operation, route: string, answer: Answer): void {
  const said = `${route} → ${answer.status} ${answer.text.slice(0, 500)} (seed ${seed})`
  if (answer.status === 204) return assert.equal(answer.text, '', said)
  if (answer.status < 300) {
    // What is streamed is no JSON, and has no shape.
    const isReply = repliesTo.get(operation.name)
    if (!isReply) return assert.ok(asStream(operation)?.media.gives, said)
    assert.ok(isReply(answer.body), `${said}\n${ajv.errorsText(isReply.errors)}`)
    return
  }
  assert.ok(isProblem(answer.body), said)
  const slug: ErrorSlug = answer.body.type.split('/').at(-1)
  assert.ok(answer.status < 500 || documented5xx.has(slug), said)
  assert.ok(
    statusesOf(slug).some((status) => status === answer.status),
    said,
  )
  assert.ok(problemsOf(operation).includes(slug), `${said}\n${slug} is not declared`)
}

/** Sends requests as a key or as the owner, whoever may call the operation. */
function senderAs({ team, key }: Fixtures): (sent: Sent, at: number) => Promise<Answer> {
  let owner = team.owner
  let signing_in: Promise<unknown> = Promise.resolve()
  return async ({ operation, route, options }, at) => {
    // A fresh proof of identity holds for 15 minutes.
    if (at % FRESH_REQUESTS === 0)
      signing_in = newSession(runtime, owner.email).then((session) => (owner = session))
    await signing_in
    return isForSessions(operation)
      ? owner.call(route, options)
      : runtime.call(route, { ...options, key })
  }
}

const BATCH = 100
/** Each batch moves the clock by a minute. */
const FRESH_REQUESTS = 10 * BATCH

test(
  `answers ${REQUESTS} random requests to ${tried.length} operations as declared`,
  { timeout: 600_000 },
  async (context) => {
    context.diagnostic(`seed ${seed}`)
    const fixtures = await newFixtures(runtime)
    const random = fc.sample(requests(fixtures), { numRuns: REQUESTS, seed })
    // What a request deletes is missing for those after it.
    const stream = random.toSorted((one, other) => Number(deletes(one)) - Number(deletes(other)))
    const seen = new Map<number, number>()
    const reached = new Set<string>()
    const send = senderAs(fixtures)
    for (let from = 0; from < stream.length; from += BATCH) {
      // A key and a person may send 120 requests a minute.
      runtime.passes('61 seconds')
      await Promise.all(
        stream.slice(from, from + BATCH).map(async (sent, index) => {
          const answer = await send(sent, from + index)
          seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1)
          if (answer.status < 300) reached.add(sent.operation.name)
          if (isForSessions(sent.operation)) assert.notEqual(answer.status, 401, sent.route)
          check(sent.operation, sent.route, answer)
        }),
      )
    }
    context.diagnostic(
      `answers by status: ${JSON.stringify(Object.fromEntries([...seen].toSorted()))}`,
    )
    const missed = tried.filter(({ name }) => !reached.has(name)).map(({ name }) => name)
    context.diagnostic(`never successful: ${missed.join(', ')}`)
    assert.ok((seen.get(200) ?? 0) > 100, 'some requests were right')
    assert.ok((seen.get(422) ?? 0) > 100, 'many were not')
  },
)

const deletes = ({ operation: { method, name } }: Sent) =>
  method === 'DELETE' || name === 'own_invitations.decline'
