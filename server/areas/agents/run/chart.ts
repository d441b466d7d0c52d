/** A bar chart as lines of text, which every mail program shows. Pure. */
import { Problem } from '../../../contract/errors.ts'

const ROWS_MAX = 62
const BAR_CHARACTERS_MAX = 24

/** Draws one line for each label with its value. Throws a Problem for an invalid chart. */
export function drawChart(chart: unknown): string {
  const { labels, values }: { labels?: unknown; values?: unknown } = Object(chart)
  if (!isListOf(labels, isLabel) || !isListOf(values, isAmount) || labels.length !== values.length)
    throw invalid()
  const most = Math.max(...values, 1)
  const lines = labels.map((label, index) => {
    const value = values[index]!
    const bar = '█'.repeat(Math.ceil((value / most) * BAR_CHARACTERS_MAX))
    return [label, bar, value].filter((part) => part !== '').join(' ')
  })
  return lines.join('\n')
}

function isListOf<One>(value: unknown, isOne: (one: unknown) => one is One): value is One[] {
  return Array.isArray(value) && value.length <= ROWS_MAX && value.every(isOne)
}

function isLabel(value: unknown): value is string {
  return typeof value === 'string' && value.length <= 100
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}

function invalid(): Problem {
  const user_message = `The chart needs labels and a value of at least 0 for each, at most ${ROWS_MAX}.`
  return new Problem('validation_failed', user_message, { user_message })
}
