/** Writes a message for the business as a document of the collection that the project chose. */
import { Type, type Static } from 'typebox'
import type { Transaction } from '../../kernel/database/database.ts'
import { enqueue, job } from '../../kernel/jobs/jobs.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import * as assistant from '../assistant/service.ts'
import * as data from '../data/service.ts'

const Known = Type.Union([Type.String(), Type.Null()])

const KeptMessage = Type.Object({
  /** Also the id of the document, so that it is written once. */
  id: Type.String(),
  text: Type.String(),
  name: Known,
  email: Known,
  phone: Known,
  channel: Type.Enum(['chat', 'call']),
  language: Known,
  /** Id of the conversation or the call. */
  conversation_id: Type.String(),
  received_at: Type.String(),
  test: Type.Boolean(),
})
export type KeptMessage = Static<typeof KeptMessage>

export const keepMessage = job({
  name: 'conversations.keep_message',
  payload: KeptMessage,
  retry_after_s: [10, 60, 600],
  async run({ runtime, project_id, payload }) {
    if (project_id === null) return
    const { messages } = await assistant.readTools(runtime.db, project_id)
    if (messages === null) return
    const { id, test, ...message } = payload
    const document = { project_id, ...messages, id, test }
    const refused = await data.createOnce(runtime, { ...document, data: message })
    if (refused === null) return
    // The schema of the collection may accept only the text.
    const { text } = message
    const still_refused = await data.createOnce(runtime, { ...document, data: { text } })
    if (still_refused === null) return
    runtime.log.warn({ project_id, refused }, 'a message was not written to its collection')
  },
})

/** Enqueues the write in the transaction, if the project chose a collection. */
export async function enqueueMessage(
  tx: Transaction,
  runtime: Runtime,
  { project_id, ...payload }: KeptMessage & { project_id: string },
): Promise<void> {
  const { messages } = await assistant.readTools(tx, project_id)
  if (messages !== null) await enqueue(tx, runtime, keepMessage, { payload, project_id })
}
