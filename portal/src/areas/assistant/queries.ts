/** The assistant of a project: its settings, and a conversation that tries it out. */
import { queryOptions } from '@tanstack/react-query'
import { api, inProject, read, type Schemas, type Scope } from '../../api/client.ts'

export type Assistant = Schemas['Assistant']
export type Fact = Assistant['facts'][number]
export type Closure = Assistant['closures'][number]
export type Turn = Schemas['AssistantTryBody']['turns'][number]
export type Reply = Schemas['AssistantTryReply']
export type Source = Reply['sources'][number]

/** The fields that a person can change. Without `model`, the model stays as it is. */
export type Settings = Omit<
  Assistant,
  'model' | 'models' | 'version' | 'configured' | 'updated_at'
> & { model?: string }

export const FACTS_MAX = 200
export const CLOSURES_MAX = 366

export function settingsOf(assistant: Assistant): Settings {
  const {
    model: _,
    models: _models,
    version: _version,
    configured: _configured,
    updated_at: _at,
    ...rest
  } = assistant
  return rest
}

export function assistantKey({ project_id, mode }: Scope) {
  return ['assistant', project_id, mode] as const
}

export function assistantQuery(scope: Scope) {
  return queryOptions({
    queryKey: assistantKey(scope),
    queryFn: ({ signal }) => readAssistant(scope, signal),
  })
}

export function readAssistant(scope: Scope, signal?: AbortSignal) {
  const params = inProject(scope)
  const asked = { params, ...(signal && { signal }) }
  return read<Assistant>(api.GET('/projects/{project_id}/assistant', asked))
}

/** Saves changes. Throws `version_conflict` if the settings have changed since `version`. */
export function saveAssistant(scope: Scope, body: Partial<Settings>, version: number) {
  const { path, header } = inProject(scope)
  const params = { path, header: { ...header, 'If-Match': `"${version}"` } }
  return read<Assistant>(api.PUT('/projects/{project_id}/assistant', { params, body }))
}

/** Returns the next reply of the assistant; without turns, the greeting. */
export function askAssistant(scope: Scope, turns: readonly Turn[]) {
  const given = { params: inProject(scope), body: { turns: [...turns] } }
  return read<Reply>(api.POST('/projects/{project_id}/assistant/try', given))
}
