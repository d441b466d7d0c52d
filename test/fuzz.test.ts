/**
 * Sends random requests to every operation: a valid request with one part replaced by near-valid
 * values, wrong types, hostile texts or unknown ids. A key calls the API; a session of the owner
 * calls the operations for people. The valid request must succeed, no reply is a 5xx, and every
 * reply has its declared shape. The test prints its seed; HOMEPORT_FUZZ_SEED repeats a run.
 */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import fc from 'fast-check'
import { depth } from './fixtures/depth.ts'
import { operations, peopleOperations } from '../server/app.ts'
import type { ErrorSlug } from '../server/contract/error-catalogue.ts'
import { ProblemSchema, statusesOf } from '../server/contract/errors.ts'
import { mediaOf } from '../server/contract/operations/streams.ts'
import type { Operation } from '../server/contract/operation.ts'
import { listProblems } from '../server/edges/describe/problems-of.ts'
import { anyValue, changeOnePart, oddTexts } from './fixtures/data/odd-values.ts'
import { openTestRuntime, type Answer } from './fixtures/runtime.ts'
import { newAddress } from './fixtures/sites/site.ts'
import { newPlace, type Asked } from './query-counts/scenario.ts'
import { scenarioOf } from './query-counts/scenario-of.ts'

const seed = Number(process.env['HOMEPORT_FUZZ_SEED'] ?? Date.now() % 2 ** 31)

const all = [...operations, ...peopleOperations]
/** Excludes endless streams. */
const tried = all.filter((operation) => !mediaOf(operation)?.endless)
const requestsEach = depth(12, 79)

const runtime = await openTestRuntime({ work: false })
const ajv = new Ajv2020({ strict: false })
for (const [name, format] of Object.entries(fullFormats)) ajv.addFormat(name, format)
const isProblem = ajv.compile(ProblemSchema)
const repliesTo = new Map<string, ValidateFunction>(
  all.flatMap(({ name, reply }) => (reply ? [[name, ajv.compile(reply)]] : [])),
)
const seen = new Map<number, number>()

type Send = (asked: Asked) => Promise<Answer>

/**
 * Returns a function that creates a new valid request of the operation at each call, and one that
 * sends it.
 */
async function fixtureOf(operation: Operation): Promise<{ ask(): Promise<Asked>; send: Send }> {
  const scenario = scenarioOf(operation)
  const place = await newPlace(runtime)
  const ready = await scenario.ready(place, scenario.rows?.[0] ?? 1)
  let turn = 0
  return {
    ask: async () => ready((turn += 1)),
    send: ({ route, session, ...options }) =>
      session
        ? session.call(route, {
            body: options.body,
            ...(typeof options.raw === 'string' && { raw: options.raw }),
            ...(options.headers && { headers: options.headers }),
          })
        : runtime.call(route, { key: place.key, ...options }),
  }
}

/**
 * The path with other ids. The project id stays, because an unknown project hides all other checks.
 */
function withIds(path: string, { operation, id }: { operation: Operation; id: string }): string {
  const template = operation.path.split('/')
  const parts = path.split('/')
  const changed = parts.map((part, at) => {
    const parameter = template[Math.min(at, template.length - 1)] ?? ''
    return parameter.startsWith('{') && parameter !== '{project_id}' ? encodeURIComponent(id) : part
  })
  return changed.join('/')
}

/** The valid query with random values for its parameters and for one unknown parameter. */
function queries(valid: string, { query }: Operation): fc.Arbitrary<string> {
  const names = [...Object.keys(query?.properties ?? {}), 'x']
  const values = fc.oneof(
    fc.constantFrom('1', '100', '020', 'national', 'email', 'true'),
    oddTexts.map(encodable),
  )
  return fc.dictionary(fc.constantFrom(...names), values, { maxKeys: 2 }).map((changed) =>
    new URLSearchParams({
      ...Object.fromEntries(new URLSearchParams(valid)),
      ...changed,
    }).toString(),
  )
}

