/**
 * Filters and documents for tests: made at random, written as text, and answered by a plain
 * reading of what the grammar promises, which knows nothing of SQL.
 */
import fc from 'fast-check'
import { isDeepStrictEqual } from 'node:util'
import type { DocumentRow } from '../../server/areas/data/document-store.ts'
import { valueAt, writeFieldPath } from '../../server/areas/data/field-path.ts'
import type { Field, Filter, Literal, Moment } from '../../server/areas/data/query/filter.ts'

const long = 'é'.repeat(120)
const scalars: readonly (string | number | boolean | null)[] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  1.5,
  10,
  1e21,
  -1e300,
  5e-324,
  0.1,

  '',
  'a',
  'A',
  'ab',
  'b',
  'é',
  'z',
  'Z',
  '\u{10000}',
  '\uffff',
  '10',
  'true',
  'null',
  'a"b\\c',
  '%',
  "' or 1=1 --",
  '$1',
  'open',
  `${long}a`,
  `${long}b`,
  'x\ny',
  '2026-11-01',
  '2026-11-01T00:00:00Z',
  '2026-11-01T01:00:00+01:00',
  '2026-10-31T23:59:59.999Z',
  '2026-02-30',
  '2024-02-29',
  '2025-02-29',
  '0000-01-01',
  '2026-11-01T24:00:00Z',
  '2026-11-01T10:00',
  '2026-11-01 10:00',
  '2026-11-01T10:00:00.123456Z',
  '9999-12-31T23:59:59-14:00',
  '1900-02-29',
  '2000-02-29T00:00:00Z',
  '2026-11-01T10:00:60Z',
  '2026-13-01',
  '0001-01-01T00:00:00+14:00',
  '2026-10-25T02:30',
  '2026-03-29T02:30:00',
  '2026-11-01t10:00:00.12300000000z',
]
const times = [
  '2026-11-01T00:00:00Z',
  '2024-02-29T00:00:00Z',
  '2026-11-01T10:00:00.123Z',
  // What clocks in Amsterdam show twice and never.
  '2026-10-25T00:30:00Z',
  '2026-10-25T01:30:00Z',
  '2026-03-29T00:30:00Z',
  '2026-03-29T01:30:00Z',
]

const scalar = fc.constantFrom(...scalars)
const value = fc.oneof(
  { weight: 6, arbitrary: scalar },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom({}, { x: 'a' }, [['a']], [{ x: 1 }], [[]]) },
)

export const document = fc.record({
  data: fc.record(
    {
      a: value,
      b: value,
      tags: fc.array(scalar, { maxLength: 4 }),
      'zip "code"': value,
      n: fc.oneof(value, fc.record({ x: value, 0: value }, { requiredKeys: [] })),
      data: fc.record({ created_at: value }),
      created_at: value,
    },
    { requiredKeys: [] },
  ),
  created_at: fc.constantFrom(...times).map((text) => new Date(text)),
  source: fc.constantFrom('api', 'form', 'import' as const),
  version: fc.constantFrom(1, 2, 10),
})

const path = fc.constantFrom(
  ['a'],
  ['b'],
  ['tags'],
  ['zip "code"'],
  ['n'],
  ['n', 'x'],
  ['n', '0'],
  ['a', 'b', 'c'],
  ['data', 'created_at'],
  ['created_at'],
  ['missing'],
)
const dataField = path.map((parts): Field => ({ path: parts }))

const textLiteral = scalar.filter((one) => typeof one === 'string')
const numberLiteral = scalar.filter((one) => typeof one === 'number')
const timeLiteral = fc
  .constantFrom(...times)
  .map((text): Literal => ({ time_ms: new Date(text).getTime() }))
const literal = fc.oneof(
  { weight: 4, arbitrary: scalar.map((one): Literal => ({ value: one })) },
  { weight: 1, arbitrary: timeLiteral },
)
const ordered = fc.oneof(
  textLiteral.map((one): Literal => ({ value: one })),
  numberLiteral.map((one): Literal => ({ value: one })),
  timeLiteral,
)
const order = fc.constantFrom('<', '<=', '>', '>=')
const test = fc.constantFrom('contains', 'starts with', 'ends with')
const is = <Name extends string>(name: Name) => fc.constant(name)

const systemLeaf = fc.oneof(
  fc.constantFrom('created_at', 'updated_at').chain((system) =>
    fc.oneof(
      fc.record({
        is: is('order'),
        field: is(system).map((one) => ({ system: one })),
        order,
        literal: timeLiteral,
      }),
      fc.record({
        is: is('equal'),
        field: is(system).map((one) => ({ system: one })),
        literal: timeLiteral,
      }),
    ),
  ),
  fc.record({
    is: is('order'),
    field: fc.constant({ system: 'version' }),
    order,
    literal: fc.constantFrom(1, 1.5, 2).map((one) => ({ value: one })),
  }),
  fc.record({
    is: is('in'),
    field: fc.constant({ system: 'source' }),
    literals: fc.array(
      fc.constantFrom('api', 'form', 'x').map((one) => ({ value: one })),
      {
        minLength: 1,
        maxLength: 2,
      },
    ),
  }),
  fc.record({
    is: is('text'),
    field: fc.constant({ system: 'source' }),
    test,
    text: fc.constantFrom('a', 'i'),
  }),
  fc.record({
    is: is('equal'),
    field: fc.constant({ system: 'id' }),
    literal: textLiteral.map((one) => ({ value: one })),
  }),
  fc.record({ is: is('exists'), field: fc.constant({ system: 'id' }) }),
)

