/** Tests that parameters survive a round trip to PostgreSQL. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { openBareFixture } from '../../../../test/fixtures/bare-runtime.ts'
import { encodeUuids } from './parameter.ts'

const fixture = await openBareFixture()
const { db } = fixture.openRuntime()
const text = fc.string({ unit: 'grapheme', maxLength: 40 }).map((one) => one.replaceAll('\0', ''))
const tricky = fc.constantFrom(
  '',
  'NULL',
  'null',
  '"',
  '\\',
  '{}',
  'a,b',
  ' ',
  '\\"',
  '{"a":"\\n"}',
)
const times = fc.date({
  min: new Date('0001-01-01T00:00:00.000Z'),
  max: new Date('9999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
})

async function first<T>(query: { execute(on: typeof db): Promise<{ rows: T[] }> }): Promise<T> {
  const { rows } = await query.execute(db)
  assert.equal(rows.length, 1)
  return rows[0]!
}

suite('a parameter', () => {
  test('returns an array of texts', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(text, tricky, fc.constant(null))), async (all) => {
        const { read } = await first(sql<{ read: unknown }>`select ${all}::text[] as read`)
        assert.deepEqual(read, all)
      }),
    ))

  test('returns an array of bytes', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.option(fc.uint8Array())), async (all) => {
        const bytes = all.map((one) => one && Buffer.from(one))
        const { read } = await first(sql<{ read: unknown }>`select ${bytes}::bytea[] as read`)
        assert.deepEqual(read, bytes)
      }),
    ))

  test('returns an array of UUIDs in its binary format', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.uuid()), async (ids) => {
        const sent = encodeUuids(ids)
        const { read } = await first(sql<{ read: unknown }>`select ${sent}::uuid[]::text[] as read`)
        assert.deepEqual(read, ids)
      }),
    ))

  test('returns bytes, given as a Buffer or another view', () =>
    fc.assert(
      fc.asyncProperty(fc.uint8Array(), async (all) => {
        const { read } = await first(sql<{ read: unknown }>`select ${all}::bytea as read`)
        assert.deepEqual(read, Buffer.from(all))
        const { same } = await first(
          sql<{ same: unknown }>`select ${Buffer.from(all)}::bytea = ${all}::bytea as same`,
        )
        assert.equal(same, true)
      }),
    ))

  test('returns a time with milliseconds, alone and in an array', () =>
    fc.assert(
      fc.asyncProperty(times, async (time) => {
        const { one, many } = await first(
          sql<{ one: unknown; many: unknown }>`
            select ${time}::timestamptz as one, ${[time, null, time]}::timestamptz[] as many`,
        )
        assert.deepEqual(one, time)
        assert.deepEqual(many, [time, null, time])
      }),
    ))

  test('returns numbers, booleans and JSON', async () => {
    const row = await first(
      sql<Record<string, unknown>>`select ${[1, null, -3]}::integer[] as integers,
        ${[true, false]}::boolean[] as booleans, ${[
          ['a', 'b'],
          ['c', null],
        ]}::text[] as nested,
        ${{ a: [1, 'ü"\\'] }}::jsonb as json, ${2n ** 62n}::bigint as large, ${1.5}::float8 as half,
        ${false}::boolean as no, ${undefined}::text as nothing, ${[1n, 2n]}::text[] as bigints`,
    )
    assert.deepEqual(row, {
      integers: [1, null, -3],
      booleans: [true, false],
      nested: [
        ['a', 'b'],
        ['c', null],
      ],
      json: { a: [1, 'ü"\\'] },
      large: 2n ** 62n,
      half: 1.5,
      no: false,
      nothing: null,
      bigints: ['1', '2'],
    })
  })
})

suite('a time parameter', () => {
  const moments = [
    '2026-11-02 09:00:00+00',
    '2026-11-02 09:00:00.1+00',
    '2026-11-02 09:00:00.123456+00',
    '2026-11-02 23:59:59.999999+00',
    '0099-01-01 00:00:00+00',
    '12026-01-01 00:00:00+00',
    '0044-03-15 12:00:00+00 BC',
  ]
  for (const zone of ['UTC', 'Asia/Kathmandu', 'America/St_Johns']) {
    test(`denotes the same moment with any offset, written in ${zone}`, async () => {
      await db.transact(async (tx) => {
        await sql`set local time zone ${sql.lit(zone)}`.execute(tx)
        for (const moment of moments) {
          const { rows } = await sql<{ at: Date; ms: string }>`
            select ${moment}::timestamptz as at,
              trunc(extract(epoch from ${moment}::timestamptz) * 1000)::text as ms`.execute(tx)
          assert.equal(rows[0]?.at.getTime(), Number(rows[0]?.ms), moment)
        }
      })
    })
  }
})
