/** Schemas of agents in the API. */
import { Type, type Static } from 'typebox'
import { eventTypeNames } from '../../contract/event-types.ts'
import { limits } from '../../contract/limits.ts'
import { nameSchema } from '../../contract/schema/named.ts'
import { PageReply } from '../../contract/schema/pages.ts'
import {
  orNull,
  Timestamp,
  Uuid,
  withDescription,
  withExample,
} from '../../contract/schema/shapes.ts'
import { AgentLimits, AgentLimitsInput } from './agent-limits.ts'

const closed = { additionalProperties: false }

const Filter = Type.String({
  minLength: 1,
  maxLength: limits.filter_characters_max,
  description: 'A filter in the grammar of data, on the data of the event.',
  examples: ['collection.name = "signups"'],
})

export const Trigger = Type.Union(
  [
    Type.Object({ type: Type.Literal('manual', { description: 'By request only.' }) }, closed),
    Type.Object(
      {
        type: Type.Literal('schedule', { description: 'At the times of a schedule.' }),
        cron: Type.String({
          maxLength: 200,
          description: 'Minute, hour, day of the month, month and day of the week, as in cron.',
          examples: ['0 8 * * *'],
        }),
        timezone: Type.Optional(
          Type.String({
            maxLength: 100,
            description: 'Time zone of the schedule; UTC if absent.',
            examples: ['Europe/Amsterdam'],
          }),
        ),
      },
      closed,
    ),
    Type.Object(
      {
        type: Type.Literal('event', { description: 'By each event of a type.' }),
        event: Type.String({
          description: `The event type: ${eventTypeNames.filter((name) => name !== 'webhook.test').join(', ')}.`,
          examples: ['document.created'],
        }),
        filter: Type.Optional(Filter),
      },
      closed,
    ),
    Type.Object(
      {
        type: Type.Literal('webhook', {
          description: 'By a signed request to its own URL, which POST /agents/{id}/url returns.',
        }),
      },
      closed,
    ),
  ],
  {
    description:
      'What starts a run: a request (manual), the times of a schedule, the events of a type, or a ' +
      'signed request to its own URL (webhook).',
    examples: [{ type: 'event', event: 'document.created' }],
  },
)

const Approval = Type.Literal('owner', {
  description: 'Waits for a person each time, also if its effect does not demand it.',
  examples: ['owner'],
})

const Step = Type.Object(
  {
    name: Type.Optional(
      Type.String({
        pattern: '^[a-z][a-z0-9_]{0,39}$',
        description: 'Later steps use its reply as steps.<name>.reply.',
        examples: ['note'],
      }),
    ),
    when: Type.Optional(
      withDescription(
        withExample(Filter, 'event.data.document.data.guests > 6'),
        'A filter on event, input, steps and project. If it is false, the step is skipped.',
      ),
    ),
    action: Type.String({
      maxLength: 100,
      description: 'operationId of an operation of this API, or notify.owner.',
      examples: ['documents.create'],
    }),
    input: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'Arguments of the operation, by name. {{event.data…}}, {{input…}}, ' +
        '{{steps.<name>.reply…}}, {{project.name}}, {{now}}, {{today}}, {{today_start}}, {{yesterday}}, ' +
        '{{week_ago}} and {{month_ago}} are filled in.',
      examples: [{ name: 'log', body: { guest: '{{event.data.document.data.name}}' } }],
    }),
    approval: Type.Optional(Approval),
    on_rejection: Type.Optional(
      Type.Enum(['fail', 'continue'], {
        description:
          'Whether the run fails or continues if a person rejects the step; default fail.',
        examples: ['fail'],
      }),
    ),
  },
  closed,
)

const AgentAction = Type.Object(
  {
    action: Type.String({
      maxLength: 100,
      description: 'operationId of an operation of this API, or notify.owner.',
      examples: ['orders.list'],
    }),
    config: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description:
          'Fixed arguments, which the language model cannot change; it chooses the others. Templates ' +
          'are filled in as in steps.',
        examples: [{ limit: 20 }],
      }),
    ),
    approval: Type.Optional(Approval),
  },
  closed,
)

const fields = {
  name: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'Name of the agent.',
    examples: ['Log of large bookings'],
  }),
  instructions: Type.String({
    maxLength: 8000,
    description:
      'What the agent does, in plain language. Steps decide alone; a language model that chooses among ' +
      'actions follows the instructions.',
    examples: ['Write every booking of more than six guests into the log.'],
  }),
  trigger: Trigger,
  steps: Type.Array(Step, {
    maxItems: limits.agent_steps_max,
    description: 'What a run does, in this order; empty if a language model chooses among actions.',
    examples: [[{ action: 'notify.owner', input: { subject: 'Hello', text: 'It is {{today}}.' } }]],
  }),
  actions: Type.Array(AgentAction, {
    maxItems: limits.agent_steps_max,
    description:
      'What a language model may do when it follows the instructions; empty for an agent with steps.',
    examples: [[]],
  }),
  model: withExample(
    orNull(
      Type.String({ maxLength: 200 }),
      'The language model of an agent with actions; null for the default one, and with steps.',
    ),
    null,
  ),
  overlap: Type.Enum(['skip', 'queue'], {
    description:
      'What happens to a run while another one of this agent has not ended: it is skipped, or waits.',
    examples: ['queue'],
  }),
}

