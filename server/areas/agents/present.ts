/** Agents as clients see them, their keys and their stored definitions. */
import type { Caller } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import { defaultLimits } from './agent-limits.ts'
import type { Agent, AgentInput, Definition } from './schema.ts'
import type * as store from './store.ts'

const defaults = {
  instructions: '',
  steps: [],
  actions: [],
  model: null,
  overlap: 'queue',
} satisfies Partial<AgentInput>

/** The definition with the defaults of what is absent. */
export function complete(input: AgentInput): Definition {
  return { ...defaults, ...input, limits: { ...defaultLimits, ...input.limits } }
}

export function keyOf({ project }: Caller, id: string): store.AgentKey {
  return { project_id: project.id, id }
}

export function definitionOf(row: store.AgentRow): Definition {
  return JSON.parse(row.definition)
}

export function present(row: store.AgentRow): Agent {
  return {
    id: row.id,
    ...definitionOf(row),
    approval_policy: JSON.parse(row.auto_approvals),
    status: row.status,
    paused_reason: row.paused_reason,
    version: row.version,
    next_run_at: row.next_run_at?.toISOString() ?? null,
    created_by: row.created_by,
    created_at: row.created_at.toISOString(),
    test: row.mode === 'test',
  }
}

export function unknownAgent(): Problem {
  return new Problem('not_found', 'There is no agent with this id.')
}
