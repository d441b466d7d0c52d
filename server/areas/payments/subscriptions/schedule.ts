/** When a subscription charges, and what an order means for it. Pure. */
import type { SubscriptionRow } from './subscription-store.ts'

const DAY_MS = 86_400_000
/** A failed charge is repeated after these days; after the last one the subscription is canceled. */
const RETRY_DAYS = [1, 3, 5]

interface Periods {
  every: SubscriptionRow['every']
  periods: number
  timezone: string
}

/** The begin of a period, counted from the first; a day that a month lacks is its last day. */
export function periodAfter(began_at: Date, { every, periods, timezone }: Periods): Date {
  if (every === 'day' || every === 'week') {
    return new Date(began_at.getTime() + periods * (every === 'day' ? 1 : 7) * DAY_MS)
  }
  const first = Temporal.Instant.fromEpochMilliseconds(began_at.getTime())
  const next = first
    .toZonedDateTimeISO(timezone)
    .add({ months: periods * (every === 'year' ? 12 : 1) })
  return new Date(next.epochMilliseconds)
}

type Changes = Pick<
  SubscriptionRow,
  'status' | 'paid_times' | 'failed_times' | 'next_at' | 'began_at' | 'ended_at'
>

/** Periods that are over are not charged any more: the next one begins after `now`. */
export function afterPaid(row: SubscriptionRow, now: Date, timezone: string): Changes {
  const began_at = row.began_at ?? now
  const paid_times = row.paid_times + 1
  const base = { paid_times, failed_times: 0, began_at }
  // A charge that was on its way when the subscription ended.
  if (row.ended_at !== null)
    return { ...base, status: row.status, next_at: null, ended_at: row.ended_at }
  if (row.times !== null && paid_times >= row.times) {
    return { ...base, status: 'completed', next_at: null, ended_at: now }
  }
  let periods = paid_times
  let next_at: Date
  do {
    next_at = periodAfter(began_at, { every: row.every, periods, timezone })
    periods += 1
  } while (next_at <= now)
  return { ...base, status: 'active', next_at, ended_at: null }
}

/** Null if nothing changes, because the subscription has ended. */
export function afterFailed(row: SubscriptionRow, now: Date): Changes | null {
  if (row.ended_at !== null) return null
  const { paid_times, began_at } = row
  const failed_times = row.failed_times + 1
  const base = { paid_times, began_at, failed_times }
  const wait_days = row.status === 'pending' ? undefined : RETRY_DAYS[failed_times - 1]
  if (wait_days === undefined) return { ...base, status: 'canceled', next_at: null, ended_at: now }
  const next_at = new Date(now.getTime() + wait_days * DAY_MS)
  return { ...base, status: 'past_due', next_at, ended_at: null }
}
