/** The payload of conversation.summary.ready, built at delivery. It never includes messages. */
import { Type } from 'typebox'
import { Dropped, event } from '../../contract/events.ts'
import { withDescription } from '../../contract/schema/shapes.ts'
import { ConversationSummary } from '../assistant/schema.ts'
import { present } from './present.ts'
import { Conversation } from './schema.ts'
import * as store from './store.ts'

export const conversationSummaryReady = event({
  type: 'conversation.summary.ready',
  data: Type.Object({
    conversation: withDescription(Conversation, 'The conversation that was closed.'),
    summary: withDescription(ConversationSummary, 'The summary of the conversation.'),
  }),
  async load(db, project_id, { conversation_id }: { conversation_id: string }) {
    const row = await store.find(db, { project_id, id: conversation_id })
    if (!row?.summary || !row.closed_at) return new Dropped('summary_deleted')
    return { conversation: present(row, row.closed_at), summary: row.summary }
  },
})
