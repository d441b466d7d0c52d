/** The figures of a run: shares by kind and language, a table for people, and a plot. */
import type { Result } from './answer.ts'
import { hasAnswer, type Outcome } from './score.ts'

/** The kinds of questions by the first column of the set. */
const kinds: Readonly<Record<string, string>> = {
  w: 'word for word',
  k: 'key words',
  p: 'in other words',
  x: 'in another language',
  t: 'misspelt',
  '2': 'two questions in one',
  d: 'website or document',
  i: 'instructions',
  h: 'opening hours',
  e: 'emergency',
  n: 'near miss',
  u: 'not known',
  o: 'against an order',
}

export interface Figures {
  name: string
  answerable: number
  /** Shares of the answerable questions, in percent. */
  right: number
  right_with_yes: number
  half: number
  refused_wrongly: number
  wrong: number
  unanswerable: number
  /** Shares of the questions without an answer, in percent. */
  refused: number
  refused_with_no: number
  answered_wrongly: number
  /** Counts over all questions. */
  invented: number
  orders_read: number
}

function figuresOf(name: string, results: readonly Result[]): Figures {
  const known = results.filter(({ question }) => hasAnswer(question))
  const unknown = results.filter(({ question }) => !hasAnswer(question))
  const share = (of: readonly Result[], ...outcomes: Outcome[]) =>
    of.length === 0
      ? 0
      : (100 * of.filter(({ outcome }) => outcomes.includes(outcome)).length) / of.length
  return {
    name,
    answerable: known.length,
    right: share(known, 'right'),
    right_with_yes: share(known, 'right', 'right_after_yes'),
    half: share(known, 'half'),
    refused_wrongly: share(known, 'refused_wrongly'),
    wrong: share(known, 'wrong'),
    unanswerable: unknown.length,
    refused: share(unknown, 'refused'),
    refused_with_no: share(unknown, 'refused', 'refused_after_no'),
    answered_wrongly: share(unknown, 'answered_wrongly'),
    invented: results.filter(({ invented }) => invented).length,
    orders_read: results.filter(({ order_read }) => order_read).length,
  }
}

export function allFigures(results: readonly Result[]): Figures[] {
  const where = (name: string, holds: (result: Result) => boolean) => {
    const chosen = results.filter(holds)
    return chosen.length === 0 ? [] : [figuresOf(name, chosen)]
  }
  return [
    ...Object.entries(kinds).flatMap(([kind, name]) =>
      where(name, ({ question }) => question.kind === kind),
    ),
    ...['nl', 'en', 'de'].flatMap((language) =>
      where(language, ({ question }) => question.language === language),
    ),
    figuresOf('all', results),
  ]
}

const heads = [
  'questions',
  'answerable',
  'right',
  '+ yes',
  'half',
  'refused',
  'wrong',
  'no answer',
  'refused',
  '+ no',
  'answered',
  'invented',
  'orders',
]

export function writeTable(all: readonly Figures[]): string {
  const rows = all.map((one) => {
    const known = [one.right, one.right_with_yes, one.half, one.refused_wrongly, one.wrong]
    const unknown = [one.refused, one.refused_with_no, one.answered_wrongly]
    const cells = (of: number, shares: readonly number[]) => [
      of === 0 ? '' : String(of),
      ...shares.map((share) => (of === 0 ? '' : `${Math.round(share)} %`)),
    ]
    return [
      one.name,
      ...cells(one.answerable, known),
      ...cells(one.unanswerable, unknown),
      String(one.invented),
      String(one.orders_read),
    ]
  })
  const lines = [heads, heads.map(() => '---'), ...rows]
  const widths = heads.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)))
  const cell = (text: string, at: number) =>
    at === 0 ? text.padEnd(widths[at] ?? 0) : text.padStart(widths[at] ?? 0)
  return lines.map((line) => `| ${line.map(cell).join(' | ')} |`).join('\n')
}

/** Returns a percentile of the reply times in milliseconds; `share` 0.95 is the 95th. */
export function timeAt(results: readonly Result[], share: number): number {
  const times = results.map(({ time_ms }) => time_ms).toSorted((a, b) => a - b)
  return times[Math.min(times.length - 1, Math.floor(share * times.length))] ?? 0
}
