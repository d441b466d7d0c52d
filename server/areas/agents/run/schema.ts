/** Schemas of the runs of agents in the API. */
import { Type, type Static } from 'typebox'
import { markAsOutsiders } from '../../../contract/schema/outsiders.ts'
import { nameSchema } from '../../../contract/schema/named.ts'
import { PageQuery, PageReply } from '../../../contract/schema/pages.ts'
import {
  orNull,
  Timestamp,
  Uuid,
  withDescription,
  withExample,
} from '../../../contract/schema/shapes.ts'

const closed = { additionalProperties: false }

const RunStatus = Type.Enum(
  [
    'queued',
    'running',
    'waiting_approval',
    'completed',
    'failed',
    'canceled',
    'timed_out',
    'limit_reached',
    'skipped',
  ],
  {
    description:
      'waiting_approval: a step waits for the decision of a person. timed_out: it worked too long. ' +
      'limit_reached: a limit of the agent, see reason. skipped: see reason.',
    examples: ['completed'],
  },
)

const StepProblem = Type.Object({
  slug: Type.String({ description: 'Slug of the error.', examples: ['not_found'] }),
  user_message: Type.String({
    description: 'What went wrong.',
    examples: ['There is no collection with this name.'],
  }),
  detail: Type.String({
    description: 'The same for developers, with the faults of the arguments.',
    examples: ['There is no collection "log".'],
  }),
})

const listed = {
  id: withDescription(Uuid, 'Id of the run.'),
  agent_id: withDescription(Uuid, 'Id of the agent.'),
  agent_version: withExample(
    orNull(Type.Integer(), 'Version of the agent; null before it starts.'),
    1,
  ),
  status: RunStatus,
  trigger: Type.Object(
    {
      type: Type.Enum(['manual', 'schedule', 'event', 'webhook'], {
        description: 'Kind of the trigger.',
      }),
      event_id: orNull(Type.String(), 'Id of the event; null without one.'),
    },
    { description: 'What started it.', examples: [{ type: 'manual', event_id: null }] },
  ),
  dry_run: Type.Boolean({
    description: 'Whether its steps were only tried: operations that read ran, others did nothing.',
    examples: [false],
  }),
  reason: withExample(
    orNull(
      Type.String(),
      'Why it was skipped or ended early: overlap, agent_paused, event_deleted, filter, canceled, ' +
        'runs_per_day, steps_per_run, actions_per_run, emails_per_day, cost_per_run, cost_per_month, ' +
        'test_free_calls_used, insufficient_balance, billing_blocked.',
    ),
    null,
  ),
  problem: withExample(orNull(StepProblem, 'The error; null unless failed.'), null),
  cost_eur: Type.Number({
    description: 'What its steps and requests to a language model cost.',
    examples: [0],
  }),
  created_at: withDescription(Timestamp, 'When it was created.'),
  started_at: withExample(orNull(Timestamp, 'When it started; null before that.'), null),
  ended_at: withExample(orNull(Timestamp, 'When it ended; null before that.'), null),
  test: Type.Boolean({ description: 'Whether it works in test mode.', examples: [false] }),
}

const ListedRun = nameSchema('AgentRunSummary', Type.Object(listed))
export type ListedRun = Static<typeof ListedRun>

const stepStatuses = [
  'waiting_approval',
  'done',
  'failed',
  'rejected',
  'skipped',
  'would_run',
  'would_wait',
] as const

const RunStep = Type.Object({
  seq: Type.Integer({ description: 'Position of the step, from 1.', examples: [1] }),
  type: Type.Enum(['rule', 'model', 'action'], {
    description:
      'rule: a fixed step. model: a request to a language model. action: an action that it chose.',
    examples: ['rule'],
  }),
  action: Type.String({
    description: 'The operation, or the name of the language model.',
    examples: ['documents.create'],
  }),
  status: Type.Enum([...stepStatuses], {
    description:
      'skipped: its condition was false. would_run: in a dry run, it would run at once. would_wait: ' +
      'in a dry run, it would wait for a person.',
    examples: ['done'],
  }),
  input: markAsOutsiders(
    withExample(
      orNull(
        Type.Unknown(),
        'The arguments, with all values filled in; null if skipped, and without the scopes to read them.',
      ),
      { name: 'log' },
    ),
  ),
  output: markAsOutsiders(
    withExample(
      orNull(
        Type.Unknown(),
        'The reply, or what the language model said and chose; null unless done, and without the ' +
          'scopes to read it.',
      ),
      null,
    ),
  ),
  problem: withExample(orNull(StepProblem, 'The error; null without one.'), null),
  approval_id: withExample(
    orNull(Uuid, 'The approval, for GET /approvals/{id}; null if it needs none.'),
    null,
  ),
  usage: withExample(
    orNull(
      Type.Object({
        input_tokens: Type.Integer({ description: 'Tokens of the prompt.', examples: [900] }),
        output_tokens: Type.Integer({ description: 'Tokens of the answer.', examples: [40] }),
        estimated: Type.Boolean({
          description: 'Whether they are estimated, because the provider did not count.',
          examples: [false],
        }),
      }),
      'Use of the language model; null for another step.',
    ),
    null,
  ),
  cost_eur: Type.Number({
    description: 'What it cost: cost_eur of its reply, or the price of the tokens.',
    examples: [0],
  }),
  started_at: withDescription(Timestamp, 'When it started.'),
  ended_at: withExample(orNull(Timestamp, 'When it ended; null while it waits.'), null),
})

export const Run = nameSchema(
  'AgentRun',
  Type.Object({
    ...listed,
    output_summary: markAsOutsiders(
      withExample(
        orNull(
          Type.String(),
          'The last words of the language model; null without one, and without the scopes to read them.',
        ),
        null,
      ),
    ),
    steps: Type.Array(RunStep, { description: 'The steps so far, in their order.' }),
  }),
)
export type Run = Static<typeof Run>

export const RunList = PageReply(ListedRun)
export type RunList = Static<typeof RunList>

export const RunQuery = Type.Object(
  { ...PageQuery.properties, status: Type.Optional(RunStatus) },
  closed,
)
export type RunQuery = Static<typeof RunQuery>

export const RunInput = Type.Object(
  {
    input: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'Values for {{input…}}.',
        examples: [{ week: 47 }],
      }),
    ),
    event_id: Type.Optional(
      Type.String({
        maxLength: 100,
        description:
          'A past event to run on, by its id; latest is the newest one that starts the agent. An ' +
          'event that does not match the filter is skipped.',
        examples: ['latest'],
      }),
    ),
    dry_run: Type.Optional(
      Type.Boolean({
        description:
          'Only tries the steps: operations that read run, others change nothing, and no approval is requested. ' +
          'Works for an agent that is switched off too.',
        examples: [true],
      }),
    ),
  },
  closed,
)
export type RunInput = Static<typeof RunInput>

const TRIAL_MAX = 10

export const TrialInput = Type.Object(
  {
    events: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: TRIAL_MAX,
        description: 'Maximum number of past events; default 5.',
        examples: [5],
      }),
    ),
  },
  closed,
)
export type TrialInput = Static<typeof TrialInput>

export const Trial = Type.Object({
  data: Type.Array(Run, {
    description: 'The dry runs that were started, that of the newest event first.',
  }),
})
export type Trial = Static<typeof Trial>

export const RunId = Type.Object({
  id: Type.String({ format: 'uuid', description: 'Id of the agent.' }),
  run_id: Type.String({ format: 'uuid', description: 'Id of the run.' }),
})
