/** Closed dates, grouped as a person thinks of them: from a day to a day, with a reason. */
import type { Closure } from '../queries.ts'

export interface ClosedPeriod {
  from: string
  to: string
  reason: string | null
}

const DAY_MS = 86_400_000

function dayAfter(date: string): string {
  return new Date(Date.parse(date) + DAY_MS).toISOString().slice(0, 10)
}

/** Dates in a row with the same reason are one period. */
export function periodsOf(closures: readonly Closure[]): ClosedPeriod[] {
  const periods: ClosedPeriod[] = []
  for (const { date, reason } of closures.toSorted((a, b) => a.date.localeCompare(b.date))) {
    const last = periods.at(-1)
    const continues = last?.reason === reason && dayAfter(last.to) === date
    if (last !== undefined && continues) last.to = date
    else periods.push({ from: date, to: date, reason })
  }
  return periods
}

/** Each date of a period; at most `max` of them. */
function closuresIn({ from, to, reason }: ClosedPeriod, max: number): Closure[] {
  const closures: Closure[] = []
  for (let date = from; date <= to && closures.length < max; date = dayAfter(date)) {
    closures.push({ date, reason })
  }
  return closures
}

/** A date that is closed already gets the new reason. */
export function withPeriod(
  closures: readonly Closure[],
  period: ClosedPeriod,
  max: number,
): Closure[] {
  const kept = withoutPeriod(closures, period)
  const added = closuresIn(period, max - kept.length)
  return [...kept, ...added].toSorted((a, b) => a.date.localeCompare(b.date))
}

export function withoutPeriod(
  closures: readonly Closure[],
  { from, to }: Pick<ClosedPeriod, 'from' | 'to'>,
): Closure[] {
  return closures.filter(({ date }) => date < from || date > to)
}
