/** Tests of schedules, templates and conditions. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseFilter } from '../../data/service.ts'
import { nextTime, readCron } from '../../../kernel/values/cron.ts'
import { matches } from './match.ts'
import { fillTemplates, findUnknownTemplates, InsertedTooLarge } from './template.ts'

describe('a schedule', () => {
  const next = (cron: string, after: string, timezone = 'UTC') => {
    const schedule = readCron(cron)
    assert.ok(typeof schedule !== 'string', String(schedule))
    return nextTime(schedule, timezone, new Date(after))?.toISOString()
  }

  test('gives the next time in its zone', () => {
    for (const [cron, after, timezone, expected] of [
      ['0 8 * * *', '2026-11-21T08:00:00Z', 'UTC', '2026-11-22T08:00:00.000Z'],
      ['0 8 * * *', '2026-11-21T06:59:59Z', 'Europe/Amsterdam', '2026-11-21T07:00:00.000Z'],
      ['*/15 9-17 * * mon-fri', '2026-11-20T17:50:00Z', 'UTC', '2026-11-23T09:00:00.000Z'],
      ['30 7 1 jan *', '2026-11-21T00:00:00Z', 'UTC', '2027-01-01T07:30:00.000Z'],
      ['0 0 13 * 5', '2026-11-01T00:00:00Z', 'UTC', '2026-11-06T00:00:00.000Z'],
      ['0 0 29 2 *', '2026-11-21T00:00:00Z', 'UTC', '2028-02-29T00:00:00.000Z'],
      ['0 9 * * 7', '2026-11-21T00:00:00Z', 'UTC', '2026-11-22T09:00:00.000Z'],
    ] as const) {
      assert.equal(next(cron, after, timezone), expected, cron)
    }
  })

  test('moves a time that a clock change skips forward, and runs a repeated time once', () => {
    const zone = 'Europe/Amsterdam'
    assert.equal(next('30 2 * * *', '2026-03-28T12:00:00Z', zone), '2026-03-29T01:30:00.000Z')
    const first = next('30 2 * * *', '2026-10-24T12:00:00Z', zone)
    assert.equal(first, '2026-10-25T00:30:00.000Z')
    assert.equal(next('30 2 * * *', first!, zone), '2026-10-26T01:30:00.000Z')
  })

  test('refuses an invalid schedule', () => {
    for (const cron of ['', '* * * *', '60 * * * *', '5-1 * * * *', '*/0 * * * *', '0 0 30 2 *']) {
      assert.equal(typeof readCron(cron), 'string', cron)
    }
  })
})

describe('a template', () => {
  const context = { event: { data: { n: 7, list: ['a'], text: '{{input.x}}' } }, input: {} }

  test('keeps the type of its value if it is the whole text, else inserts text', () => {
    const filled = fillTemplates(
      {
        n: '{{event.data.n}}',
        text: 'n is {{ event.data.n }}',
        deep: [{ first: '{{event.data.list.0}}' }],
        missing: '{{event.data.nothing}}',
        empty: 'x{{event.data.nothing}}y',
      },
      context,
      100,
    )
    assert.deepEqual(filled, {
      n: 7,
      text: 'n is 7',
      deep: [{ first: 'a' }],
      missing: null,
      empty: 'xy',
    })
  })

  test('in an inserted value stays text, and inherited properties are not read', () => {
    const given = { a: '{{event.data.text}}', b: '{{event.constructor.name}}' }
    assert.deepEqual(fillTemplates(given, context, 100), { a: '{{input.x}}', b: null })
  })

  test('with * inserts every value of a list: as a list, or as lines within a text', () => {
    const data = [{ name: 'Anna', guests: 4 }, { name: 'Bo' }, {}]
    const given = { all: '{{event.data.*.name}}', text: 'New:\n{{event.data}}' }
    assert.deepEqual(fillTemplates(given, { event: { data } }, 100), {
      all: ['Anna', 'Bo', undefined],
      text: 'New:\n- name: Anna, guests: 4\n- name: Bo\n- ',
    })
  })

  test('is refused if its inserted values together are too large, also if one value is repeated', () => {
    const long = { input: { text: 'x'.repeat(60) } }
    assert.throws(() => fillTemplates('a{{input.text}}{{input.text}}', long, 100), InsertedTooLarge)
    assert.throws(() => fillTemplates(['{{input}}', '{{input}}'], long, 100), InsertedTooLarge)
  })

  test('with an unknown name is found', () => {
    const wrong = ['{{env.HOME}}', '{{event.data.x()}}', '{{event.data.ok}} {{nope}}']
    assert.deepEqual(findUnknownTemplates(wrong), ['env.HOME', 'event.data.x()', 'nope'])
  })
})

test('a condition compares values as a filter of documents does', () => {
  const values = { a: { n: 5, text: 'Bread', tags: ['x'], at: '2026-11-20' }, none: null }
  const moment = { now_ms: Date.UTC(2026, 10, 21), timezone: 'UTC' }
  for (const [text, expected] of [
    ['a.n > 4 and a.n <= 5', true],
    ['a.n > "4"', false],
    ['not a.n = 5 or a.text starts with "Br"', true],
    ['a.text contains "bread"', false],
    ['a.tags has "x"', true],
    ['none = null and a.zero = null', true],
    ['a.n exists and not none exists', true],
    ['a.n in (1, 5)', true],
    ['a.at < @now - 12h', true],
    ['a.total != 7', true],
  ] as const) {
    const filter = parseFilter({ text, parameter: 'when', moment })
    assert.equal(matches(filter, values, 'UTC'), expected, text)
  }
})
