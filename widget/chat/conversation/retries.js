/** Retries requests that failed for a temporary reason. */
import { Fault } from './api.js'

const RETRIES_MAX_S = 30
const BUSY_S = 2
/** After so many failures of an answer or a verification, the visitor can retry. */
const FAILURES_MAX = 3

const failing = ['failed', 'challenge_failed']
const passing = ['network', 'conversation_busy', 'rate_limited']

export const createRetries = ({ view }) => {
  let wake = () => {}
  addEventListener('online', () => wake())
  const wait = (ms) =>
    new Promise((resolve) => {
      wake = resolve
      setTimeout(resolve, ms)
    })

  /** Waits before a retry. Throws the fault if a retry cannot succeed. */
  const recover = async (fault, tries) => {
    if (!(fault instanceof Fault)) throw fault
    const { slug, retry_after_s } = fault
    if (failing.includes(slug)) {
      tries.failures += 1
      if (tries.failures < FAILURES_MAX) return
      throw fault
    }
    if (!passing.includes(slug)) throw fault
    const is_lost = slug === 'network'
    if (is_lost) tries.delay_s = Math.min(tries.delay_s * 2, RETRIES_MAX_S)
    if (slug === 'conversation_busy') view.stream('')
    else {
      view.endStream()
      view.notice(is_lost ? 'offline' : 'slow')
    }
    await wait(1000 * (retry_after_s ?? (is_lost ? tries.delay_s : BUSY_S)))
  }

  return {
    /** Ends the wait. */
    wake: () => wake(),
    /** Runs a request until it succeeds. Throws a fault that is not temporary. */
    async insist(work) {
      const tries = { failures: 0, delay_s: 0.5 }
      for (;;) {
        try {
          const result = await work()
          view.notice(null)
          return result
        } catch (fault) {
          await recover(fault, tries)
        }
      }
    },
  }
}
