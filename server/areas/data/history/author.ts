/** The author of a change of a document, and the entry point. */
import type { Caller } from '../../../contract/caller.ts'

export interface Author {
  actor_kind: 'person' | 'api_key' | 'connection' | 'agent'
  actor_id: string
  door: 'rest' | 'mcp' | 'portal' | 'job'
}

export function authorOf(caller: Caller): Author {
  const door = caller.entry_point ?? 'rest'
  if ('person' in caller)
    return { actor_kind: 'person', actor_id: String(Object(caller.person).id), door }
  if (caller.agent) return { actor_kind: 'agent', actor_id: caller.agent.id, door }
  return {
    actor_kind: caller.is_connection ? 'connection' : 'api_key',
    actor_id: caller.key_id,
    door,
  }
}
