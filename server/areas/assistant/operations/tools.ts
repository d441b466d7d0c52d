/** Operations of the tools that the assistant has in conversations. */
import { operation } from '../../../contract/operation.ts'
import { replaceTools, showTools } from '../tools/manage.ts'
import { Tools, ToolsInput } from '../tools/schema.ts'

export const get = operation({
  name: 'assistant_tools.get',
  route: 'GET /assistant/tools',
  about:
    'What the assistant can do in chats and calls: the collections and fields that it may look up, ' +
    'where it writes messages, and the limits and the use of each tool today.',
  keywords: 'function calling, look up, abilities, actions, what can the assistant do, skills',
  scope: 'assistant:write',
  reach: 'project',
  effect: 'read',
  status: 200,
  reply: Tools,
  errors: [],
  run: (_input, caller) => showTools(caller),
})

export const put = operation({
  name: 'assistant_tools.put',
  route: 'PUT /assistant/tools',
  about:
    'Replaces what the assistant may look up and where it writes messages; omitted fields get their ' +
    'defaults. Every visitor can ask for the allowed fields, so allow none with private data, unless ' +
    'match identifies the visitor. New look_ups need the scope data:read too, and a new ' +
    'messages_collection data:write.',
  keywords:
    'function calling, let the assistant look up orders, availability, stock, take messages, ' +
    'abilities, skills',
  consent: { about: 'Lets visitors and callers ask the assistant for these fields.' },
  scope: 'assistant:write',
  reach: 'project',
  effect: 'write',
  body: ToolsInput,
  status: 200,
  reply: Tools,
  errors: ['validation_failed', 'conflict', 'missing_scope'],
  run: ({ body }, caller) => replaceTools(caller, body),
})
