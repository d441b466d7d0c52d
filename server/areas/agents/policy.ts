/**
 * Actions that a person approved in advance, each with a cap for 24 hours. Only people do that, never
 * keys and connections. It applies to one version of the agent: a change could let it do something
 * else.
 */
import type { MemberCaller } from '../../contract/people.ts'
import { Problem } from '../../contract/errors.ts'
import type { Operation } from '../../contract/operation.ts'
import { executionModeOf } from '../approvals/service.ts'
import { requireAgentMode } from './agent-mode.ts'
import { findOperation } from './definition/check.ts'
import { countActions, DAY_MS } from './run/usage-store.ts'
import type { StepWork } from './run/steps/step.ts'
import type { Agent, PolicyInput } from './schema.ts'
import { presentOne } from './idle.ts'
import { definitionOf, keyOf, unknownAgent } from './present.ts'
import * as store from './store.ts'

const BATCH = 'emails.create_batch'

export async function setPolicy(
  caller: MemberCaller,
  id: string,
  { version, approval_policy }: PolicyInput,
): Promise<Agent> {
  const key = keyOf(caller, id)
  const row = await caller.db.transact(async (tx) => {
    const locked = await store.lock(tx, key)
    if (!locked) throw unknownAgent()
    requireAgentMode(caller, locked)
    if (locked.version !== version) throw changed()
    const { steps, actions } = definitionOf(locked)
    const used = new Set([...steps, ...actions].map(({ action }) => action))
    for (const { action } of approval_policy) {
      const operation = used.has(action) ? findOperation(caller, action) : null
      if (!operation || !isLoosenable(operation)) throw notLoosenable()
    }
    return store.update(tx, key, { auto_approvals: JSON.stringify(approval_policy) })
  })
  return presentOne(caller, row!)
}

/**
 * Whether an operation can be approved in advance: it sends something, or costs a price of the
 * catalogue, and cannot happen twice if its process is killed. A refund, whose amount is free, and a
 * deletion cannot, nor a batch, because the cap counts actions.
 */
function isLoosenable(operation: Operation): boolean {
  if (operation.name === BATCH) return false
  if (operation.method !== 'POST' || executionModeOf(operation) === 'at_most_once') return false
  if (operation.effect === 'outside') return true
  return operation.effect === 'money' && (operation.consent?.costs?.({}) ?? null) !== null
}

/** The person decided about another version. */
function changed(): Problem {
  const user_message = 'The agent was changed meanwhile. Look at it and approve again.'
  return new Problem('conflict', user_message, { user_message })
}

function notLoosenable(): Problem {
  const user_message = 'This action cannot be approved in advance.'
  return new Problem('validation_failed', user_message, { user_message })
}

/** Whether a person approved the operation in advance, and its cap is not reached. */
export async function isApprovedInAdvance(
  { caller, run, policy, step }: Pick<StepWork, 'caller' | 'run' | 'policy' | 'step'>,
  operation: Operation,
): Promise<boolean> {
  const { name } = operation
  const rule = policy.find(({ action }) => action === name)
  if (!rule || step.approval === 'owner' || !isLoosenable(operation)) return false
  const { db, clock } = caller.runtime
  const since = new Date(clock.now_ms() - DAY_MS)
  return (await countActions(db, { ...run, since, actions: [name] })) < rule.max_per_day
}
