/** The payloads of message events, built at delivery. They never include the text. */
import { Type } from 'typebox'
import { Dropped, event, type SubjectInProject } from '../../contract/events.ts'
import type { EventType } from '../../contract/event-types.ts'
import type { Reader } from '../../kernel/database/database.ts'
import { withDescription } from '../../contract/schema/shapes.ts'
import { presentFacts } from './present.ts'
import { MessageFacts } from './schema.ts'
import * as store from './store.ts'

type MessageSubject = { message_id: string }

function messageEvent(type: EventType, description: string) {
  return event({
    type,
    data: Type.Object({ message: withDescription(MessageFacts, description) }),
    async load(db: Reader, project_id: string, { message_id }: MessageSubject) {
      return dataOf(await store.find(db, { project_id, id: message_id }))
    },
    async loadMany(db: Reader, wanted: readonly SubjectInProject<MessageSubject>[]) {
      const keys = wanted.map(({ project_id, subject }) => {
        return { project_id, id: subject.message_id }
      })
      return (await store.findMany(db, keys)).map(dataOf)
    },
  })
}

function dataOf(row: store.MessageRow | undefined) {
  return row ? { message: presentFacts(row) } : new Dropped('message_deleted')
}

export const messageDelivered = messageEvent(
  'message.delivered',
  'The message that reached the phone.',
)
export const messageFailed = messageEvent('message.failed', 'The message that was not delivered.')
export const messageReceived = messageEvent(
  'message.received',
  'The message that arrived. GET /messages/{id} has its text.',
)
