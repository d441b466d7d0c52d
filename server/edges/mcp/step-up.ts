/**
 * Which connections were sent to ask for a scope and came back without it. The 403 that asks for a
 * scope is answered by the client itself: one that fails at it, or renews its token with the scopes
 * it had, tells its model a status and no reason. The next call within the window is answered in
 * words instead. Per process, so with several workers a client may be sent once by each.
 */
import { limits } from '../../contract/limits.ts'
import type { Caller } from '../../contract/caller.ts'
import type { Scope } from '../../contract/scopes.ts'

const REMEMBERED_MAX = 10_000

export class StepUps {
  /** When it was last answered, by key and scope; the oldest first. */
  private readonly answered = new Map<string, number>()

  /** Whether this connection was asked for the scope a while ago. Counts as an answer. */
  wasAsked({ key_id, runtime }: Caller, scope: Scope): boolean {
    const name = `${key_id} ${scope}`
    const now_ms = runtime.clock.now_ms()
    const last_ms = this.answered.get(name)
    this.answered.delete(name)
    this.answered.set(name, now_ms)
    const [oldest] = this.answered.keys()
    if (this.answered.size > REMEMBERED_MAX && oldest !== undefined) this.answered.delete(oldest)
    return last_ms !== undefined && now_ms - last_ms < limits.mcp_step_up_s * 1000
  }
}
