/** The public tokens of chat widgets and forms. */
import { api, inProject, read, type Schemas, type Scope } from '../../api/client.ts'
import { listQuery } from '../../api/list-query.ts'

export type ChatToken = Schemas['ChatTokensListReply']['data'][number]
export type NewChatToken = Schemas['ChatTokensCreateReply']
export type Theme = ChatToken['theme']
export type TokenInput = Schemas['ChatTokensCreateBody']

const REFRESH_MS = 20_000

export function tokensKey({ project_id, mode }: Scope) {
  return ['chat_tokens', project_id, mode] as const
}

/** Newest first, revoked ones included. */
export function tokensQuery(scope: Scope) {
  return listQuery({
    key: tokensKey(scope),
    refresh_ms: REFRESH_MS,
    read: (page, signal) => {
      const params = { ...inProject(scope), query: page }
      return read(api.GET('/projects/{project_id}/chat-tokens', { params, signal }))
    },
  })
}

export function createToken(scope: Scope, body: TokenInput): Promise<NewChatToken> {
  const params = inProject(scope)
  return read(api.POST('/projects/{project_id}/chat-tokens', { params, body }))
}

export function changeToken(scope: Scope, id: string, body: TokenInput): Promise<ChatToken> {
  const params = inProject(scope, { id })
  return read(api.PATCH('/projects/{project_id}/chat-tokens/{id}', { params, body }))
}

export function revokeToken(scope: Scope, id: string) {
  const params = inProject(scope, { id })
  return read(api.DELETE('/projects/{project_id}/chat-tokens/{id}', { params }))
}
