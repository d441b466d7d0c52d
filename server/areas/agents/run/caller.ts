/** The caller of a run: the agent with its scopes. */
import type { Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import { notEnabled } from '../../../contract/problems/not-enabled.ts'
import { isScope } from '../../../contract/scopes.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import * as projects from '../../projects/service.ts'
import * as store from '../store.ts'
import * as runs from './store.ts'

/**
 * Builds the caller of a run for an approved step; null if there is no such run. Throws a Problem if
 * the run has ended or the agent is not active, so the approval fails.
 */
export async function findCaller(runtime: Runtime, key: runs.RunKey): Promise<Caller | null> {
  const run = await runs.findRun(runtime.db, key)
  if (!run) return null
  const { project_id, agent_id: id } = run
  const agent = await store.find(runtime.db, { project_id, id })
  if (!agent || run.ended_at !== null) throw ended('The run of the agent has ended.')
  if (agent.status !== 'active') throw ended('The agent is switched off or paused.')
  return buildCaller(runtime, { agent, run })
}

export async function buildCaller(
  runtime: Runtime,
  { agent, run }: { agent: store.AgentRow; run: runs.RunRow },
): Promise<Caller> {
  const project = await projects.find(runtime.db, agent.project_id)
  if (!project) throw new Problem('project_deleted', 'The project of this agent was deleted.')
  if (!project.enabled) throw notEnabled(project)
  const { id, name, mode, scopes } = agent
  return {
    runtime,
    db: runtime.db,
    request_id: `agent-run-${run.id}`,
    project,
    mode,
    key_id: run.id,
    scopes: new Set(scopes.split(' ').filter(isScope)),
    access: null,
    entry_point: 'job',
    agent: { id, name, cause: [...run.origins, id] },
    idempotency_key: null,
    remember: async () => {
      throw new Error('Only an operation with a required Idempotency-Key remembers its reply.')
    },
  }
}

function ended(user_message: string): Problem {
  return new Problem('conflict', user_message, { user_message })
}
