/**
 * Rate limits of sign-in. Attempts are counted per account, which slows guessing from many
 * networks, and per network, which slows one network trying many accounts. Codes by mail have their
 * own count, so an attacker who exhausts the password attempts of an account does not lock its
 * owner out.
 */
import { Problem } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { findNetwork } from '../public/visitors/visitor-address.ts'
import { createSlidingWindow, type SlidingWindow } from '../../kernel/limits/sliding-window.ts'

const HOUR_MS = 3_600_000

export interface Rates {
  /** Counts any step of signing in, per network. */
  step(network: string): void
  /** Counts a password attempt for one account. */
  guess(account: string): void
  /** Counts a second-factor attempt for one account. It is possible only after the first factor. */
  second(account: string): void
  /** Counts a mail to one address. */
  mail(email: string): void
  /** Counts a mail of a sign-up: per network, to its address, and of all together. */
  signUp(asked: SignUpMail): void
}

interface SignUpMail {
  address: string
  email: string
  /** Whether it has an open invitation. The total of all does not refuse it. */
  is_invited: boolean
}

export function createRates({ clock }: Runtime): Rates {
  const window_ms = limits.sign_in_tries_window_s * 1000
  const { sign_in_network_tries_max, sign_in_tries_max, sign_in_codes_per_hour_max } = limits
  const steps = createSlidingWindow(clock, { limit: sign_in_network_tries_max, window_ms })
  const guesses = createSlidingWindow(clock, { limit: sign_in_tries_max, window_ms })
  const seconds = createSlidingWindow(clock, { limit: sign_in_tries_max, window_ms })
  const mails = createSlidingWindow(clock, {
    limit: sign_in_codes_per_hour_max,
    window_ms: HOUR_MS,
  })
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
  const mail = (email: string) => pass(mails, toMailbox(email))
  return {
    step: (network) => pass(steps, network),
    guess: (account) => pass(guesses, account),
    second: (account) => pass(seconds, account),
    mail,
    signUp({ address, email, is_invited }) {
      pass(newcomers, findNetwork(address))
      pass(neighbours, findNetwork(address, 48))
      mail(email)
      if (!is_invited) pass(all_newcomers, 'all')
    },
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
