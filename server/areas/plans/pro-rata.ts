/**
 * Pro rata sums of monthly prices, by calendar days in the billing time zone. Pure. Every sum is in
 * whole cents. The rest of a month is rounded once, as a sum, so that changes on the same day cost
 * the same in one step as in several, and the days of a month add up to its price.
 */
import type { MicroEuro } from '../../kernel/values/money.ts'

const MICRO_PER_CENT = 10_000n

/** A day of a calendar month. */
export interface MonthDay {
  /** The day, such as 2026-11-27. */
  day: string
  /** First day of the month, and of the next one. */
  month: string
  next_month: string
  /** Days left in the month, today included, and days of the whole month. */
  days_left: number
  days: number
}

export function monthDayOf(day: string): MonthDay {
  const date = Temporal.PlainDate.from(day)
  const first = date.with({ day: 1 })
  return {
    day,
    month: first.toString(),
    next_month: first.add({ months: 1 }).toString(),
    days_left: date.daysInMonth - date.day + 1,
    days: date.daysInMonth,
  }
}

/** Rounds half a cent up. */
export function roundToCents(amount_micro: MicroEuro): MicroEuro {
  return ((amount_micro + MICRO_PER_CENT / 2n) / MICRO_PER_CENT) * MICRO_PER_CENT
}

/** The price of the rest of a month. */
export function priceOfRest(
  price_micro: MicroEuro,
  { days_left, days }: Pick<MonthDay, 'days_left' | 'days'>,
): MicroEuro {
  const per = BigInt(days) * MICRO_PER_CENT
  return ((2n * price_micro * BigInt(days_left) + per) / (2n * per)) * MICRO_PER_CENT
}

/**
 * What an upgrade costs now: the rest of the month at the new price, less what was paid for the
 * same days. Never negative.
 */
export function priceOfUpgrade(
  { paid_micro, price_micro }: { paid_micro: MicroEuro; price_micro: MicroEuro },
  day: Pick<MonthDay, 'days_left' | 'days'>,
): MicroEuro {
  const due_micro = priceOfRest(price_micro, day) - priceOfRest(paid_micro, day)
  return due_micro > 0n ? due_micro : 0n
}
