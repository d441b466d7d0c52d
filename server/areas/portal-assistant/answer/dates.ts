/** Dates in a sentence in English or Dutch, as calendar days. */

const months = [
  ['january', 'jan', 'januari'],
  ['february', 'feb', 'februari'],
  ['march', 'mar', 'maart', 'mrt'],
  ['april', 'apr'],
  ['may', 'mei'],
  ['june', 'jun', 'juni'],
  ['july', 'jul', 'juli'],
  ['august', 'aug', 'augustus'],
  ['september', 'sep', 'sept'],
  ['october', 'oct', 'oktober', 'okt'],
  ['november', 'nov'],
  ['december', 'dec'],
] as const

const monthWords = months.flat().join('|')
const iso = /\b(\d{4})-(\d{2})-(\d{2})\b/g
const european = /\b(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})\b/g
const dayFirst = new RegExp(
  `\\b(\\d{1,2})(?:st|nd|rd|th)? (${monthWords})\\b(?:,? (\\d{4}))?`,
  'gi',
)
const monthFirst = new RegExp(
  `\\b(${monthWords}) (\\d{1,2})(?:st|nd|rd|th)?\\b(?:,? (\\d{4}))?`,
  'gi',
)
const relative: readonly (readonly [RegExp, days: number])[] = [
  [/\b(?:day after tomorrow|overmorgen)\b/i, 2],
  [/\b(?:today|vandaag)\b/i, 0],
  [/\b(?:tomorrow|morgen)\b/i, 1],
  [/\b(?:yesterday|gisteren)\b/i, -1],
]

/** Returns the days in the text, in the order of their kinds. `today` is a day such as 2026-12-31. */
export function readDates(text: string, today: string): string[] {
  const found = [
    ...[...text.matchAll(iso)].map(([, year, month, day]) => dayOf(year, month, day)),
    ...[...text.matchAll(european)].map(([, day, month, year]) => dayOf(year, month, day)),
    ...[...text.matchAll(dayFirst)].map(([, day, month, year]) =>
      named({ day, month, year }, today),
    ),
    ...[...text.matchAll(monthFirst)].map(([, month, day, year]) =>
      named({ day, month, year }, today),
    ),
    ...relative.flatMap(([pattern, days]) => (pattern.test(text) ? [shift(today, days)] : [])),
  ]
  return [...new Set(found.filter((date) => date !== null))]
}

interface Written {
  day: string | undefined
  month: string | undefined
  year: string | undefined
}

/** Without a year it is the next such day. */
function named({ day, month = '', year }: Written, today: string): string | null {
  const number = months.findIndex((words) => words.some((word) => word === month.toLowerCase())) + 1
  if (year !== undefined) return dayOf(year, String(number), day)
  const this_year = Number(today.slice(0, 4))
  const soon = dayOf(String(this_year), String(number), day)
  return soon !== null && soon < today ? dayOf(String(this_year + 1), String(number), day) : soon
}

/** Returns null if there is no such day. */
function dayOf(year = '', month = '', day = ''): string | null {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const time = Date.parse(`${text}T00:00:00Z`)
  if (Number.isNaN(time)) return null
  return new Date(time).toISOString().startsWith(text) ? text : null
}

function shift(today: string, days: number): string {
  const time = Date.parse(`${today}T00:00:00Z`) + days * 86_400_000
  return new Date(time).toISOString().slice(0, 10)
}
