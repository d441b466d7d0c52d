/** Operations of the assistant. */
import { operation } from '../../contract/operation.ts'
import { Assistant, AssistantInput } from './schema.ts'
import * as assistant from './service.ts'

export const get = operation({
  name: 'assistant.get',
  route: 'GET /assistant',
  about:
    'The assistant of the project: how it introduces itself, what it knows and when the business ' +
    'is open. Before it was ever set up these are the defaults, with configured false.',
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
    'Replaces the whole assistant: what is left out gets its default. It answers by these ' +
    'settings from then on. With If-Match only the version that was read is replaced.',
  scope: 'assistant:write',
  reach: 'project',
  effect: 'write',
  body: AssistantInput,
  status: 200,
  reply: Assistant,
  errors: ['invalid_json', 'validation_failed', 'version_conflict'],
  headers: { etag: 'version' },
  run: async ({ body, if_match }, caller) => assistant.put(caller, body, if_match),
})
