/**
 * The rules of agents: a project has a limited number of them, each change is a new version, and an
 * agent has only the scopes that its steps and events need, all of which the caller who saves it has.
 * Their runs are in run/.
 */
import type { Caller } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { readPage, type PageQuery } from '../../contract/schema/pages.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { newId } from '../../kernel/values/ids.ts'
import { findRunner } from '../approvals/service.ts'
import { requireAgentMode } from './agent-mode.ts'
import { checkDefinition } from './definition/check.ts'
import { nextRunAt } from './definition/next-run.ts'
import { requireScopes, scopesOf } from './definition/rights.ts'
import { presentOne } from './idle.ts'
import { complete, definitionOf, keyOf, present, unknownAgent } from './present.ts'
import type { Agent, AgentChange, AgentList, Definition, NewAgent, VersionList } from './schema.ts'
import * as store from './store.ts'

export { findCaller } from './run/caller.ts'
export { cancelRun, findRun, listRuns, startRun } from './run/runs.ts'
export { enqueueQueuedRuns } from './run/jobs.ts'
export { startBySignedRequest } from './run/signed-request.ts'

export async function list(caller: Caller, query: PageQuery): Promise<AgentList> {
  const { project, db } = caller
  const page = await readPage(caller, {
    list: 'agents',
    query,
    read: (count, after) => store.list(db, { project_id: project.id, count, after }),
    bytesOf: ({ definition }) => Buffer.byteLength(definition),
  })
  return { data: page.data.map(present), next_cursor: page.next_cursor }
}

export async function find(caller: Caller, id: string): Promise<Agent> {
  const row = await store.find(caller.db, keyOf(caller, id))
  if (!row) throw unknownAgent()
  return presentOne(caller, row)
}

export async function create(
  caller: Caller,
  { status = 'active', ...input }: NewAgent,
): Promise<Agent> {
  const { runtime, project, db, mode } = caller
  const definition = complete(input)
  const saved = await prepareVersion(caller, definition)
  const created_at = runtime.clock.now()
  const row = await db.transact(async (tx) => {
    await store.lockAgents(tx, project.id)
    const count = await store.countAgents(tx, project.id)
    if (count >= limits.agents_max) throw tooMany(count)
    const made = await store.insert(tx, {
      project_id: project.id,
      id: newId(runtime.clock),
      ...saved.columns,
      version: 1,
      status,
      next_run_at: status === 'active' ? nextRunAt(definition, created_at) : null,
      mode,
      created_by: saved.by,
      created_at,
    })
    await writeVersion(tx, runtime, { row: made, saved_by: saved.by })
    return made
  })
  return presentOne(caller, row)
}

export async function change(caller: Caller, id: string, input: AgentChange): Promise<Agent> {
  const { runtime, db } = caller
  const key = keyOf(caller, id)
  const before = await store.find(db, key)
  if (!before) throw unknownAgent()
  requireAgentMode(caller, before)
  const kept = definitionOf(before)
  const definition = { ...kept, ...input, limits: { ...kept.limits, ...input.limits } }
  const saved = await prepareVersion(caller, definition)
  const row = await db.transact(async (tx) => {
    const locked = await store.lock(tx, key)
    if (!locked) throw unknownAgent()
    if (locked.version !== before.version) throw changedMeanwhile()
    const now = runtime.clock.now()
    const next_run_at = locked.status === 'active' ? nextRunAt(definition, now) : null
    const version = locked.version + 1
    // What a person approved in advance was an earlier version.
    const columns = { ...saved.columns, auto_approvals: '[]' }
    const made = await store.update(tx, key, { ...columns, version, next_run_at })
    await writeVersion(tx, runtime, { row: made!, saved_by: saved.by })
    return made!
  })
  return presentOne(caller, row)
}

/** Checks the definition. Returns its columns and the name of the caller. */
async function prepareVersion(caller: Caller, definition: Definition) {
  checkDefinition(caller, definition)
  requireScopes(caller, definition)
  const { name, trigger } = definition
  const columns = {
    name,
    definition: JSON.stringify(definition),
    scopes: scopesOf(caller, definition).join(' '),
    event_type: trigger.type === 'event' ? trigger.event : null,
  }
  return { columns, by: await nameOf(caller) }
}

function nameOf(caller: Caller): Promise<string> | string {
  if ('person' in caller) return String(Object(caller.person).email)
  return findRunner(caller.runtime).nameOf(caller)
}

function writeVersion(
  tx: Transaction,
  { clock }: Runtime,
  { row, saved_by }: { row: store.AgentRow; saved_by: string },
): Promise<void> {
  const { project_id, id: agent_id, version, definition } = row
  const saved_at = clock.now()
  return store.insertVersion(tx, { project_id, agent_id, version, definition, saved_by, saved_at })
}

/** Newest first. */
export async function listVersions(
  caller: Caller,
  id: string,
  query: PageQuery,
): Promise<VersionList> {
  const { db } = caller
  const key = keyOf(caller, id)
  if (!(await store.find(db, key))) throw unknownAgent()
  const page = await readPage(caller, {
    list: `agent versions ${id}`,
    query,
    read: async (count, after) => {
      const rows = await store.listVersions(db, {
        ...key,
        count,
        before: after === null ? null : Number(after),
      })
      return rows.map((row) => ({ ...row, id: String(row.version) }))
    },
    bytesOf: ({ definition }) => Buffer.byteLength(definition),
  })
  const data = page.data.map(({ version, saved_by, saved_at, definition }) => {
    return { version, saved_by, saved_at: saved_at.toISOString(), ...JSON.parse(definition) }
  })
  return { data, next_cursor: page.next_cursor }
}

export async function remove(caller: Caller, id: string): Promise<void> {
  const key = keyOf(caller, id)
  await caller.db.transact(async (tx) => {
    const row = await store.lock(tx, key)
    if (!row) throw unknownAgent()
    requireAgentMode(caller, row)
    await store.remove(tx, key)
  })
}

/** Activates a disabled or paused agent. Its failures in a row count from 0 again. */
export function enable(caller: Caller, id: string): Promise<Agent> {
  const now = caller.runtime.clock.now()
  return changeStatus(caller, id, (row) => ({
    status: 'active',
    paused_reason: null,
    failures: 0,
    next_run_at: row.status === 'active' ? row.next_run_at : nextRunAt(definitionOf(row), now),
  }))
}

export function disable(caller: Caller, id: string): Promise<Agent> {
  return changeStatus(caller, id, () => ({
    status: 'disabled',
    paused_reason: null,
    next_run_at: null,
  }))
}

type StatusChange = Pick<store.AgentRow, 'status' | 'paused_reason' | 'next_run_at'> & {
  failures?: number
}

async function changeStatus(
  caller: Caller,
  id: string,
  to: (row: store.AgentRow) => StatusChange,
): Promise<Agent> {
  const key = keyOf(caller, id)
  const row = await caller.db.transact(async (tx) => {
    const locked = await store.lock(tx, key)
    if (locked) requireAgentMode(caller, locked)
    return locked && store.update(tx, key, to(locked))
  })
  if (!row) throw unknownAgent()
  return presentOne(caller, row)
}

function changedMeanwhile(): Problem {
  return new Problem('conflict', 'The agent was changed by another request at the same time.')
}

function tooMany(count: number): Problem {
  return new Problem('conflict', `The project already has ${count} agents.`, {
    user_message: `The project already has ${count} agents. Delete one that is no longer needed.`,
    next_step: 'Ask the user which agent is no longer needed, and delete it.',
  })
}
