/** Operations of the assistant. */
import { operation } from '../../../contract/operation.ts'
import { Assistant, AssistantInput } from '../schema.ts'
import * as assistant from '../service.ts'

export const get = operation({
  name: 'assistant.get',
  route: 'GET /assistant',
  about:
    'The assistant of the project: its greeting, its knowledge and the opening hours. ' +
    'If it was never set up, the reply has the defaults and configured is false.',
  keywords:
    'AI receptionist, voice agent, phone robot, what it knows, opening hours, greeting, ' +
    'instructions, facts, current prompt, personality, stored facts',
  scope: 'assistant:write',
  reach: 'project',
  effect: 'read',
  status: 200,
  reply: Assistant,
  errors: [],
  headers: { etag: 'version' },
  run: async (_input, caller) => assistant.show(caller),
})

export const put = operation({
  name: 'assistant.put',
  route: 'PUT /assistant',
  about:
    'Replaces all settings of the assistant; omitted fields get their defaults. They ' +
    'apply at once. With If-Match, the request is refused if the version has changed.',
  keywords:
    'AI receptionist, phone robot, voice agent, phone lady, teach, tell callers, greeting, say ' +
    'hello, voice, friendlier, language, instructions, opening hours, closed, holiday, bank ' +
    'holiday, shut, knowledge, faq, stop saying, prices, formal, tone, rules of conduct, ' +
    'prompt, name, we also do, mention, promise, parking, open until, days off',
  scope: 'assistant:write',
  reach: 'project',
  effect: 'write',
  waits_for_others: true,
  body: AssistantInput,
  status: 200,
  reply: Assistant,
  errors: ['invalid_json', 'validation_failed', 'version_conflict'],
  headers: { etag: 'version' },
  run: async ({ body, if_match }, caller) => assistant.putAssistant(caller, body, if_match),
})
