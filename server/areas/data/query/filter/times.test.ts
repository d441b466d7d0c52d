/** Edge cases of times: JavaScript and PostgreSQL agree, and no input causes a server error. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { newFixture, slugOf } from '../../../../../test/fixtures/data/data.ts'
import { startOfDay, timeOf } from './times.ts'

const { runtime, newCollection } = await newFixture()
const { db } = runtime.runtime

const outside: [time: string, timezone: string][] = [
  ['@0001-01-01', 'Europe/Amsterdam'],
  ['@0001-01-01T00:00:00+14:00', 'UTC'],
  ['@9999-12-31T23:00:00-12:00', 'UTC'],
  ['@9999-12-31T23:00', 'America/New_York'],
]

suite('a time outside the years 1 to 9999 in UTC', () => {
  for (const [time, timezone] of outside) {
    for (const field of ['t', 'created_at']) {
      test(`${field} > ${time} in ${timezone}: 400 invalid_parameter with its column`, async () => {
        const { call } = await newCollection({ indexes: ['t'] })
        await call('POST /documents', { t: '2026-11-01' })
        const filter = `${field} > ${time}`
        const asked = new URLSearchParams({ filter, timezone })
        const answers = [
          await call(`GET /documents?${asked}`),
          await call('POST /documents/query', { filter, timezone }),
          await call('POST /documents/query', { having: `count > ${time}`, timezone }),
        ]
        for (const answer of answers) {
          assert.deepEqual([answer.status, slugOf(answer)], [400, 'invalid_parameter'], answer.text)
          const { parameter, column } = answer.body
          assert.equal(column, parameter === 'having' ? 9 : filter.length - time.length + 1)
        }
      })
    }
  }

  test('is refused in an export too', async () => {
    const { call } = await newCollection()
    const filter = 'created_at > @0001-01-01T00:00:00+14:00'
    const asked = new URLSearchParams({ filter, format: 'ndjson' })
    const answer = await call(`GET /documents/export?${asked}`)
    assert.deepEqual([answer.status, answer.body.column], [400, 14])
  })
})

suite('a time without a zone', () => {
  test('is found by its local date and time, even in the hours of a clock change', async () => {
    const { call } = await newCollection()
    const timezone = 'Europe/Amsterdam'
    for (const [t, moment] of [
      ['2026-10-25T02:30', '2026-10-25T01:30:00Z'],
      ['2026-03-29T02:30', '2026-03-29T01:30:00Z'],
    ] as const) {
      await call('POST /documents', { t })
      for (const time of [t, moment]) {
        const asked = new URLSearchParams({ filter: `t = @${time}`, timezone, count: 'true' })
        assert.equal((await call(`GET /documents?${asked}`)).body.count, 1, time)
      }
    }
  })

  test('is the same moment as in PostgreSQL, around every clock change', async () => {
    for (const timezone of zones) {
      const texts = timesAround(timezone)
      const { rows } = await sql<{ text: string; ms: number }>`
        select text, extract(epoch from text::timestamp at time zone ${timezone}::text)::float8 * 1000
          as ms from unnest(${texts}::text[]) as text
      `.execute(db)
      assert.ok(rows.length > 500, timezone)
      for (const { text, ms } of rows) assert.equal(timeOf(text, timezone), ms, text)
    }
  })

  test('equals @today on the local date of today, even if midnight occurs twice', () => {
    const timezone = 'America/Havana'
    const now_ms = Date.parse('2026-11-01T12:00:00Z')
    assert.equal(startOfDay({ now_ms, timezone }), timeOf('2026-11-01', timezone))
  })
})

// Zones with half and quarter hour offsets, clock changes at midnight, and common ones.
const zones = [
  'Europe/Amsterdam',
  'Europe/Dublin',
  'America/New_York',
  'America/Havana',
  'America/Santiago',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Asia/Beirut',
]

function timesAround(timezone: string): string[] {
  const texts: string[] = []
  let at = Temporal.Instant.from('1990-01-01T00:00Z').toZonedDateTimeISO(timezone)
  for (;;) {
    const next = at.getTimeZoneTransition('next')
    if (!next || next.year > 2037) return texts
    at = next
    for (let minutes = -120; minutes <= 120; minutes += 15)
      texts.push(at.toPlainDateTime().add({ minutes }).toString())
  }
}
