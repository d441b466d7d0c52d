/**
 * Stores which connections received a scope challenge. The client itself handles that 403; if it
 * fails or renews its token with the same scopes, its model sees a status without a reason. The
 * next call within the window gets the problem as a tool result instead. Each process stores its
 * own challenges, so several workers may each challenge once.
 */
import { limits } from '../../../contract/limits.ts'
import type { Caller } from '../../../contract/caller.ts'
import type { Scope } from '../../../contract/scopes.ts'

const REMEMBERED_MAX = 10_000

export class StepUps {
  /** The time of the last challenge, by key and scope; the oldest first. */
  private readonly answered = new Map<string, number>()

  /** Whether this connection was challenged for the scope within the window. Records a challenge. */
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
