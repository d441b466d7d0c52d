/**
 * Requests new messages while a person answers or an open chat is in view, and at once when the
 * page comes back into view or online.
 */

/**
 * Seconds between requests: from the short to the long time while a person answers in view, else
 * the long time.
 */
const SHORT_S = 3
const LONG_S = 15

export const startPolling = ({ conversation, isOpen }) => {
  let timer
  let quiet = 0
  const plan = () => {
    clearTimeout(timer)
    const status = conversation.status()
    const is_seen = isOpen() && document.visibilityState === 'visible'
    if (status !== 'handed_off' && !(status === 'active' && is_seen)) return
    const is_often = is_seen && status === 'handed_off'
    const delay_s = is_often ? Math.min(SHORT_S + quiet / 4, LONG_S) : LONG_S
    timer = setTimeout(ask, 1000 * delay_s)
  }
  const ask = async () => {
    quiet += 1
    await conversation.poll()
    plan()
  }
  document.addEventListener('visibilitychange', () => document.hidden || ask())
  addEventListener('online', ask)
  return {
    ask,
    plan() {
      quiet = 0
      plan()
    },
  }
}
