/** The row of a source that waits to be indexed. */
import type { SourceRow } from './source-store.ts'

export type SourceContent = Pick<SourceRow, 'project_id' | 'id' | 'kind' | 'title' | 'test'> &
  Partial<Pick<SourceRow, 'url' | 'text' | 'site_id' | 'media_id'>>

export function newSource(content: SourceContent, now: Date): SourceRow {
  const empty = { url: null, text: null, site_id: null, media_id: null, error: null, robots: null }
  const counts = { attempts: 0, pages_done: 0, pages_total: 0, pages: 0, bytes_read: 0n }
  const times = {
    started_at: null,
    due_at: now,
    indexed_at: null,
    created_at: now,
    updated_at: now,
  }
  const state = { status: 'pending' as const, run: 1, content_mark: null }
  return { ...empty, ...counts, ...times, ...state, managed_by: 'sources', ...content }
}
