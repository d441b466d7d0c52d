/** Requests about the sources of the assistant's knowledge and their passages. */
import { queryOptions } from '@tanstack/react-query'
import { api, inProject, read, type Schemas, type Scope } from '../../api/client.ts'
import { listQuery } from '../../api/list-query.ts'
import { pollEvery } from '../../api/live.ts'

export type Source = Schemas['KnowledgeSourcesCreateReply']
export type SourceDetail = Schemas['KnowledgeSourcesGetReply']
export type SourceInput = Schemas['KnowledgeSourcesCreateBody']
export type Usage = Schemas['KnowledgeSourcesUsageReply']
export type Found = Schemas['KnowledgeSourcesSearchReply']['passages'][number]

const PASSAGES_SIZE = 20
const REFRESH_MS = 5_000

export function knowledgeKey({ project_id, mode }: Scope) {
  return ['knowledge_sources', project_id, mode] as const
}

/** Newest first. */
export function sourcesQuery(scope: Scope) {
  return listQuery({
    key: [...knowledgeKey(scope), 'list'],
    refresh_ms: REFRESH_MS,
    read: (page, signal) => {
      const params = { ...inProject(scope), query: page }
      return read(api.GET('/projects/{project_id}/assistant/sources', { params, signal }))
    },
  })
}

export function usageQuery(scope: Scope) {
  const params = inProject(scope)
  return queryOptions({
    queryKey: [...knowledgeKey(scope), 'usage'],
    queryFn: ({ signal }) =>
      read(api.GET('/projects/{project_id}/assistant/knowledge', { params, signal })),
  })
}

export function sourceQuery(scope: Scope, id: string) {
  const params = inProject(scope, { id })
  return queryOptions({
    queryKey: [...knowledgeKey(scope), 'one', id],
    queryFn: ({ signal }) =>
      read(api.GET('/projects/{project_id}/assistant/sources/{id}', { params, signal })),
    refetchInterval: pollEvery(REFRESH_MS),
  })
}

/** The indexed parts of text of a source that contain the words `q`, in the order of reading. */
export function passagesQuery(scope: Scope, id: string, q: string) {
  const given = inProject(scope, { id })
  return listQuery({
    key: [...knowledgeKey(scope), 'passages', id, q],
    size: PASSAGES_SIZE,
    read: (page, signal) => {
      const params = { ...given, query: { ...(q !== '' && { q }), ...page } }
      return read(
        api.GET('/projects/{project_id}/assistant/sources/{id}/passages', { params, signal }),
      )
    },
  })
}

export async function searchKnowledge(scope: Scope, question: string): Promise<Found[]> {
  const params = inProject(scope)
  const route = '/projects/{project_id}/assistant/knowledge/search'
  return (await read(api.POST(route, { params, body: { question } }))).passages
}

export function createSource(scope: Scope, body: SourceInput) {
  const params = inProject(scope)
  return read<Source>(api.POST('/projects/{project_id}/assistant/sources', { params, body }))
}

export function refreshSource(scope: Scope, id: string) {
  const params = inProject(scope, { id })
  return read<Source>(api.POST('/projects/{project_id}/assistant/sources/{id}/refresh', { params }))
}

export function deleteSource(scope: Scope, id: string) {
  const params = inProject(scope, { id })
  return read(api.DELETE('/projects/{project_id}/assistant/sources/{id}', { params }))
}

/** Allows the assistant to answer from a collection, or forbids it. */
export function setAssistantFacts(scope: Scope, name: string, assistant_facts: boolean) {
  const params = inProject(scope, { name })
  const route = '/projects/{project_id}/collections/{name}'
  return read(api.PATCH(route, { params, body: { assistant_facts } }))
}
