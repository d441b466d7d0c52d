/** Rate limit of invitations per project, shared by the portal pages and the API. */
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { createSlidingWindow, type SlidingWindow } from '../../../kernel/limits/sliding-window.ts'

const HOUR_MS = 3_600_000
const windows = new WeakMap<Runtime, SlidingWindow>()

export function requireInvitationRate(runtime: Runtime, project_id: string): void {
  const limit = limits.invitations_per_hour_max
  const window =
    windows.get(runtime) ?? createSlidingWindow(runtime.clock, { limit, window_ms: HOUR_MS })
  windows.set(runtime, window)
  const { allowed, retry_after_s } = window.pass(project_id)
  if (allowed) return
  const minutes = Math.ceil(retry_after_s / 60)
  const wait = `Please wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`}, then try again.`
  const user_message = `These were too many invitations in an hour. ${wait}`
  throw new Problem('rate_limited', user_message, { retry_after_s, user_message })
}
