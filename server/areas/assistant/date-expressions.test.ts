/** Tests of date expressions, relative to Saturday 21 November 2026. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languages, type Language } from '../../providers/model/language/language.ts'
import { findDates } from './date-expressions.ts'

const today = Temporal.PlainDate.from('2026-11-21')
const said: [Language, string, string[]][] = [
  ['nl', 'Zijn jullie vandaag open?', ['2026-11-21']],
  ['nl', 'En morgen?', ['2026-11-22']],
  ['nl', 'Kan ik overmorgen langskomen?', ['2026-11-23']],
  ['nl', 'Zaterdag open?', ['2026-11-21']],
  ['nl', 'op maandag of dinsdag', ['2026-11-23', '2026-11-24']],
  ['nl', 'in het weekend', ['2026-11-21', '2026-11-22']],
  ['nl', 'op 5 december', ['2026-12-05']],
  ['nl', 'op 5 januari', ['2027-01-05']],
  ['nl', 'eerste kerstdag', ['2026-12-25']],
  ['nl', 'tweede kerstdag', ['2026-12-26']],
  ['nl', 'de kerstdagen', ['2026-12-25', '2026-12-26']],
  ['nl', 'kerstavond', ['2026-12-24']],
  ['nl', 'met oud en nieuw', ['2026-12-31', '2027-01-01']],
  ['nl', 'met Pasen', ['2027-03-28']],
  ['nl', 'tweede paasdag', ['2027-03-29']],
  ['nl', 'Goedemorgen, wat kost een band?', []],
  ['en', 'Are you open tonight?', ['2026-11-21']],
  ['en', 'the day after tomorrow', ['2026-11-23']],
  ['en', 'on December 25th', ['2026-12-25']],
  ['en', 'on the 3rd of March', ['2027-03-03']],
  ['en', 'Mondays', ['2026-11-23']],
  ['en', "on New Year's Eve", ['2026-12-31']],
  ['en', 'Christmas Eve and Boxing Day', ['2026-12-24', '2026-12-26']],
  ['en', 'Good morning', []],
  ['de', 'Guten Morgen, wie geht es Ihnen?', []],
  ['de', 'Haben Sie morgen offen?', ['2026-11-22']],
  ['de', 'heute Morgen', ['2026-11-21']],
  ['de', 'am 3. Oktober', ['2027-10-03']],
  ['de', 'an Heiligabend', ['2026-12-24']],
  ['fr', "aujourd'hui", ['2026-11-21']],
  ['fr', 'après-demain', ['2026-11-23']],
  ['fr', 'le 1er janvier', ['2027-01-01']],
  ['fr', 'lundi de Pâques', ['2027-03-29']],
  ['es', 'pasado mañana', ['2026-11-23']],
  ['es', 'el 6 de enero', ['2027-01-06']],
  ['es', 'en Nochebuena', ['2026-12-24']],
  ['it', 'dopodomani', ['2026-11-23']],
  ['it', 'sabato o domenica', ['2026-11-21', '2026-11-22']],
  ['it', 'a Capodanno', ['2027-01-01']],
  ['nl', 'op 31 februari', []],
  ['nl', '', []],
]

for (const [language, text, dates] of said) {
  test(`reads ${language} "${text}" as ${dates.join(', ') || 'no date'}`, () => {
    assert.deepEqual(findDates(text, language, today), dates)
  })
}

test('the date reader computes Easter correctly for every year of the table', () => {
  // Dates from published church calendars.
  const easters = [
    '2024-03-31',
    '2025-04-20',
    '2026-04-05',
    '2028-04-16',
    '2035-03-25',
    '2038-04-25',
    '2049-04-18',
  ]
  for (const easter of easters) {
    const newYear = Temporal.PlainDate.from(`${easter.slice(0, 4)}-01-01`)
    assert.deepEqual(findDates('easter', 'en', newYear), [easter])
  }
})

test("the date reader treats Easter Monday as part of this year's Easter, on that Monday too", () => {
  assert.deepEqual(findDates('easter', 'en', Temporal.PlainDate.from('2026-04-06')), ['2026-04-05'])
  assert.deepEqual(findDates('easter', 'en', Temporal.PlainDate.from('2026-04-07')), ['2027-03-28'])
})

test('the date reader knows every weekday and month in every language', () => {
  for (const language of languages) {
    for (let day = 0; day < 7; day += 1) {
      const date = today.add({ days: day })
      const weekday = date.toLocaleString(language, { weekday: 'long' })
      assert.deepEqual(
        findDates(weekday, language, today),
        [date.toString()],
        `${language} ${weekday}`,
      )
    }
    for (let month = 1; month <= 12; month += 1) {
      const date = Temporal.PlainDate.from({ year: 2027, month, day: 9 }).add({
        years: month === 12 ? -1 : 0,
      })
      const text = date.toLocaleString(language, { day: 'numeric', month: 'long' })
      assert.deepEqual(findDates(text, language, today), [date.toString()], `${language} ${text}`)
    }
  }
})
