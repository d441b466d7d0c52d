/**
 * Compares site serving with the responses of nginx and Caddy to the same requests (recorded.json,
 * written by tools/record-conformance.ts). Each difference is listed here with its reason; an
 * unlisted difference fails, and so does a listed one that no longer exists.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import * as projects from '../../server/areas/projects/service.ts'
import { openTestRuntime } from '../fixtures/runtime.ts'
import { answerOf, files, requests, type ComparedResponse, type ServerAddress } from './requests.ts'

type Other = 'nginx' | 'caddy'
type Recorded = Record<Other, Record<string, ComparedResponse>>

const recorded: Recorded = JSON.parse(
  readFileSync(join(import.meta.dirname, 'recorded.json'), 'utf8'),
)

const redirects = 'One address for a file: others lead to it, so that links and caches agree.'
const reading = 'A site is read with GET and HEAD; what else is sent does not mean a file.'
const ignored = 'A range that is malformed or of another unit is ignored (RFC 9110, 14.2).'
const whole = 'Several parts at once are answered with all of it, which RFC 9110, 14.2 allows.'
const forGet = 'A range is defined for GET alone (RFC 9110, 14.2).'
const permanent = 'A redirect with 301, as nginx sends and crawlers know best; Caddy sends 308.'
const unreadable = 'An address that leads above the root or cannot be decoded is refused with 400.'
const folders = 'A folder is no secret and no page: without index.html nothing is there.'
const accents = 'The same letters in another Unicode form name the same file.'
const empty = 'Of nothing there is no first byte (RFC 9110, 14.1.2).'
const lastNone = 'No bytes at the end cannot be satisfied (RFC 9110, 14.1.2).'
const rangeless = 'A page that says that nothing is there has no parts.'

/** Reasons for differences, by request; `both` if one reason holds for nginx and Caddy. */
const differences: Record<string, Partial<Record<Other | 'both', string>>> = {
  'a page without its end, with a slash': { both: redirects },
  'a file with a slash': { nginx: redirects, caddy: permanent },
  'two slashes': { both: redirects },
  'a dot': { both: redirects },
  'two dots': { both: redirects },
  POST: { caddy: reading },
  PUT: { caddy: reading },
  DELETE: { caddy: reading },
  OPTIONS: { caddy: reading },
  'two ranges': { both: whole },
  'an end before its start': { both: ignored },
  'no numbers': { both: ignored },
  'another unit': { caddy: ignored },
  'HEAD with a range': { both: forGet },
  'a folder without its slash': { caddy: permanent },
  'a folder without its slash, with a query': { caddy: permanent },
  'HEAD of a folder without its slash': { caddy: permanent },
  'a folder without a page': { nginx: folders },
  'a folder without a page and slash': { nginx: folders },
  'an accent in two characters': { both: accents },
  'two dots above the root': { caddy: unreadable },
  'escaped dots above the root': { caddy: unreadable },
  'an escape that is no UTF-8': { both: unreadable },
  'a NUL': { caddy: unreadable },
  'a range of an empty file': { nginx: empty },
  'a range of nothing': { caddy: rangeless },
  'no last bytes': { caddy: lastNone },
}

/** The fields to compare, without those that differ for a reason common to all requests. */
function comparable(answer: ComparedResponse): object {
  const { type, has_etag, ...rest } = answer
  return {
    ...rest,
    // JavaScript has two media types, and JSON needs no charset (RFC 8259, section 11).
    type: type
      ?.replace('application/javascript', 'text/javascript')
      .replace(/^(application\/json|image\/svg\+xml);charset=utf-8$/, '$1'),
    has_etag: answer.status === 200 || answer.status === 206 ? has_etag : null,
  }
}

const runtime = await openTestRuntime({ work: false })
let place: ServerAddress

before(async () => {
  await projects.change(runtime.runtime.db, runtime.project_id, { phone_verified: true })
  const given = Object.entries(files).map(([path, content]) => ({ path, content }))
  const { status, body, text } = await runtime.call('POST /sites', {
    body: { slug: 'conformance', files: given },
  })
  assert.equal(status, 201, text)
  place = { port: Number(new URL(runtime.url).port), host: new URL(body.url).host }
})

describe('responses equal those of nginx and Caddy, or differ for a listed reason', () => {
  for (const [name, asked] of Object.entries(requests)) {
    test(name, async () => {
      const ours = comparable(await answerOf(place, asked))
      for (const other of ['nginx', 'caddy'] as const) {
        const theirs = recorded[other][name]
        assert(theirs, 'It is recorded; if not, run tools/record-conformance.ts.')
        const reason = differences[name]?.[other] ?? differences[name]?.both
        const said = `${JSON.stringify(ours)} beside ${other}: ${JSON.stringify(theirs)}`
        if (reason === undefined) assert.deepEqual(ours, comparable(theirs), said)
        else assert.notDeepEqual(ours, comparable(theirs), `No difference any more: ${said}`)
      }
    })
  }
})

test('no recording and no reason is left without a request', () => {
  const names = Object.keys(requests)
  assert.deepEqual(Object.keys(recorded.nginx), names)
  assert.deepEqual(Object.keys(recorded.caddy), names)
  assert.deepEqual(
    Object.keys(differences).filter((name) => !names.includes(name)),
    [],
  )
})