const dataLeaf = fc.oneof(
  fc.record({ is: is('equal'), field: dataField, literal }),
  fc.record({ is: is('order'), field: dataField, order, literal: ordered }),
  fc.record({
    is: is('in'),
    field: dataField,
    literals: fc.array(literal, { minLength: 1, maxLength: 4 }),
  }),
  fc.record({ is: is('has'), field: dataField, value: scalar }),
  fc.record({ is: is('text'), field: dataField, test, text: textLiteral }),
  fc.record({ is: is('exists'), field: dataField }),
)

export const filter: fc.Arbitrary<Filter> = fc.letrec<{ filter: any }>((tie) => ({
  filter: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 5, arbitrary: dataLeaf },
    { weight: 1, arbitrary: systemLeaf },
    fc.record({
      is: fc.constantFrom('and', 'or'),
      parts: fc.array(tie('filter'), { minLength: 2, maxLength: 3 }),
    }),
    fc.record({ is: is('not'), part: tie('filter') }),
  ),
})).filter

/** A filter as one would write it. */
export function write(filter: Filter): string {
  switch (filter.is) {
    case 'and':
    case 'or':
      return filter.parts
        .map((part) => ('parts' in part ? `(${write(part)})` : write(part)))
        .join(` ${filter.is} `)
    case 'not':
      if (filter.part.is === 'equal') {
        return `${nameOf(filter.part.field)} != ${writeLiteral(filter.part.literal)}`
      }
      return `not ${'parts' in filter.part ? `(${write(filter.part)})` : write(filter.part)}`
    case 'equal':
      return `${nameOf(filter.field)} = ${writeLiteral(filter.literal)}`
    case 'order':
      return `${nameOf(filter.field)} ${filter.order} ${writeLiteral(filter.literal)}`
    case 'in':
      return `${nameOf(filter.field)} in (${filter.literals.map(writeLiteral).join(', ')})`
    case 'has':
      return `${nameOf(filter.field)} has ${JSON.stringify(filter.value)}`
    case 'text':
      return `${nameOf(filter.field)} ${filter.test} ${JSON.stringify(filter.text)}`
    case 'exists':
      return `${nameOf(filter.field)} exists`
  }
}

function nameOf(field: Field): string {
  if ('system' in field) return field.system
  const name = writeFieldPath(field.path)
  return name === 'created_at' ? 'data.created_at' : name
}

function writeLiteral(literal: Literal): string {
  return 'value' in literal
    ? JSON.stringify(literal.value)
    : `@${new Date(literal.time_ms).toISOString()}`
}

/** Whether a document matches, told plainly. */
export function matches(row: DocumentRow, filter: Filter, moment: Moment): boolean {
  if ('parts' in filter) {
    const one = (part: Filter) => matches(row, part, moment)
    return filter.is === 'and' ? filter.parts.every(one) : filter.parts.some(one)
  }
  if (filter.is === 'not') return !matches(row, filter.part, moment)
  const { field } = filter
  const value = 'system' in field ? row[field.system] : valueAt(row.data, field.path)
  switch (filter.is) {
    case 'equal':
      return equals(value, filter.literal, moment)
    case 'in':
      return filter.literals.some((one) => equals(value, one, moment))
    case 'order':
      return holds(comparison(value, filter.literal, moment), filter.order)
    case 'has':
      return Array.isArray(value) && value.some((one) => one === filter.value)
    case 'text':
      return typeof value === 'string' && passes(value, filter.test, filter.text)
    case 'exists':
      return value !== undefined && value !== null
  }
}

function equals(value: unknown, literal: Literal, moment: Moment): boolean {
  if ('time_ms' in literal) return comparison(value, literal, moment) === 0
  return isDeepStrictEqual(value ?? null, literal.value)
}

/** Negative, zero or positive; null where the two have no order. */
function comparison(value: unknown, literal: Literal, { timezone }: Moment): number | null {
  if ('time_ms' in literal) {
    const micro = value instanceof Date ? BigInt(value.getTime()) * 1000n : microOf(value, timezone)
    return micro === null ? null : compare(micro, BigInt(literal.time_ms) * 1000n)
  }
  if (typeof value === 'number' && typeof literal.value === 'number')
    return compare(value, literal.value)
  if (typeof value !== 'string' || typeof literal.value !== 'string') return null
  return Buffer.compare(Buffer.from(value), Buffer.from(literal.value))
}

function compare<T extends number | bigint>(one: T, other: T): number {
  return one < other ? -1 : one > other ? 1 : 0
}

function microOf(value: unknown, timezone: string): bigint | null {
  const text = typeof value === 'string' ? value.toUpperCase().replace(/(\.\d{9})\d+/, '$1') : ''
  if (!/^\d{4}-\d\d-\d\d(T\d\d:\d\d(:[0-5]\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/.test(text)) return null
  try {
    const clock = /T([01]\d|2[0-3])/.test(text) || !text.includes('T')
    const date = Temporal.PlainDate.from(text.slice(0, 10), { overflow: 'reject' })
    if (!clock || date.year === 0) return null
    if (/(Z|[+-]\d\d:\d\d)$/.test(text) && text.includes('T'))
      return Temporal.Instant.from(text).epochNanoseconds / 1000n
    const disambiguation = 'later'
    const time = Temporal.PlainDateTime.from(text).toZonedDateTime(timezone, { disambiguation })
    return time.epochNanoseconds / 1000n
  } catch {
    return null
  }
}

function holds(result: number | null, order: string): boolean {
  if (result === null) return false
  if (order === '<') return result < 0
  if (order === '<=') return result <= 0
  return order === '>' ? result > 0 : result >= 0
}

function passes(value: string, test: string, text: string): boolean {
  if (test === 'contains') return value.includes(text)
  return test === 'starts with' ? value.startsWith(text) : value.endsWith(text)
}
