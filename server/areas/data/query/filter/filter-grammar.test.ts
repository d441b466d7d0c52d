/** The filter grammar: valid filters, and the positions of errors. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { limits } from '../../../../contract/limits.ts'
import { Problem } from '../../../../contract/errors.ts'
import type { Filter, FilterTime } from './filter.ts'
import { parseFilter } from './filter-grammar.ts'

const now_ms = Date.UTC(2026, 10, 21, 23, 30)
const moment: FilterTime = { now_ms, timezone: 'UTC' }
const read = (text: string, at: FilterTime = moment) =>
  parseFilter({ text, parameter: 'filter', moment: at })

/** Writes a parsed filter in a compact form. */
function brief(filter: Filter): string {
  if ('parts' in filter) return `(${filter.parts.map(brief).join(` ${filter.is} `)})`
  if ('part' in filter) return `not ${brief(filter.part)}`
  const { is, field, ...rest } = filter
  const name = 'system' in field ? `$${field.system}` : field.path.join('/')
  return [name, is, ...Object.values(rest).map((one) => JSON.stringify(one))].join(' ')
}

function refusal(text: string): { column: number; expected: string; problem: Problem } {
  try {
    read(text)
  } catch (error) {
    assert.ok(error instanceof Problem, String(error))
    const { column, expected } = error.extra.fields ?? {}
    return { column: Number(column), expected: String(expected), problem: error }
  }
  throw new Error(`${text} was read.`)
}

suite('a filter', () => {
  const good: Record<string, string> = {
    'status = "open"': 'status equal {"value":"open"}',
    'total>=10': 'total order ">=" {"value":10}',
    'total < -2.5e3': 'total order "<" {"value":-2500}',
    'a != null': 'not a equal {"value":null}',
    'a = TRUE': 'a equal {"value":true}',
    'tags has "vip"': 'tags has "vip"',
    'status in ("a", 1, null)': 'status in [{"value":"a"},{"value":1},{"value":null}]',
    'status not in ("a")': 'not status in [{"value":"a"}]',
    'name contains "x"': 'name text "contains" "x"',
    'name starts with "x"': 'name text "starts with" "x"',
    'name ENDS WITH "x"': 'name text "ends with" "x"',
    'phone exists': 'phone exists',
    'not phone exists': 'not phone exists',
    'address.city = "Gouda"': 'address/city equal {"value":"Gouda"}',
    'address."zip code" = "1"': 'address/zip code equal {"value":"1"}',
    '"first name".x = 1': 'first name/x equal {"value":1}',
    'data.created_at = 1': 'created_at equal {"value":1}',
    'data.data.x = 1': 'data/x equal {"value":1}',
    'data = 1': 'data equal {"value":1}',
    'has = 1': 'has equal {"value":1}',
    'größe = 1': 'größe equal {"value":1}',
    'source = "form"': '$source equal {"value":"form"}',
    'version > 3': '$version order ">" {"value":3}',
    'a = "x\\"\\\\\\u00e9\\n"': 'a equal {"value":"x\\"\\\\é\\n"}',
    'a=1 and b=2 or c=3': '((a equal {"value":1} and b equal {"value":2}) or c equal {"value":3})',
    'a=1 and (b=2 or c=3)':
      '(a equal {"value":1} and (b equal {"value":2} or c equal {"value":3}))',
    'not (a=1 or not b=2)': 'not (a equal {"value":1} or not b equal {"value":2})',
    '\n a = 1\t': 'a equal {"value":1}',
  }
  for (const [text, tree] of Object.entries(good)) {
    test(`reads ${JSON.stringify(text)}`, () => assert.equal(brief(read(text)), tree))
  }

  test('reads @now, @today and dates, plus or minus a duration', () => {
    const at = (text: string, zone = 'UTC') => {
      const filter = read(`a > ${text}`, { now_ms, timezone: zone })
      assert.ok(filter.is === 'order' && 'time_ms' in filter.literal)
      return new Date(filter.literal.time_ms).toISOString()
    }
    assert.equal(at('@now'), '2026-11-21T23:30:00.000Z')
    assert.equal(at('@now - 7d'), '2026-11-14T23:30:00.000Z')
    assert.equal(at('@now-90m'), '2026-11-21T22:00:00.000Z')
    assert.equal(at('@now + 2w'), '2026-12-05T23:30:00.000Z')
    assert.equal(at('@now - 1y'), '2025-11-21T23:30:00.000Z')
    assert.equal(at('@NOW -1h'), '2026-11-21T22:30:00.000Z')
    assert.equal(at('@today'), '2026-11-21T00:00:00.000Z')
    assert.equal(at('@today', 'Europe/Amsterdam'), '2026-11-21T23:00:00.000Z')
    assert.equal(at('@today - 1d', 'America/New_York'), '2026-11-20T05:00:00.000Z')
    assert.equal(at('@2026-11-01'), '2026-11-01T00:00:00.000Z')
    assert.equal(at('@2026-07-01', 'Europe/Amsterdam'), '2026-06-30T22:00:00.000Z')
    assert.equal(at('@2026-11-01T10:00:00Z'), '2026-11-01T10:00:00.000Z')
    assert.equal(at('@2026-11-01T10:00:00.5+01:00'), '2026-11-01T09:00:00.500Z')
    assert.equal(at('@2026-11-01T10:00', 'Europe/Amsterdam'), '2026-11-01T09:00:00.000Z')
    assert.equal(at('@2026-11-01t10:00:00.1234567890z'), '2026-11-01T10:00:00.123Z')
    assert.equal(at('@0001-01-01'), '0001-01-01T00:00:00.000Z')
    assert.equal(at('@9999-12-31T23:59:59.999Z'), '9999-12-31T23:59:59.999Z')
    const quoted = read('created_at < "2025-11-29"', { now_ms, timezone: 'UTC' })
    assert.deepEqual(quoted, read('created_at < @2025-11-29', { now_ms, timezone: 'UTC' }))
  })
})

