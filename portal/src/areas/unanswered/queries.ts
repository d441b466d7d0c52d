/** Questions that the assistant could not answer, and the facts that answer them. */
import { api, inProject, read, type Schemas, type Scope } from '../../api/client.ts'
import { listQuery } from '../../api/list-query.ts'

export type Question = Schemas['UnansweredQuestionsListReply']['data'][number]

const REFRESH_MS = 20_000

/** Begins with the key of conversations, so that their changes refresh this list. */
export function questionsKey({ project_id, mode }: Scope) {
  return ['conversations', project_id, mode, 'unanswered'] as const
}

/** The most frequent first. */
export function questionsQuery(scope: Scope) {
  return listQuery({
    key: questionsKey(scope),
    refresh_ms: REFRESH_MS,
    read: (page, signal) => {
      const params = { ...inProject(scope), query: page }
      return read(api.GET('/projects/{project_id}/assistant/unanswered', { params, signal }))
    },
  })
}

export function addFact(scope: Scope, body: Schemas['AssistantFactsCreateBody']) {
  const params = inProject(scope)
  return read(api.POST('/projects/{project_id}/assistant/facts', { params, body }))
}

/** The request is completed also if the person leaves the page (`keepalive`). */
export function dismissQuestion(scope: Scope, id: string) {
  const { path, header } = inProject(scope)
  const given = { params: { path: { ...path, id }, header }, keepalive: true }
  return read(api.DELETE('/projects/{project_id}/assistant/unanswered/{id}', given))
}
