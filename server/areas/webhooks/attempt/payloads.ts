/**
 * Payloads are built at delivery, and many deliveries are under way at once: where a source can
 * load several subjects in one query, those that are wanted at the same moment are loaded so.
 */
import type { EventSource, Wanted } from '../../../contract/events.ts'
import { isDatabaseAway } from '../../../kernel/database/database.ts'
import { gather } from '../../../kernel/database/driver/gather.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { byType, type SourceOf } from '../sources.ts'

const TOGETHER_MAX = 64

/** The sources by their type, each loading together what can be. */
export function sourcesByType(runtime: Runtime, sources: readonly EventSource[]): SourceOf {
  return byType(sources.map((source) => loadingTogether(runtime, source)))
}

function loadingTogether(runtime: Runtime, source: EventSource): EventSource {
  const { loadMany } = source
  if (!loadMany) return source
  const together = gather((wanted: readonly Wanted[]) => loadMany(runtime.db, wanted), {
    items_max: TOGETHER_MAX,
  })
  return {
    ...source,
    async load(db, project_id, subject) {
      try {
        return await together({ project_id, subject })
      } catch (error) {
        if (isDatabaseAway(error)) throw error
        // One that cannot be built must not take the others along.
        return source.load(db, project_id, subject)
      }
    },
  }
}
