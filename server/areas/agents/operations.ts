/** The operations of agents and their runs. */
import { operation } from '../../contract/operation.ts'
import { PageQuery } from '../../contract/schema/pages.ts'
import { Run, RunId, RunInput, RunList, RunQuery } from './run/schema.ts'
import { Proposal, ProposalInput } from './propose/schema.ts'
import { propose as proposeAgent } from './propose/propose.ts'
import { readUrl } from './run/signed-request.ts'
import { Trial, TrialInput } from './run/schema.ts'
import { startTrial } from './run/trial.ts'
import {
  Agent,
  AgentChange,
  AgentId,
  AgentList,
  AgentUrl,
  NewAgent,
  UrlInput,
  VersionList,
} from './schema.ts'
import * as agents from './service.ts'

const reading = { scope: 'project:read', reach: 'project', effect: 'read', status: 200 } as const
const managing = { scope: 'project:write', reach: 'project', effect: 'write' } as const

export const list = operation({
  ...reading,
  name: 'agents.list',
  route: 'GET /agents',
  about: 'The agents of the project, newest first.',
  keywords: 'automations, workflows, bots, scheduled tasks',
  query: PageQuery,
  reply: AgentList,
  errors: ['invalid_parameter'],
  run: ({ query }, caller) => agents.list(caller, query),
})

export const create = operation({
  ...managing,
  name: 'agents.create',
  route: 'POST /agents',
  about:
    'Creates an agent that works for the project automatically: a trigger starts it, and its steps are ' +
    'operations of this API. With actions instead of steps, a language model chooses among them by ' +
    'the instructions. What costs money, contacts an outside person or deletes data waits for a ' +
    'person each time.',
  keywords:
    'automation, workflow, bot, scheduled task, cron, every morning, when a form comes in do, ' +
    'trigger, if this then that',
  body: NewAgent,
  status: 201,
  reply: Agent,
  errors: ['validation_failed', 'missing_scope', 'conflict'],
  run: ({ body }, caller) => agents.create(caller, body),
})

export const find = operation({
  ...reading,
  name: 'agents.get',
  route: 'GET /agents/{id}',
  about: 'An agent with its current version.',
  keywords: 'automation, workflow details, trigger, steps',
  params: AgentId,
  reply: Agent,
  errors: ['not_found'],
  run: ({ params }, caller) => agents.find(caller, params.id),
})

export const change = operation({
  ...managing,
  name: 'agents.update',
  route: 'PATCH /agents/{id}',
  about: 'Changes an agent, as a new version. Runs that have started keep their version.',
  keywords: 'edit automation, workflow, change trigger, schedule, steps',
  params: AgentId,
  body: AgentChange,
  status: 200,
  reply: Agent,
  errors: ['key_mode_mismatch', 'not_found', 'conflict', 'validation_failed', 'missing_scope'],
  run: ({ params, body }, caller) => agents.change(caller, params.id, body),
})

export const remove = operation({
  ...managing,
  name: 'agents.delete',
  route: 'DELETE /agents/{id}',
  about: 'Deletes an agent with its versions and runs.',
  keywords: 'remove automation, workflow',
  consent: { about: 'Deletes an agent, with the history of its work.' },
  params: AgentId,
  status: 204,
  errors: ['key_mode_mismatch', 'not_found'],
  run: ({ params }, caller) => agents.remove(caller, params.id),
})

export const enable = operation({
  ...managing,
  name: 'agents.enable',
  route: 'POST /agents/{id}/enable',
  about: 'Enables a disabled or paused agent.',
  keywords: 'resume automation, turn on, start workflow',
  params: AgentId,
  status: 200,
  reply: Agent,
  errors: ['key_mode_mismatch', 'not_found'],
  run: ({ params }, caller) => agents.enable(caller, params.id),
})

export const disable = operation({
  ...managing,
  name: 'agents.disable',
  route: 'POST /agents/{id}/disable',
  about:
    'Disables an agent. It starts no more runs, and queued runs are skipped. A run that has started ' +
    'continues, but a step that a person approves after this is not executed.',
  keywords: 'pause automation, stop workflow, switch off',
  params: AgentId,
  status: 200,
  reply: Agent,
  errors: ['key_mode_mismatch', 'not_found'],
  run: ({ params }, caller) => agents.disable(caller, params.id),
})

