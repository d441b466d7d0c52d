/** Requests about agents and their runs. */
import { queryOptions } from '@tanstack/react-query'
import { api, inProject, read, type Schemas, type Scope } from '../../api/client.ts'
import { listQuery } from '../../api/list-query.ts'
import { pollEvery } from '../../api/live.ts'

export type Agent = Schemas['Agent']
export type AgentInput = Schemas['AgentsCreateBody']
export type AgentTrigger = Agent['trigger']
export type AgentStep = Agent['steps'][number]
export type NewAgent = Schemas['AgentsCreateBody']
export type AgentUrl = Schemas['AgentUrl']
export type ApprovalPolicy = Agent['approval_policy']
export type Run = Schemas['AgentRun']
export type ListedRun = Schemas['AgentRunSummary']
export type RunStep = Run['steps'][number]

/** More than a project can have, so the list needs one page. */
const AGENTS_MAX = 100
const REFRESH_MS = 5_000

export function agentsKey({ project_id, mode }: Scope) {
  return ['agents', project_id, mode] as const
}

export function agentsQuery(scope: Scope) {
  const params = { ...inProject(scope), query: { limit: AGENTS_MAX } }
  return queryOptions({
    queryKey: [...agentsKey(scope), 'list'],
    queryFn: async ({ signal }) =>
      (await read(api.GET('/projects/{project_id}/agents', { params, signal }))).data,
    refetchInterval: pollEvery(REFRESH_MS),
  })
}

export function agentQuery(scope: Scope, id: string) {
  const params = inProject(scope, { id })
  return queryOptions({
    queryKey: [...agentsKey(scope), 'one', id],
    queryFn: ({ signal }) =>
      read(api.GET('/projects/{project_id}/agents/{id}', { params, signal })),
    refetchInterval: REFRESH_MS,
  })
}

export function runsQuery(scope: Scope, id: string) {
  const list = listQuery({
    key: [...agentsKey(scope), 'runs', id],
    read: (page, signal) => {
      const params = { ...inProject(scope, { id }), query: page }
      return read(api.GET('/projects/{project_id}/agents/{id}/runs', { params, signal }))
    },
  })
  return { ...list, refetchInterval: REFRESH_MS }
}

export function runQuery(scope: Scope, { agent_id, id }: Pick<ListedRun, 'agent_id' | 'id'>) {
  const params = inProject(scope, { id: agent_id, run_id: id })
  return queryOptions({
    queryKey: [...agentsKey(scope), 'run', id],
    queryFn: ({ signal }) =>
      read(api.GET('/projects/{project_id}/agents/{id}/runs/{run_id}', { params, signal })),
    refetchInterval: ({ state }) => (isOver(state.data) ? false : REFRESH_MS),
  })
}

function isOver(run: Run | undefined): boolean {
  return run !== undefined && run.ended_at !== null
}

export function createAgent(scope: Scope, body: AgentInput) {
  const params = inProject(scope)
  return read<Agent>(api.POST('/projects/{project_id}/agents', { params, body }))
}

export function changeAgent(scope: Scope, id: string, body: AgentInput) {
  const params = inProject(scope, { id })
  return read<Agent>(api.PATCH('/projects/{project_id}/agents/{id}', { params, body }))
}

/** Proposes an agent for a sentence and creates it switched off. */
export async function createProposed(
  scope: Scope,
  body: Schemas['AgentsProposeBody'],
): Promise<Agent> {
  const params = inProject(scope)
  const { agent } = await read(api.POST('/projects/{project_id}/agents/propose', { params, body }))
  return createAgent(scope, agent)
}

export function tryAgent(scope: Scope, id: string) {
  const params = inProject(scope, { id })
  return read(api.POST('/projects/{project_id}/agents/{id}/try', { params, body: {} }))
}

export function readUrl(scope: Scope, id: string, rotate: boolean) {
  const given = { params: inProject(scope, { id }), body: { rotate } }
  return read<AgentUrl>(api.POST('/projects/{project_id}/agents/{id}/url', given))
}

export function setPolicy(scope: Scope, { id, version }: Agent, approval_policy: ApprovalPolicy) {
  const given = { params: inProject(scope, { id }), body: { version, approval_policy } }
  return read<Agent>(api.PUT('/projects/{project_id}/agents/{id}/approval-policy', given))
}

export function removeAgent(scope: Scope, id: string) {
  const params = inProject(scope, { id })
  return read(api.DELETE('/projects/{project_id}/agents/{id}', { params }))
}

export function switchAgent(scope: Scope, id: string, isOn: boolean) {
  const given = { params: inProject(scope, { id }) }
  return read<Agent>(
    isOn
      ? api.POST('/projects/{project_id}/agents/{id}/enable', given)
      : api.POST('/projects/{project_id}/agents/{id}/disable', given),
  )
}

export type AgentTemplate = Schemas['AgentTemplate']
export type TemplateSetting = AgentTemplate['settings'][number]
export type InstallInput = Schemas['AgentsInstallTemplateBody']

/** Ready-made agents with texts in the given language. */
export function templatesQuery(scope: Scope, language: 'en' | 'nl') {
  const params = { ...inProject(scope), query: { language } }
  return queryOptions({
    queryKey: [...agentsKey(scope), 'templates', language],
    queryFn: async ({ signal }) =>
      (await read(api.GET('/projects/{project_id}/agents/templates', { params, signal }))).data,
    staleTime: Infinity,
  })
}

export function installTemplate(scope: Scope, body: InstallInput) {
  const params = inProject(scope)
  return read<Agent>(api.POST('/projects/{project_id}/agents/install', { params, body }))
}

export type RunInput = Schemas['AgentsRunBody']

export function startRun(scope: Scope, id: string, body: RunInput = {}) {
  const params = inProject(scope, { id })
  return read<Run>(api.POST('/projects/{project_id}/agents/{id}/run', { params, body }))
}

export function cancelRun(scope: Scope, { agent_id, id }: Pick<ListedRun, 'agent_id' | 'id'>) {
  const params = inProject(scope, { id: agent_id, run_id: id })
  return read<Run>(api.POST('/projects/{project_id}/agents/{id}/runs/{run_id}/cancel', { params }))
}
