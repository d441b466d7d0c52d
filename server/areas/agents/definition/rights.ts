/**
 * The scopes of an agent: those of its steps, and the one that reads the events of its trigger.
 * Through an agent, a caller gets no data and no effects beyond their own scopes.
 */
import type { Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import type { EventType } from '../../../contract/event-types.ts'
import { isScope, type Scope } from '../../../contract/scopes.ts'
import type { Definition } from '../schema.ts'
import { findOperation } from './check.ts'

type KindOf<Type> = Type extends `${infer Kind}.${string}` ? Kind : never

const eventScopes: Readonly<Record<KindOf<EventType>, Scope>> = {
  balance: 'project:read',
  call: 'calls:read',
  conversation: 'chat:read',
  document: 'data:read',
  email: 'messages:read',
  message: 'messages:read',
  order: 'payments:read',
  webhook: 'webhooks:write',
}

export function scopesOf(
  caller: Pick<Caller, 'runtime'>,
  { trigger, steps, actions }: Pick<Definition, 'trigger' | 'steps' | 'actions'>,
): Scope[] {
  const scopes = new Set<Scope>()
  if (trigger.type === 'event') scopes.add(scopeOfEvent(trigger.event))
  for (const { action } of [...steps, ...actions]) {
    const scope = findOperation(caller, action)?.scope
    if (scope) scopes.add(scope)
  }
  return [...scopes]
}

function scopeOfEvent(type: string): Scope {
  const kind = type.split('.')[0] as KindOf<EventType>
  return eventScopes[kind]
}

/** Throws missing_scope. Called when an agent is saved and when a request starts it. */
export function requireScopes(caller: Caller, definition: Definition): void {
  for (const scope of scopesOf(caller, definition)) {
    if (caller.scopes.has(scope)) continue
    throw new Problem('missing_scope', `An agent that does this needs the scope ${scope}.`)
  }
}

/** Whether the caller may read the arguments and replies of its steps. */
export function maySeeSteps(caller: Caller, definition: Definition): boolean {
  return scopesOf(caller, definition).every((scope) => {
    const reading = scope.replace(':write', ':read')
    return caller.scopes.has(scope) || (isScope(reading) && caller.scopes.has(reading))
  })
}