suite('an invalid filter', () => {
  const bad: [text: string, column: number, expected: RegExp][] = [
    ['', 1, /a field/],
    ['   ', 4, /a field/],
    ['status', 7, /a comparison/],
    ['status =', 9, /a value/],
    ['status = open', 10, /a text in double quotes/],
    ["status = 'open'", 10, /double quotes/],
    ['status == 1', 9, /a value/],
    ['status = "open', 10, /a second "/],
    ['é😀', 2, /a field, a comparison or a value/],
    ['name = "é😀" und b = 1', 13, /and, or, or the end/],
    ['a = 1 b = 2', 7, /and, or/],
    ['(a = 1', 7, /"\)"/],
    ['a = 1)', 6, /and, or/],
    ['a in 1', 6, /"\("/],
    ['a in ()', 7, /a value/],
    ['a in (1', 8, /"\)"/],
    ['a starts "x"', 10, /"with"/],
    ['a contains 5', 12, /a text in double quotes/],
    ['a > null', 5, /a number, a text or a time/],
    ['a has @now', 7, /a text, a number/],
    ['and = 1', 1, /a field/],
    ['null = 1', 1, /a field/],
    ['1 = 1', 1, /a field/],
    ['a. = 1', 2, /a field, a comparison/],
    ['a = 01', 5, /a number/],
    ['a = 1e999', 5, /a number that is not rounded; send this one as a string/],
    ['a in (1, 2033735037361704962)', 10, /send this one as a string/],
    ['a = "\\x"', 5, /\\" for a quote/],
    ['a = "\\u0000"', 5, /\\" for a quote/],
    ['a = "\\ud800"', 5, /\\" for a quote/],
    ['"" = 1', 1, /path of a field/],
    ['a > @yesterday', 5, /@now/],
    ['a > @2026-02-30', 5, /@now/],
    ['a > @2026-06-30T23:59:60Z', 5, /@now/],
    ['a > @0000-12-31', 5, /@now/],
    ['a > @0001-01-01T00:00:00+14:00', 5, /@now/],
    ['a > @9999-12-31T23:00:00-12:00', 5, /@now/],
    ['a > @now - 7', 12, /7d/],
    ['a > @now - 7x', 12, /7d/],
    ['a > @now - 999999999w', 12, /7d/],
    ['created_at > "yesterday"', 14, /@now.* for created_at/],
    ['created_at = null', 14, /for created_at/],
    ['version = "1"', 11, /a number for version/],
    ['source > 5', 10, /text in double quotes for source/],
    ['created_at contains "x"', 12, /another comparison/],
    ['version has 1', 9, /another comparison/],
    ['a = 1; drop table documents', 6, /a field, a comparison/],
  ]
  for (const [text, column, expected] of bad) {
    test(`${JSON.stringify(text)} is reported at column ${column}`, () => {
      const reported = refusal(text)
      assert.equal(reported.column, column, reported.expected)
      assert.match(reported.expected, expected)
      assert.equal(reported.problem.status, 400)
      assert.match(
        reported.problem.extra.user_message ?? '',
        /^The filter is not understood at character \d+/,
      )
    })
  }

  test('is one that exceeds the limits of length, comparisons, depth or list values', () => {
    const comparisons = (count: number) => Array.from({ length: count }, () => 'a=1').join(' or ')
    read(comparisons(limits.filter_comparisons_max))
    assert.match(refusal(comparisons(limits.filter_comparisons_max + 1)).expected, /at most 50/)
    const nested = (depth: number) => `${'('.repeat(depth)}a=1${')'.repeat(depth)}`
    read(nested(limits.filter_depth_max))
    assert.match(refusal(nested(limits.filter_depth_max + 1)).expected, /levels/)
    assert.match(refusal(`${'not '.repeat(900)}a=1`).expected, /levels/)
    const list = (count: number) => `a in (${Array.from({ length: count }, () => '1').join()})`
    read(list(limits.filter_list_values_max))
    assert.match(refusal(list(limits.filter_list_values_max + 1)).expected, /values in a list/)
    assert.match(
      refusal(`a = "${'x'.repeat(limits.filter_characters_max)}"`).expected,
      /characters/,
    )
  })

  test('is always 400: random text causes no other error', () => {
    const words = [
      'a',
      '=',
      '(',
      ')',
      '"x"',
      '@now',
      '-',
      '7d',
      'and',
      'not',
      'in',
      ',',
      '1',
      '"',
      '.',
      '@',
      '😀',
    ]
    const junk = fc.oneof(
      fc.array(fc.constantFrom(...words), { maxLength: 12 }).map((some) => some.join(' ')),
      fc.string({ unit: 'binary', maxLength: 30 }),
    )
    fc.assert(
      fc.property(junk, (text) => {
        try {
          read(text)
        } catch (error) {
          assert.ok(error instanceof Problem, String(error))
          const column = Number(error.extra.fields?.['column'])
          assert.ok(column >= 1 && column <= [...text].length + 1)
        }
      }),
      { numRuns: 3000 },
    )
  })

  test('is refused without backtracking', () => {
    for (const text of [
      '"'.repeat(3999),
      `"${'\\'.repeat(3990)}`,
      'a.'.repeat(1999),
      '@1-'.repeat(1300),
    ])
      refusal(text)
  })
})
