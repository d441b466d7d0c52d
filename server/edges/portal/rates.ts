/**
 * Rate limits of sign-in. Attempts are counted per network, which slows one network trying many
 * accounts, and per account: from one network, and from all, which slows guessing from many. Codes by
 * mail have their own count, and so have browsers in which the account signed in before, so that an
 * attacker who uses up the attempts of an account does not lock its owner out. Codes above the count of all
 * networks are delayed instead of refused, so that many networks do not lock out a new browser either.
 */
import { Problem } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { findNetwork } from '../http/visitor-address.ts'
import { createSlidingWindow, type SlidingWindow } from '../../kernel/limits/sliding-window.ts'

const HOUR_MS = 3_600_000

export interface Rates {
  /** Counts any step of signing in, per network. */
  step(network: string): void
  /** Counts a password attempt for one account. */
  guess(attempt: Attempt): void
  /** Counts a second-factor attempt for one account. It is possible only after the first factor. */
  second(attempt: Attempt): void
  /** Counts a mail to one address. Returns the seconds to wait before it is sent. */
  mail(attempt: Attempt): number
  /** Counts a mail of a sign-up: per network, to its address, and of all together. As `mail`. */
  signUp(asked: SignUpMail): number
}

export interface Attempt {
  email: string
  network: string
  /** The IPv6 /48 of the network, which one attacker can have; an IPv4 address as it is. */
  large_network: string
  /** Whether the account signed in with this browser before. */
  is_known: boolean
}

interface SignUpMail {
  address: string
  email: string
  /** Whether it has an open invitation. The total of all does not refuse it. */
  is_invited: boolean
}

export function createRates({ clock }: Runtime): Rates {
  const window_ms = limits.sign_in_tries_window_s * 1000
  const steps = createSlidingWindow(clock, { limit: limits.sign_in_network_tries_max, window_ms })
  const tries = { limit: limits.sign_in_tries_max, all: limits.sign_in_tries_all_max, window_ms }
  const refuse = (window: SlidingWindow, email: string) => pass(window, email)
  const passGuess = createAccountRate(clock, tries, refuse)
  const passSecond = createAccountRate(clock, tries, refuse)
  const codes = {
    limit: limits.sign_in_codes_per_hour_max,
    all: limits.sign_in_codes_all_per_hour_max,
    window_ms: HOUR_MS,
  }
  const passMail = createAccountRate(clock, codes, createDelay(clock))
  const hour = { window_ms: HOUR_MS }
  const newcomers = createSlidingWindow(clock, {
    limit: limits.sign_ups_per_network_max,
    ...hour,
  })
  const neighbours = createSlidingWindow(clock, {
    limit: limits.sign_ups_per_large_network_max,
    ...hour,
  })
  const all_newcomers = createSlidingWindow(clock, {
    limit: limits.sign_ups_per_hour_max,
    ...hour,
  })
  const mail = ({ email, ...attempt }: Attempt) =>
    passMail({ email: toMailbox(email), ...attempt }) ?? 0
  return {
    step: (network) => pass(steps, network),
    guess: (attempt) => void passGuess(attempt),
    second: (attempt) => void passSecond(attempt),
    mail,
    signUp({ address, email, is_invited }) {
      const network = findNetwork(address)
      pass(newcomers, network)
      const large_network = findNetwork(address, 48)
      pass(neighbours, large_network)
      const delay_s = mail({ email, network, large_network, is_known: false })
      if (!is_invited) pass(all_newcomers, 'all')
      return delay_s
    },
  }
}

/**
 * Counts attempts at an account per network and in total, and those of known browsers apart. `countAll`
 * counts in the total and decides what follows if it is used up.
 */
function createAccountRate<T>(
  clock: Runtime['clock'],
  { limit, all, window_ms }: { limit: number; all: number; window_ms: number },
  countAll: (total: SlidingWindow, email: string, large_network: string) => T,
): (attempt: Attempt) => T | null {
  const own = createSlidingWindow(clock, { limit, window_ms })
  const total = createSlidingWindow(clock, { limit: all, window_ms })
  const large = createSlidingWindow(clock, { limit, window_ms })
  return ({ email, network, large_network, is_known }) => {
    pass(own, is_known ? email : `${email} ${network}`)
    if (is_known) return null
    pass(large, `${email} ${large_network}`)
    return countAll(total, email, large_network)
  }
}

const DELAY_STEP_S = 30
/** Delayed codes of an account in an hour; above it new browsers wait. */
const DELAYED_MAX = 200

/** Returns the delay, which grows with each attempt above the total; a network then has one an hour. */
function createDelay(clock: Runtime['clock']) {
  const steps_max = limits.sign_in_code_delay_s_max / DELAY_STEP_S
  const late = createSlidingWindow(clock, { limit: steps_max, window_ms: HOUR_MS })
  const each = createSlidingWindow(clock, { limit: 1, window_ms: HOUR_MS })
  const most = createSlidingWindow(clock, { limit: DELAYED_MAX, window_ms: HOUR_MS })
  return (total: SlidingWindow, email: string, large_network: string): number => {
    if (total.pass(email).allowed) return 0
    pass(each, `${email} ${large_network}`)
    pass(most, email)
    return DELAY_STEP_S * (steps_max - late.pass(email).remaining)
  }
}

/** Most providers deliver ada+anything@ to the mailbox of ada@. */
function toMailbox(email: string): string {
  return email.replace(/(?<=.)\+.*(?=@)/u, '')
}

function pass(window: SlidingWindow, key: string): void {
  const { allowed, retry_after_s } = window.pass(key)
  if (allowed) return
  const minutes = Math.ceil(retry_after_s / 60)
  const wait = `Please wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`}, then try again.`
  const user_message = `Too many attempts. ${wait}`
  throw new Problem('rate_limited', user_message, { retry_after_s, user_message })
}
