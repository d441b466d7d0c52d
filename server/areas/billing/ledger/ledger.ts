/**
 * The heart of billing, pure: what a deed moves between the accounts of a project, whether the
 * project can afford it, and in which calendar month it counts. No clock and no database in here,
 * so that the invariants can be tested by the thousand.
 */
import type { MicroEuro } from '../../../kernel/values/money.ts'

/**
 * The accounts of a project. `prepaid` is what the customer can spend, `held` what is set aside
 * for something under way, `revenue` what was charged, `funding` where top-ups come from: it is
 * the only one below zero, so that the four together are always zero.
 */
export const accounts = ['funding', 'held', 'prepaid', 'revenue'] as const
export type Account = (typeof accounts)[number]

/** What a charge is for. */
export type ChargeSource = 'ai' | 'call' | 'domain' | 'email' | 'number' | 'sms'

/** Money that leaves one account and arrives in another. */
export interface Posting {
  from: Account
  to: Account
  amount_micro: MicroEuro
}

/** The state of a project that a ledger operation depends on. */
export interface Books {
  prepaid_micro: MicroEuro
  held_micro: MicroEuro
  /** The calendar month, by its first day, and what was charged in it. */
  month: string
  charged_micro: MicroEuro
  /** The monthly spending cap; null while none is set. */
  cap_micro: MicroEuro | null
  /** Spending below this amount tells the owner (balance.low). */
  threshold_micro: MicroEuro
}

/** How automatic top-up stands in a project whose owner never touched it. */
export const autoReloadDefaults = {
  enabled: false,
  threshold_micro: 5_000_000n,
  amount_micro: 20_000_000n,
  max_per_month: 5,
} as const

/** Where the months of the spending cap begin and end, unless the operator chose another place. */
const STANDARD_ZONE = 'Europe/Amsterdam'

/** The day of the calendar of a moment in a time zone, such as 2026-12-31. */
export function dayOf(moment: Date, zone: string): string {
  return plainDayOf(moment, zone).toString()
}

/** The first day of the calendar month of a moment, such as 2026-12-01. */
export function monthOf(moment: Date, zone: string = STANDARD_ZONE): string {
  return plainDayOf(moment, zone).with({ day: 1 }).toString()
}

function plainDayOf(moment: Date, zone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(moment.getTime())
    .toZonedDateTimeISO(zone)
    .toPlainDate()
}

/**
 * The books in the month of a deed. A month never goes back: of two processes whose clocks differ
 * a little at midnight, the slower one must not reopen the month that the faster one has closed.
 */
export function turnTo<B extends Books>(books: B, month: string): B {
  return month > books.month ? { ...books, month, charged_micro: 0n } : books
}

/**
 * What counts against the cap: what was charged this month, and what is held now, because a hold
 * is charged in the month in which it is settled.
 */
export function spentOf({
  charged_micro,
  held_micro,
}: Pick<Books, 'charged_micro' | 'held_micro'>) {
  return charged_micro + held_micro
}

export type Refusal = 'billing_blocked' | 'insufficient_balance'

/** As much of the books as decides what can be spent. */
export type Means = Pick<Books, 'prepaid_micro' | 'held_micro' | 'charged_micro' | 'cap_micro'>

/** Why a project cannot spend an amount now, or null when it can. */
export function refusalOf(books: Means, amount_micro: MicroEuro): Refusal | null {
  if (amount_micro <= 0n) return null
  const { cap_micro, prepaid_micro } = books
  if (cap_micro !== null && spentOf(books) + amount_micro > cap_micro) return 'billing_blocked'
  return amount_micro > prepaid_micro ? 'insufficient_balance' : null
}

export function topUpPostings(amount_micro: MicroEuro): Posting[] {
  return moving([{ from: 'funding', to: 'prepaid', amount_micro }])
}

/**
 * What was charged is given back. Of what is over nothing was charged, so it is a gift: it comes
 * from where top-ups come from, and neither revenue nor a month ever falls below zero.
 */
export function creditPostings(amount_micro: MicroEuro, charged_micro: MicroEuro): Posting[] {
  const from_revenue_micro = amount_micro < charged_micro ? amount_micro : charged_micro
  return moving([
    { from: 'revenue', to: 'prepaid', amount_micro: from_revenue_micro },
    { from: 'funding', to: 'prepaid', amount_micro: amount_micro - from_revenue_micro },
  ])
}

export function chargePostings(amount_micro: MicroEuro): Posting[] {
  return moving([{ from: 'prepaid', to: 'revenue', amount_micro }])
}

export function holdPostings(amount_micro: MicroEuro): Posting[] {
  return moving([{ from: 'prepaid', to: 'held', amount_micro }])
}

/** The price is taken from the hold; what is over goes back, what is short comes from prepaid. */
export function settlePostings(held_micro: MicroEuro, price_micro: MicroEuro): Posting[] {
  const from_hold_micro = price_micro < held_micro ? price_micro : held_micro
  return moving([
    { from: 'held', to: 'revenue', amount_micro: from_hold_micro },
    { from: 'held', to: 'prepaid', amount_micro: held_micro - from_hold_micro },
    { from: 'prepaid', to: 'revenue', amount_micro: price_micro - from_hold_micro },
  ])
}

export function releasePostings(held_micro: MicroEuro): Posting[] {
  return settlePostings(held_micro, 0n)
}

function moving(postings: Posting[]): Posting[] {
  return postings.filter(({ amount_micro }) => amount_micro > 0n)
}

/** The books after an entry of their month. */
export function post(books: Books, postings: readonly Posting[]): Books {
  return {
    ...books,
    prepaid_micro: books.prepaid_micro + changeOf('prepaid', postings),
    held_micro: books.held_micro + changeOf('held', postings),
    charged_micro: books.charged_micro + changeOf('revenue', postings),
  }
}

/** What an entry adds to an account, or takes from it. */
export function changeOf(account: Account, postings: readonly Posting[]): MicroEuro {
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
