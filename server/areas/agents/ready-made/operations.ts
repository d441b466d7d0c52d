/** Operations of ready-made agents. */
import { operation } from '../../../contract/operation.ts'
import { Agent } from '../schema.ts'
import { installTemplate, listTemplates } from './ready-made.ts'
import { InstallInput, TemplateList, TemplateQuery } from './schema.ts'

export const list = operation({
  name: 'agents.list_templates',
  route: 'GET /agents/templates',
  about: 'Ready-made agents, such as a daily summary of a form, with what to fill in.',
  keywords: 'automation ideas, presets, recipes, examples, gallery',
  scope: 'project:read',
  reach: 'project',
  effect: 'read',
  query: TemplateQuery,
  status: 200,
  reply: TemplateList,
  errors: ['invalid_parameter'],
  run: async ({ query }) => listTemplates(query),
})

export const install = operation({
  name: 'agents.install_template',
  route: 'POST /agents/install',
  about:
    'Creates an agent from a ready-made one. It is switched off: try it with a dry run, then ' +
    'enable it.',
  keywords: 'ready-made automation, preset, daily summary, recipe',
  scope: 'project:write',
  reach: 'project',
  effect: 'write',
  body: InstallInput,
  status: 201,
  reply: Agent,
  errors: ['validation_failed', 'missing_scope', 'conflict'],
  run: ({ body }, caller) => installTemplate(caller, body),
})
