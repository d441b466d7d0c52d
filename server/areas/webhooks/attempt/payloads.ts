/**
 * Loads payloads of concurrent deliveries together, by one query per batch, if their source
 * supports it.
 */
import type { EventSource, SubjectInProject } from '../../../contract/events.ts'
import { isDatabaseAway } from '../../../kernel/database/database.ts'
import { gather } from '../../../kernel/database/driver/gather.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { byType, type SourceOf } from './sources.ts'

const TOGETHER_MAX = 64

/** The sources by type, with batching where supported. */
export function sourcesByType(runtime: Runtime, sources: readonly EventSource[]): SourceOf {
  return byType(sources.map((source) => loadingTogether(runtime, source)))
}

function loadingTogether(runtime: Runtime, source: EventSource): EventSource {
  const { loadMany } = source
  if (!loadMany) return source
  const together = gather((wanted: readonly SubjectInProject[]) => loadMany(runtime.db, wanted), {
    items_max: TOGETHER_MAX,
  })
  return {
    ...source,
    async load(db, project_id, subject) {
      try {
        return await together({ project_id, subject })
      } catch (error) {
        if (isDatabaseAway(error)) throw error
        // A failing subject must not fail the others.
        return source.load(db, project_id, subject)
      }
    },
  }
}
