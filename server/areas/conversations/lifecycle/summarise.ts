/** Writes the summary of a closed conversation once, with its event in the same transaction. */
import { Type } from 'typebox'
import { job } from '../../../kernel/jobs/jobs.ts'
import { limits } from '../../../contract/limits.ts'
import * as assistant from '../../assistant/service.ts'
import * as webhooks from '../../webhooks/service.ts'
import * as store from '../store.ts'
import { limitOfToken } from '../turns/token-spending.ts'

export const summariseConversation = job({
  name: 'conversations.summarise',
  payload: Type.Object({ project_id: Type.String(), conversation_id: Type.String() }),
  retry_after_s: [60, 300, 1800, 7200],
  async run({ runtime, payload, finish }) {
    const { project_id, conversation_id } = payload
    const key = { project_id, id: conversation_id }
    const row = await store.find(runtime.db, key)
    if (row?.status !== 'closed' || row.summary || !row.wants_summary) return
    const messages = await store.listMessagesSince(runtime.db, {
      project_id,
      conversation_id,
      count: limits.conversation_messages_max,
      since: null,
    })
    const summary = await assistant.summarizeConversation(runtime, {
      project_id,
      channel: 'chat',
      transcript: messages.map(({ role, text }) => ({ role: speakers[role], text })),
      language: row.language,
      spender: {
        project_id,
        area: 'summary',
        reference_id: conversation_id,
        test: row.test,
        limit: limitOfToken(runtime, row),
      },
    })
    await finish(async (tx) => {
      const now = runtime.clock.now()
      const stored = { ...key, summary: JSON.stringify(summary), now }
      if (!(await store.storeSummary(tx, stored))) return
      await webhooks.emit(tx, runtime, {
        project_id,
        type: 'conversation.summary.ready',
        subject: { conversation_id },
      })
    })
  },
})

const speakers = {
  visitor: 'caller',
  assistant: 'assistant',
  human: 'assistant',
  system: 'system',
} as const
