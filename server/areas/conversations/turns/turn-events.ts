/**
 * The reply of a turn as Server-Sent Events. The turn is completed even if the client disconnects.
 */
import { errorCatalogue } from '../../../contract/error-catalogue.ts'
import { Problem } from '../../../contract/errors.ts'
import type { ServerEvent } from '../../../contract/operations/event-replies.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import type { Exchanged, MessageRow } from '../store.ts'
import { answerTurn } from './answer.ts'
import type { BegunTurn } from './turn.ts'

/** An event stream for the documentation. */
export const exampleEvents = [
  'event: message.started',
  'data: {"message_id":"019aafe2-7c3a-7d41-9f52-3b8e6a1c4d20"}',
  '',
  'event: message.delta',
  'data: {"seq":1,"text":"Yes, behind"}',
  '',
  'event: message.delta',
  'data: {"seq":2,"text":"Yes, behind the shop."}',
  '',
  'event: message.completed',
  'data: {"message":{"role":"assistant","text":"Yes, behind the shop."}}',
  '',
  '',
].join('\n')

export interface EventShapes {
  message(row: MessageRow): unknown
  conversation(row: Exchanged['conversation']): unknown
}

/** Starts the answer at once. It does not wait for the client to read the events. */
export function streamTurn(
  runtime: Runtime,
  begun: BegunTurn,
  shapes: EventShapes,
): AsyncIterable<ServerEvent> {
  const queue = createQueue()
  const started = (message_id: string, in_reply_to: string) =>
    queue.add({ event: 'message.started', data: { message_id, in_reply_to } })
  const end = ({ reply, message, conversation }: Exchanged) => {
    const ended = { conversation: shapes.conversation(conversation) }
    if (reply === null) {
      const data = { reason: 'handed_off', message: shapes.message(message), ...ended }
      return queue.end({ event: 'message.aborted', data })
    }
    if (reply.sources.length > 0)
      queue.add({ event: 'message.sources', data: { sources: reply.sources } })
    queue.end({ event: 'message.completed', data: { message: shapes.message(reply), ...ended } })
  }
  if (begun.kind === 'done') {
    const { message, reply } = begun.exchange
    if (reply) started(reply.id, message.id)
    end(begun.exchange)
    return queue.events()
  }
  const { turn } = begun
  started(turn.reply_id, turn.message.id)
  let seq = 0
  const onText = (text: string) =>
    queue.add({ event: 'message.delta', data: { seq: (seq += 1), text } })
  answerTurn(runtime, turn, onText).then(end, (error: unknown) => {
    if (!(error instanceof Problem)) {
      runtime.log.error({ err: error, conversation_id: turn.conversation.id }, 'a reply failed')
      return queue.end({ event: 'message.aborted', data: { reason: 'failed' } })
    }
    const { slug, status, detail } = error
    const data = { slug, status, detail, user_message: errorCatalogue[slug].user }
    queue.end({ event: 'problem', data })
  })
  return queue.events()
}

interface EventQueue {
  add(event: ServerEvent): void
  end(event: ServerEvent): void
  events(): AsyncGenerator<ServerEvent>
}

/**
 * Queues events until they are read. A delta has the whole text so far, so it replaces an unread
 * one.
 */
function createQueue(): EventQueue {
  const waiting: ServerEvent[] = []
  let has_ended = false
  let wake = Promise.withResolvers<void>()
  const add = (event: ServerEvent) => {
    const is_newer = event.event === 'message.delta' && waiting.at(-1)?.event === 'message.delta'
    if (is_newer) waiting.pop()
    waiting.push(event)
    wake.resolve()
  }
  return {
    add,
    end(event) {
      has_ended = true
      add(event)
    },
    async *events() {
      for (;;) {
        const next = waiting.shift()
        if (next) yield next
        else if (has_ended) return
        else {
          await wake.promise
          wake = Promise.withResolvers<void>()
        }
      }
    },
  }
}