export const AgentInput = Type.Object(
  {
    name: fields.name,
    instructions: Type.Optional(fields.instructions),
    trigger: fields.trigger,
    steps: Type.Optional(fields.steps),
    actions: Type.Optional(fields.actions),
    model: Type.Optional(fields.model),
    overlap: Type.Optional(fields.overlap),
    limits: Type.Optional(AgentLimitsInput),
  },
  closed,
)
export type AgentInput = Static<typeof AgentInput>

export const NewAgent = Type.Object(
  {
    ...AgentInput.properties,
    status: Type.Optional(
      Type.Enum(['active', 'disabled'], {
        description: 'Whether it starts runs; default active. A disabled one can be tried first.',
        examples: ['active'],
      }),
    ),
  },
  closed,
)
export type NewAgent = Static<typeof NewAgent>

export const AgentChange = Type.Partial(AgentInput, { ...closed, minProperties: 1 })
export type AgentChange = Static<typeof AgentChange>

/** What a version of an agent stores. */
export type Definition = Required<AgentInput> & { limits: AgentLimits }
export type AgentStep = Static<typeof Step>
export type AgentAction = Static<typeof AgentAction>

const AutoApproval = Type.Object(
  {
    action: Type.String({
      maxLength: 100,
      description: 'The operation that no longer waits for a person.',
      examples: ['emails.create'],
    }),
    max_per_day: Type.Integer({
      minimum: 1,
      maximum: limits.agent_auto_approvals_per_day_max,
      description: 'How often in 24 hours; further steps wait for a person again.',
      examples: [20],
    }),
  },
  closed,
)

const approval_policy = Type.Array(AutoApproval, {
  maxItems: limits.agent_steps_max,
  description:
    'Actions that a person approved in advance, each with a cap. Every change of the agent empties it.',
  examples: [[]],
})
export type ApprovalPolicy = Static<typeof approval_policy>

export const PolicyInput = Type.Object(
  {
    version: Type.Integer({
      minimum: 1,
      description: 'The version of the agent that the person saw; another one is a conflict.',
      examples: [1],
    }),
    approval_policy,
  },
  closed,
)
export type PolicyInput = Static<typeof PolicyInput>

export const AgentId = Type.Object({
  id: Type.String({ format: 'uuid', description: 'Id of the agent.' }),
})

export const Agent = nameSchema(
  'Agent',
  Type.Object({
    id: withDescription(Uuid, 'Id of the agent.'),
    ...fields,
    limits: AgentLimits,
    approval_policy,
    status: Type.Enum(['active', 'paused', 'disabled'], {
      description:
        'active: its trigger starts runs. paused: too many runs in a row failed. disabled: switched ' +
        'off. Only an active agent starts runs.',
    }),
    paused_reason: withExample(
      orNull(Type.Enum(['failures']), 'Why it is paused; null if it is not.'),
      null,
    ),
    version: Type.Integer({
      description: 'Number of the version; each change of the agent adds one.',
      examples: [1],
    }),
    next_run_at: withExample(
      orNull(Timestamp, 'When its schedule starts it next; null without a schedule.'),
      null,
    ),
    created_by: Type.String({
      description: 'Name of the key, connection or person that created it.',
      examples: ['Claude'],
    }),
    created_at: withDescription(Timestamp, 'When it was created.'),
    test: Type.Boolean({
      description: 'Whether it works in test mode, without real effects.',
      examples: [false],
    }),
    warnings: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'What keeps its event from starting it until a setting is changed. Absent if nothing does, and in lists.',
        examples: [
          [
            'document.created is not sent for these collections, because their webhook_on_insert is false: orders.',
          ],
        ],
      }),
    ),
  }),
)
export type Agent = Static<typeof Agent>

export const AgentList = PageReply(Agent)
export type AgentList = Static<typeof AgentList>

export const AgentUrl = nameSchema(
  'AgentUrl',
  Type.Object({
    url: Type.String({
      description: 'POST a JSON object to it; the run reads it as {{input…}}.',
      examples: ['https://home.example/hooks/agents/0199c2f0/0199c2f1'],
    }),
    secret: Type.String({
      description:
        'Key of the signature in the header Service-Signature, made like that of webhooks. Keep it secret.',
      examples: ['whsec_4x9bq'],
    }),
  }),
)
export type AgentUrl = Static<typeof AgentUrl>

export const UrlInput = Type.Object(
  {
    rotate: Type.Optional(
      Type.Boolean({
        description: 'Makes a new secret. The old one stops at once.',
        examples: [false],
      }),
    ),
  },
  closed,
)

const AgentVersion = Type.Object({
  version: Type.Integer({ description: 'Number of the version.', examples: [1] }),
  saved_by: Type.String({
    description: 'Name of the key, connection or person that saved it.',
    examples: ['Claude'],
  }),
  saved_at: withDescription(Timestamp, 'When it was saved.'),
  ...fields,
  limits: AgentLimits,
})

export const VersionList = PageReply(nameSchema('AgentVersion', AgentVersion))
export type VersionList = Static<typeof VersionList>
