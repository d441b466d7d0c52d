/** The transcript of a conversation, as text and as JSON. */
import type { Caller } from '../../../contract/caller.ts'
import { limits } from '../../../contract/limits.ts'
import * as assistant from '../../assistant/service.ts'
import { findVisible } from '../service.ts'
import type { Transcript } from '../schema.ts'
import * as store from '../store.ts'

const speakers = { visitor: 'Visitor', assistant: 'Assistant', human: 'Person', system: 'System' }

export async function exportTranscript(
  caller: Caller,
  id: string,
  { format }: { format: 'json' | 'text' },
): Promise<Transcript> {
  const { db, project } = caller
  const row = await findVisible(caller, id)
  const [messages, { timezone }] = await Promise.all([
    store.listMessagesSince(db, {
      project_id: project.id,
      conversation_id: id,
      count: limits.conversation_messages_max,
      since: null,
    }),
    assistant.readContacts(db, project.id),
  ])
  const line = ({ role, text, created_at }: store.MessageRow) => {
    const speaker = role === 'visitor' ? nameVisitor(row.visitor.name) : speakers[role]
    return `${toLocal(created_at, timezone)} ${speaker}: ${oneLine(text)}`
  }
  return {
    conversation_id: id,
    text: format === 'json' ? null : messages.map(line).join('\n'),
    messages: messages.map(({ role, text, created_at }) => ({
      role,
      text,
      created_at: created_at.toISOString(),
    })),
  }
}

/** A colon would end the name, so that the rest of it imitates a message. */
function nameVisitor(name: string | null): string {
  const shown = oneLine((name ?? '').replaceAll(/[:\uff1a]/g, ' '))
  return shown === '' ? speakers.visitor : `${speakers.visitor} (${shown})`
}

/** Replaces line breaks, so that a message cannot imitate the line of another speaker. */
function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

function toLocal(time: Date, timezone: string): string {
  const local = Temporal.Instant.fromEpochMilliseconds(time.getTime()).toZonedDateTimeISO(timezone)
  return local.toPlainDateTime().toString({ smallestUnit: 'minute' }).replace('T', ' ')
}
