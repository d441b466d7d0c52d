/**
 * Loads payloads of concurrent deliveries together, by one query per batch, if their source
 * supports it.
 */
import type { EventSource, SubjectInProject } from '../../../contract/events.ts'
import { isDatabaseUnavailable } from '../../../kernel/database/database.ts'
import { batchCalls } from '../../../kernel/process/batch-calls.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { indexByType, type SourcesByType } from './sources.ts'

const TOGETHER_MAX = 64

/** The sources by type, with batching where supported. */
export function mapSources(runtime: Runtime, sources: readonly EventSource[]): SourcesByType {
  return indexByType(sources.map((source) => loadingTogether(runtime, source)))
}

function loadingTogether(runtime: Runtime, source: EventSource): EventSource {
  const { loadMany } = source
  if (!loadMany) return source
  const together = batchCalls(
    (wanted: readonly SubjectInProject[]) => loadMany(runtime.db, wanted),
    {
      items_max: TOGETHER_MAX,
    },
  )
  return {
    ...source,
    async load(db, project_id, subject) {
      try {
        return await together({ project_id, subject })
      } catch (error) {
        if (isDatabaseUnavailable(error)) throw error
        // A failing subject fails only its own delivery.
        return source.load(db, project_id, subject)
      }
    },
  }
}
