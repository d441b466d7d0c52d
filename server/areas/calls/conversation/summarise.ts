/** Creates the summary of a call once, and writes its event in the same transaction. */
import type { Runtime } from '../../../kernel/runtime.ts'
import * as assistant from '../../assistant/service.ts'
import * as webhooks from '../../webhooks/service.ts'
import * as store from '../store.ts'

/**
 * Creates the summary of a call and its event, if the call needs a summary and has none.
 * Idempotent.
 */
export async function writeSummary(
  runtime: Runtime,
  ids: { project_id: string; call_id: string },
): Promise<void> {
  const { project_id, call_id } = ids
  const row = await store.find(runtime.db, project_id, call_id)
  if (!row?.wants_summary || row.summary) return
  const summary = await assistant.summarizeConversation(runtime, {
    project_id,
    transcript: row.transcript,
    language: row.language,
    spender: row.test ? { project_id, area: 'summary', reference_id: call_id, test: true } : null,
  })
  await runtime.db.transact(async (tx) => {
    const now = runtime.clock.now()
    const kept = await store.storeSummary(tx, {
      project_id,
      id: call_id,
      summary: JSON.stringify(summary),
      now,
    })
    if (kept)
      await webhooks.emit(tx, runtime, {
        project_id,
        type: 'call.summary.ready',
        subject: { call_id },
      })
  })
}
