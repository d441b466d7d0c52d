/** The portal assistant: conversations of the person, questions, and proposals. */
import { queryOptions } from '@tanstack/react-query'
import { reach } from '../../api/batch.ts'
import { api, ApiProblem, inProject, read, type Schemas, type Scope } from '../../api/client.ts'
import { eventsIn } from '../../api/event-stream.ts'

export type Message = Schemas['PortalMessage']
export type Proposal = Schemas['PortalProposal']
export type Form = Schemas['PortalForm']
export type Source = Schemas['PortalSource']
export type Transcript = Schemas['PortalTranscript']
export type Listed = Schemas['PortalConversation']

export function conversationsKey({ project_id, mode }: Scope) {
  return ['portal_assistant', project_id, mode] as const
}

export function conversationsQuery(scope: Scope) {
  return queryOptions({
    queryKey: conversationsKey(scope),
    queryFn: ({ signal }) => {
      const params = { ...inProject(scope), query: { limit: 50 } }
      return read(
        api.GET('/projects/{project_id}/portal-assistant/conversations', { params, signal }),
      )
    },
  })
}

const inConversation = (scope: Scope, conversation_id: string) => {
  return inProject(scope, { conversation_id })
}

export function readConversation(scope: Scope, id: string): Promise<Transcript> {
  const params = inConversation(scope, id)
  return read<Transcript>(
    api.GET('/projects/{project_id}/portal-assistant/conversations/{conversation_id}', { params }),
  )
}

export function deleteConversation(scope: Scope, id: string) {
  const params = inConversation(scope, id)
  return read(
    api.DELETE('/projects/{project_id}/portal-assistant/conversations/{conversation_id}', {
      params,
    }),
  )
}

export function submitForm(
  scope: Scope,
  body: { conversation_id: string; operation: string; arguments: Record<string, unknown> },
): Promise<Proposal> {
  const params = inProject(scope)
  return read<Proposal>(
    api.POST('/projects/{project_id}/portal-assistant/proposals', {
      params,
      body: { ...body, arguments: body.arguments },
    }),
  )
}

const ofProposal = (scope: Scope, { id }: Pick<Proposal, 'id'>) => {
  return inProject(scope, { proposal_id: id })
}

export function runProposal(scope: Scope, proposal: Proposal): Promise<Proposal> {
  const given = { params: ofProposal(scope, proposal), body: { hash: proposal.hash } }
  return read<Proposal>(
    api.POST('/projects/{project_id}/portal-assistant/proposals/{proposal_id}/run', given),
  )
}

export function declineProposal(scope: Scope, proposal: Proposal): Promise<Proposal> {
  const given = { params: ofProposal(scope, proposal), body: { hash: proposal.hash } }
  return read<Proposal>(
    api.POST('/projects/{project_id}/portal-assistant/proposals/{proposal_id}/decline', given),
  )
}

export function editProposal(
  scope: Scope,
  proposal: Proposal,
  values: Record<string, unknown>,
): Promise<Proposal> {
  const body = { hash: proposal.hash, arguments: values }
  const given = { params: ofProposal(scope, proposal), body }
  return read<Proposal>(
    api.PUT('/projects/{project_id}/portal-assistant/proposals/{proposal_id}/arguments', given),
  )
}

export interface Question {
  conversation_id?: string
  text: string
  page: string
  language: 'en' | 'nl'
}

export interface Listener {
  onStart(started: { conversation: Listed; question: Message }): void
  onText(at: number, text: string): void
  onTool(name: string): void
}

/** Asks, and passes the answer on while it arrives. Throws an ApiProblem if it is refused. */
export async function askStreamed(
  { project_id, mode }: Scope,
  question: Question,
  { signal, ...listener }: Listener & { signal: AbortSignal },
): Promise<Schemas['PortalMessagesSendReply'] | null> {
  const response = await reach(`/portal/api/v1/projects/${project_id}/portal-assistant/messages`, {
    method: 'POST',
    headers: {
      Accept: 'text/event-stream',
      'Content-Type': 'application/json',
      'Homeport-Mode': mode,
    },
    body: JSON.stringify(question),
    signal,
  })
  if (!response.ok || response.body === null) {
    const body: unknown = await response.json().catch(() => null)
    throw new ApiProblem({ ...Object(body) }, response.status)
  }
  for await (const { name, data } of eventsIn(response.body)) {
    const value = JSON.parse(data)
    if (name === 'message.started') listener.onStart(value)
    if (name === 'message.delta') listener.onText(value.at, value.text)
    if (name === 'message.tool') listener.onTool(value.name)
    if (name === 'message.completed') return value
  }
  return null
}
