/** Groups closed dates into periods with a first day, a last day and a reason. */
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

/** Merges consecutive dates with the same reason into one period. */
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

/** Returns each date of a period, at most `max` of them. */
function closuresIn({ from, to, reason }: ClosedPeriod, max: number): Closure[] {
  const closures: Closure[] = []
  for (let date = from; date <= to && closures.length < max; date = dayAfter(date)) {
    closures.push({ date, reason })
  }
  return closures
}

/** Closes the dates of a period. A date that is already closed gets the new reason. */
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
