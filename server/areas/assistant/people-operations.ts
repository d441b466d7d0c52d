/** The operation of the assistant for people only: a conversation without a call. */
import { peopleOperation } from '../../contract/people.ts'
import { TryOutInput, TryOutReply } from './try-out/schema.ts'
import { tryOut as reply } from './try-out/try-out.ts'

export const tryOut = peopleOperation({
  name: 'assistant.try',
  route: 'POST /projects/{project_id}/assistant/try',
  about:
    'Returns what the assistant would say next in a conversation, and what it knew for that. ' +
    'Nothing is stored and nobody is called. A configured language model costs the same as in a ' +
    'test call: the first replies of a day are free.',
  access: 'member',
  effect: 'write',
  body: TryOutInput,
  status: 200,
  reply: TryOutReply,
  errors: ['conflict', 'validation_failed', 'test_free_replies_used'],
  run: ({ body }, caller) => reply(caller, body),
})
