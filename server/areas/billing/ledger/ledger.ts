/**
 * The pure part of the ledger: which amounts an operation moves between the accounts of a project,
 * whether the project can afford it, and in which calendar month it counts. It uses no clock and no
 * database, so tests can check its invariants with thousands of random sequences.
 */
import type { MicroEuro } from '../../../kernel/values/money.ts'

/**
 * The accounts of a project. `prepaid` is the spendable balance, `held` is reserved by open holds,
 * `revenue` was charged, and `funding` is the source of top-ups. Only `funding` is negative, so the
 * sum of all four is always zero.
 */
export const accounts = ['funding', 'held', 'prepaid', 'revenue'] as const
export type Account = (typeof accounts)[number]

/** The kind of service that is charged. */
export type ChargeSource = 'ai' | 'call' | 'domain' | 'email' | 'number' | 'plan' | 'sms'

/** An amount moved from one account to another. */
export interface Posting {
  from: Account
  to: Account
  amount_micro: MicroEuro
}

/** The state of a project's accounts on which a ledger operation depends. */
export interface Books {
  prepaid_micro: MicroEuro
  held_micro: MicroEuro
  /** First day of the current month of the accounts. The next field is the amount charged in it. */
  month: string
  charged_micro: MicroEuro
  /** The monthly spending cap; null if none is set. */
  cap_micro: MicroEuro | null
  /** Threshold of the event balance.low. */
  threshold_micro: MicroEuro
}

/** Default settings of automatic top-up. */
export const autoReloadDefaults = {
  enabled: false,
  threshold_micro: 5_000_000n,
  amount_micro: 20_000_000n,
  max_per_month: 5,
} as const

/** Default time zone of billing months. */
const STANDARD_ZONE = 'Europe/Amsterdam'

/** Returns the calendar day of a moment in a time zone, such as 2026-12-31. */
export function toDay(moment: Date, zone: string): string {
  return plainDayOf(moment, zone).toString()
}

/** Returns the first day of the calendar month of a moment, such as 2026-12-01. */
export function toMonth(moment: Date, zone: string = STANDARD_ZONE): string {
  return plainDayOf(moment, zone).with({ day: 1 }).toString()
}

function plainDayOf(moment: Date, zone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(moment.getTime())
    .toZonedDateTimeISO(zone)
    .toPlainDate()
}

/**
 * Moves the books to the month of an operation. A month never goes back: if the clocks of two
 * processes differ at midnight, the slower process must not reopen the month that the faster one
 * has closed.
 */
export function moveToMonth<B extends Books>(books: B, month: string): B {
  return month > books.month ? { ...books, month, charged_micro: 0n } : books
}

/**
 * Returns the amount that counts against the cap: charges of this month, and open holds, because a
 * hold is charged in the month of its settlement.
 */
export function sumSpent({
  charged_micro,
  held_micro,
}: Pick<Books, 'charged_micro' | 'held_micro'>) {
  return charged_micro + held_micro
}

export type LedgerRefusal = 'billing_blocked' | 'insufficient_balance'

/** The part of the books that limits spending. */
export type SpendingLimits = Pick<
  Books,
  'prepaid_micro' | 'held_micro' | 'charged_micro' | 'cap_micro'
>

/** Returns why a project cannot spend an amount now; null if it can. */
export function findRefusal(books: SpendingLimits, amount_micro: MicroEuro): LedgerRefusal | null {
  if (amount_micro <= 0n) return null
  const { cap_micro, prepaid_micro } = books
  if (cap_micro !== null && sumSpent(books) + amount_micro > cap_micro) return 'billing_blocked'
  return amount_micro > prepaid_micro ? 'insufficient_balance' : null
}

export function createTopUpPostings(amount_micro: MicroEuro): Posting[] {
  return moving([{ from: 'funding', to: 'prepaid', amount_micro }])
}

/**
 * Refunds a charge. The part that exceeds the charged amount comes from `funding` as a gift, so
 * neither `revenue` nor the total of a month falls below zero.
 */
export function createCreditPostings(amount_micro: MicroEuro, charged_micro: MicroEuro): Posting[] {
  const from_revenue_micro = amount_micro < charged_micro ? amount_micro : charged_micro
  return moving([
    { from: 'revenue', to: 'prepaid', amount_micro: from_revenue_micro },
    { from: 'funding', to: 'prepaid', amount_micro: amount_micro - from_revenue_micro },
  ])
}

export function createChargePostings(amount_micro: MicroEuro): Posting[] {
  return moving([{ from: 'prepaid', to: 'revenue', amount_micro }])
}

export function createHoldPostings(amount_micro: MicroEuro): Posting[] {
  return moving([{ from: 'prepaid', to: 'held', amount_micro }])
}

/**
 * Charges the price from the hold. The rest returns to `prepaid`; an amount above the hold is taken
 * from it.
 */
export function createSettlePostings(held_micro: MicroEuro, price_micro: MicroEuro): Posting[] {
  const from_hold_micro = price_micro < held_micro ? price_micro : held_micro
  return moving([
    { from: 'held', to: 'revenue', amount_micro: from_hold_micro },
    { from: 'held', to: 'prepaid', amount_micro: held_micro - from_hold_micro },
    { from: 'prepaid', to: 'revenue', amount_micro: price_micro - from_hold_micro },
  ])
}

export function createReleasePostings(held_micro: MicroEuro): Posting[] {
  return createSettlePostings(held_micro, 0n)
}

function moving(postings: Posting[]): Posting[] {
  return postings.filter(({ amount_micro }) => amount_micro > 0n)
}

/** Returns the books after an entry in their month. */
export function applyPostings(books: Books, postings: readonly Posting[]): Books {
  return {
    ...books,
    prepaid_micro: books.prepaid_micro + sumPostings('prepaid', postings),
    held_micro: books.held_micro + sumPostings('held', postings),
    charged_micro: books.charged_micro + sumPostings('revenue', postings),
  }
}

/** Returns the change of an account's balance by an entry. */
export function sumPostings(account: Account, postings: readonly Posting[]): MicroEuro {
  return postings.reduce((sum_micro, { from, to, amount_micro }) => {
    if (to === account) return sum_micro + amount_micro
    return from === account ? sum_micro - amount_micro : sum_micro
  }, 0n)
}

/**
 * Returns whether an entry moved the balance from at least the threshold to below it. Held money
 * counts as balance, because a released hold must not cause an alarm.
 */
export function fallsBelowThreshold(before: Books, after: Books): boolean {
  const { threshold_micro } = before
  const unspent = (books: Books) => books.prepaid_micro + books.held_micro
  return unspent(before) >= threshold_micro && unspent(after) < threshold_micro
}