/** Replacements of the valid body; undefined sends no body. */
function bodies({ body, raw }: Asked): fc.Arbitrary<string | Uint8Array | undefined> {
  if (raw !== undefined) return fc.oneof(fc.constant(raw), oddTexts, anyValue.map(jsonOf))
  return body === undefined ? fc.constant(undefined) : changeOnePart(body).map(jsonOf)
}

/**
 * Gives a page visitor a new IP address, because one address may send only a few forms a minute.
 */
function fromAnotherAddress(asked: Asked): Asked {
  if (!asked.headers?.['x-forwarded-for']) return asked
  return { ...asked, headers: { ...asked.headers, 'x-forwarded-for': newAddress() } }
}

const jsonOf = (value: unknown) => JSON.stringify(value) ?? ''

function requests(operation: Operation, valid: Asked): fc.Arbitrary<Asked> {
  const [method = '', address = ''] = valid.route.split(' ')
  const [path = '', query = ''] = address.split('?')
  const id = fc.oneof(
    { weight: 6, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.uuid() },
    { weight: 1, arbitrary: oddTexts.map(encodable) },
  )
  return fc
    .record({
      id,
      query: fc.oneof(fc.constant(query), queries(query, operation)),
      raw: bodies(valid),
      key: oddTexts.map(asciiOnly),
      version: fc.constantFrom('"0"', '"1"', '*', 'x'),
    })
    .map(({ id: other, query: asked, raw, key, version }) => {
      const { body: _body, raw: _raw, ...rest } = valid
      const changed = other === null ? path : withIds(path, { operation, id: other })
      return {
        ...rest,
        route: `${method} ${changed}${asked === '' ? '' : `?${asked}`}`,
        ...(raw === undefined ? {} : { raw }),
        headers: {
          'idempotency-key': key || `k${Math.abs(hash(String(raw)))}`,
          ...valid.headers,
          ...(operation.headers?.etag ? { 'if-match': version } : {}),
        },
      }
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
  seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1)
  const said = `${route} → ${answer.status} ${answer.text.slice(0, 500)} (seed ${seed})`
  if (answer.status === 204) return assert.equal(answer.text, '', said)
  if (answer.status < 300) {
    // File downloads have no schema.
    const isReply = repliesTo.get(operation.name)
    if (!isReply) return assert.ok(mediaOf(operation)?.gives, said)
    assert.ok(isReply(answer.body), `${said}\n${ajv.errorsText(isReply.errors)}`)
    return
  }
  assert.ok(isProblem(answer.body), said)
  const slug: ErrorSlug = answer.body.type.split('/').at(-1)
  assert.ok(answer.status < 500, said)
  assert.ok(
    statusesOf(slug).some((status) => status === answer.status),
    said,
  )
  assert.ok(listProblems(operation).includes(slug), `${said}\n${slug} is not declared`)
}

describe(`${requestsEach} random requests to each operation get an answer as declared`, () => {
  for (const operation of tried) {
    test(operation.name, async () => {
      // Rate limits count sign-ins of one network and requests of one key per minute.
      runtime.passes('61 seconds')
      const { ask, send } = await fixtureOf(operation)
      const valid = await ask()
      const answer = await send(valid)
      assert.ok(answer.status < 300, `${valid.route}: ${answer.status} ${answer.text}`)
      check(operation, valid.route, answer)
      runtime.passes('61 seconds')
      const random = fc.sample(requests(operation, await ask()), { numRuns: requestsEach, seed })
      await Promise.all(
        random.map(async (asked) => {
          const reply = await send(fromAnotherAddress(asked))
          if (asked.session) assert.notEqual(reply.status, 401, asked.route)
          check(operation, asked.route, reply)
        }),
      )
    })
  }

  test('refuses many of the random bodies', () => {
    assert.ok((seen.get(422) ?? 0) > 100)
  })
})

after(() => {
  const counts = Object.fromEntries([...seen].toSorted())
  console.info(`fuzz seed ${seed}, answers by status: ${JSON.stringify(counts)}`)
})
