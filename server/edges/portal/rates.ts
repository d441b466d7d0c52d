/**
 * How often somebody may try to sign in: counted by account, so that guessing is slow from
 * everywhere, and by network, so that one place cannot try many accounts. The address of a code has
 * a count of its own, so whoever uses up the tries of a password does not lock its owner out.
 */
import { Problem } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { createSlidingWindow, type SlidingWindow } from '../../kernel/limits/sliding-window.ts'

const HOUR_MS = 3_600_000

export interface Rates {
  /** Any step of signing in, from one network. */
  step(network: string): void
  /** A password of one account. */
  guess(account: string): void
  /** A code of the second factor of one account; only who gave the first proof gets here. */
  second(account: string): void
  /** A mail to one address. */
  mail(email: string): void
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
  return {
    step: (network) => pass(steps, network),
    guess: (account) => pass(guesses, account),
    second: (account) => pass(seconds, account),
    mail: (email) => pass(mails, email),
  }
}

function pass(window: SlidingWindow, key: string): void {
  const { allowed, retry_after_s } = window.pass(key)
  if (allowed) return
  const minutes = Math.ceil(retry_after_s / 60)
  const wait = `Please wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`}, then try again.`
  const user_message = `That was too often. ${wait}`
  throw new Problem('rate_limited', user_message, { retry_after_s, user_message })
}