export const run = operation({
  ...managing,
  name: 'agents.run',
  route: 'POST /agents/{id}/run',
  about: 'Starts a run now, whatever the trigger of the agent. See the run for its result.',
  keywords: 'trigger now, execute, start workflow, dry run, test automation',
  params: AgentId,
  body: RunInput,
  status: 201,
  reply: Run,
  errors: ['key_mode_mismatch', 'missing_scope', 'not_found', 'conflict'],
  run: ({ params, body }, caller) => agents.startRun(caller, params.id, body),
})

export const listRuns = operation({
  ...reading,
  name: 'agents.list_runs',
  route: 'GET /agents/{id}/runs',
  about: 'The runs of an agent, newest first.',
  keywords: 'automation history, executions, failures',
  params: AgentId,
  query: RunQuery,
  reply: RunList,
  errors: ['not_found', 'invalid_parameter'],
  run: ({ params, query }, caller) => agents.listRuns(caller, params.id, query),
})

export const findRun = operation({
  ...reading,
  name: 'agents.get_run',
  route: 'GET /agents/{id}/runs/{run_id}',
  about: 'One run of an agent, with its steps.',
  keywords: 'automation log, why did it fail, steps, result',
  params: RunId,
  reply: Run,
  errors: ['not_found'],
  run: ({ params }, caller) => agents.findRun(caller, params),
})

export const cancelRun = operation({
  ...managing,
  name: 'agents.cancel_run',
  route: 'POST /agents/{id}/runs/{run_id}/cancel',
  about: 'Cancels a run that has not ended. A step that waits for a person is not executed.',
  keywords: 'abort, stop automation, kill run',
  params: RunId,
  status: 200,
  reply: Run,
  errors: ['key_mode_mismatch', 'not_found', 'conflict'],
  run: ({ params }, caller) => agents.cancelRun(caller, params),
})

export const listVersions = operation({
  ...reading,
  name: 'agents.list_versions',
  route: 'GET /agents/{id}/versions',
  about: 'All versions of an agent, newest first. A run names the version with which it started.',
  keywords: 'automation history, earlier steps, who changed the workflow',
  params: AgentId,
  query: PageQuery,
  reply: VersionList,
  errors: ['not_found', 'invalid_parameter'],
  run: ({ params, query }, caller) => agents.listVersions(caller, params.id, query),
})

export const readAgentUrl = operation({
  ...managing,
  name: 'agents.url',
  route: 'POST /agents/{id}/url',
  about:
    'The URL that starts an agent with the trigger webhook, and the secret that signs requests to it.',
  keywords: 'inbound webhook, incoming hook, start from another program, zapier, signing secret',
  params: AgentId,
  body: UrlInput,
  status: 200,
  reply: AgentUrl,
  errors: ['key_mode_mismatch', 'missing_scope', 'not_found'],
  run: ({ params, body }, caller) => readUrl(caller, params.id, body.rotate ?? false),
})

export const propose = operation({
  ...managing,
  name: 'agents.propose',
  route: 'POST /agents/propose',
  about:
    'Proposes an agent for a sentence in English or Dutch, as a body for POST /agents. Nothing is ' +
    'created. Sentences that fit no steps get actions for a language model, if one is configured.',
  keywords:
    'describe automation, natural language, every evening mail me, when a form comes in, mail the owner ' +
    'each new order, notify me by email of new submissions',
  body: ProposalInput,
  status: 200,
  reply: Proposal,
  errors: ['validation_failed'],
  run: ({ body }, caller) => proposeAgent(caller, body),
})

export const trial = operation({
  ...managing,
  name: 'agents.try',
  route: 'POST /agents/{id}/try',
  about:
    'Starts a dry run on each of the newest past events that start the agent, or one dry run for an ' +
    'agent without events. See the runs for what it would have done.',
  keywords: 'test automation, dry run, past events, what would have happened, backtest',
  params: AgentId,
  body: TrialInput,
  status: 201,
  reply: Trial,
  errors: ['key_mode_mismatch', 'missing_scope', 'not_found', 'conflict'],
  run: ({ params, body }, caller) => startTrial(caller, params.id, body),
})
