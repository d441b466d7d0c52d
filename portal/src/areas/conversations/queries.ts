/** Requests of the inbox: lists of conversations, one conversation, and replies, hand-off and closing. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { paths } from 'portal-api'
import { api, inProject, read, type Schemas, type Scope } from '../../api/client.ts'
import { listQuery } from '../../api/list-query.ts'
import { pollEvery } from '../../api/live.ts'

export type ListedConversation = Schemas['ConversationsListReply']['data'][number]
export type Conversation = Schemas['Conversation']
export type Message = Schemas['ChatMessage']

/** Which conversations are shown; the mode is added by the request. */
export type ConversationFilter = Omit<
  NonNullable<paths['/projects/{project_id}/conversations']['get']['parameters']['query']>,
  'limit' | 'cursor' | 'test'
>

/** A conversation with all its messages, the oldest first. */
export interface WholeConversation {
  conversation: Conversation
  messages: Message[]
}

const PAGE_SIZE_MAX = 100
const REFRESH_MS = 8_000

export function conversationsKey({ project_id, mode }: Scope) {
  return ['conversations', project_id, mode] as const
}

function listConversations(
  scope: Scope,
  filter: ConversationFilter,
  { cursor = '', limit, signal }: { cursor?: string; limit: number; signal: AbortSignal },
) {
  const paged = { limit, ...(cursor !== '' && { cursor }) }
  const query = { ...filter, ...paged, test: scope.mode === 'test' }
  const params = { ...inProject(scope), query }
  return read(api.GET('/projects/{project_id}/conversations', { params, signal }))
}

/** Newest first. */
export function conversationsQuery(scope: Scope, filter: ConversationFilter) {
  return listQuery({
    key: [...conversationsKey(scope), 'list', filter],
    refresh_ms: REFRESH_MS,
    read: (page, signal) => listConversations(scope, filter, { ...page, signal }),
  })
}

/** The first page of conversations whose visitor waits for a person, newest first. */
export function waitingQuery(scope: Scope, filter: ConversationFilter = {}) {
  return queryOptions({
    queryKey: [...conversationsKey(scope), 'waiting', filter],
    queryFn: async ({ signal }) =>
      (
        await listConversations(
          scope,
          { ...filter, waiting: true },
          { limit: PAGE_SIZE_MAX, signal },
        )
      ).data,
    placeholderData: keepPreviousData,
    refetchInterval: pollEvery(REFRESH_MS),
  })
}

export function conversationKey(scope: Scope, id: string) {
  return [...conversationsKey(scope), 'one', id] as const
}

export function conversationQuery(scope: Scope, id: string) {
  return queryOptions({
    queryKey: conversationKey(scope, id),
    queryFn: ({ signal }) => readWhole(scope, id, signal),
    refetchInterval: pollEvery(REFRESH_MS),
  })
}

async function readWhole(
  scope: Scope,
  id: string,
  signal: AbortSignal,
): Promise<WholeConversation> {
  const newestFirst: Message[] = []
  let cursor: string | null = ''
  for (;;) {
    const query = { limit: PAGE_SIZE_MAX, ...(cursor !== '' && { cursor }) }
    const params = { ...inProject(scope, { id }), query }
    const route = '/projects/{project_id}/conversations/{id}'
    const page: Schemas['ConversationsGetReply'] = await read(api.GET(route, { params, signal }))
    newestFirst.push(...page.messages)
    cursor = page.next_cursor
    if (cursor === null) return { conversation: page, messages: newestFirst.toReversed() }
  }
}

export function sendReply(
  scope: Scope,
  id: string,
  body: Schemas['ConversationsReplyBody'],
): Promise<Schemas['ConversationsReplyReply']> {
  const params = inProject(scope, { id })
  return read(api.POST('/projects/{project_id}/conversations/{id}/replies', { params, body }))
}

/** Takes the conversation over from the assistant, or gives it back. */
export function handOff(scope: Scope, id: string, active: boolean) {
  const given = { params: inProject(scope, { id }), body: { active } }
  return read(api.POST('/projects/{project_id}/conversations/{id}/handoff', given))
}

export function closeConversation(scope: Scope, id: string) {
  const given = { params: inProject(scope, { id }), body: {} }
  return read(api.POST('/projects/{project_id}/conversations/{id}/close', given))
}

export function deleteConversation(scope: Scope, id: string) {
  const given = { params: inProject(scope, { id }) }
  return read(api.DELETE('/projects/{project_id}/conversations/{id}', given))
}

export function deleteSummary(scope: Scope, id: string) {
  const given = { params: inProject(scope, { id }) }
  return read(api.DELETE('/projects/{project_id}/conversations/{id}/summary', given))
}

export async function readTranscript(scope: Scope, id: string): Promise<string> {
  const params = { ...inProject(scope, { id }), query: { format: 'text' } as const }
  const route = '/projects/{project_id}/conversations/{id}/transcript'
  return (await read(api.GET(route, { params }))).text ?? ''
}
