/**
 * The schemas of call plans. A plan is stored exactly as sent and shown exactly as stored: its keys
 * are camelCase, and unknown keys stay in it.
 */
import { Type, type Static } from 'typebox'
import { checkedByService } from '../../contract/operations/checked-by-service.ts'
import { nameSchema } from '../../contract/schema/named.ts'
import { Uuid } from '../../contract/schema/shapes.ts'
import { createMapSchema, nodeIdSchema, planLimits } from './nodes/node-fields.ts'
import { PlanNode } from './nodes/node-schemas.ts'
import { formatSize } from '../../kernel/values/size.ts'

const examplePlan = {
  entry: 'reception',
  nodes: {
    reception: {
      id: 'reception',
      type: 'forward',
      strategy: 'sequential',
      targets: [{ kind: 'external', e164: '+31201234567' }],
      ringSeconds: 20,
      onNoAnswer: 'assistant',
    },
    assistant: { id: 'assistant', type: 'ai_agent' },
  },
}

/** A valid plan: the shape that is stored, shown and followed. */
export const CallPlan = nameSchema(
  'CallPlan',
  Type.Object(
    {
      entry: nodeIdSchema('Id of the first node of a call.', 'reception'),
      nodes: createMapSchema(PlanNode, {
        minProperties: 1,
        maxProperties: planLimits.nodes_max,
        description: `The nodes, keyed by their ids. At most ${planLimits.nodes_max}.`,
        examples: [examplePlan.nodes],
      }),
    },
    {
      description:
        'A call plan, in camelCase. It is stored exactly as sent: unknown keys are kept and have ' +
        `no effect. At most ${formatSize(planLimits.bytes_max)}.`,
      examples: [examplePlan],
    },
  ),
)
export type CallPlan = Static<typeof CallPlan>

/**
 * A plan in a request. The documentation shows Plan and the type is unknown: validate.ts checks the
 * body, to report every fault at once and to give refused targets their own errors.
 */
export const SentPlan = checkedByService(CallPlan)

const PlanWarning = nameSchema(
  'CallPlanWarning',
  Type.Object({
    path: Type.String({
      description: 'JSON Pointer to the key or node in the plan.',
      examples: ['/nodes/reception/next'],
    }),
    message: Type.String({
      description: 'What has no effect, and what to use instead.',
      examples: ['A forward node has no field "next", so it has no effect. Use "onNoAnswer".'],
    }),
    nearest: Type.Optional(
      Type.String({
        description: 'Known field with a similar name. Absent if there is none.',
        examples: ['onNoAnswer'],
      }),
    ),
  }),
)
export type PlanWarning = Static<typeof PlanWarning>

export const CallPlanReply = Type.Object({
  number_id: Uuid,
  version: Type.Integer({
    minimum: 0,
    description:
      "Version of the number's plan; each PUT adds 1. 0 when the project's plan is used.",
    examples: [3],
  }),
  source: Type.Enum(['number', 'project'], {
    description:
      "'number': the number's own plan. 'project': the number has none, and the " +
      "project's plan is used.",
  }),
  plan: SentPlan,
  warnings: Type.Optional(
    Type.Array(PlanWarning, {
      maxItems: planLimits.warnings_max,
      description:
        'Keys of the plan that have no effect, and unreachable nodes. The plan is ' +
        'stored anyway. Absent if there are none.',
    }),
  ),
})
export type CallPlanReply = Static<typeof CallPlanReply>

export const CallStep = nameSchema(
  'CallStep',
  Type.Object({
    type: Type.Enum(
      [
        'forward',
        'ai_agent',
        'readText',
        'menu',
        'openingHours',
        'callerMatch',
        'playAudio',
        'voicemail',
        'sendSms',
        'goto',
        'hangup',
      ],
      { description: 'Type of the node of the call plan.', examples: ['forward'] },
    ),
    label: Type.Union([Type.String(), Type.Null()], {
      description: 'Label of the node. null if it has none.',
      examples: ['Front desk'],
    }),
  }),
)
export type CallStep = Static<typeof CallStep>

/** What a check of a plan found. A plan is stored if there are no errors and no refusal. */
export const PlanCheck = nameSchema(
  'CallPlanCheck',
  Type.Object({
    errors: Type.Array(
      Type.Object({
        path: Type.String({
          description: 'JSON Pointer to the faulty part of the plan.',
          examples: ['/nodes/reception/targets/0/e164'],
        }),
        message: Type.String({
          description: 'What is wrong with it.',
          examples: ['is required'],
        }),
      }),
      { description: 'The faults of the plan, and the targets that calls may not go to.' },
    ),
    refusal: Type.Union([Type.String(), Type.Null()], {
      description: 'The error with which the plan would be refused. null if it would be stored.',
      examples: ['assistant_not_configured'],
    }),
    warnings: Type.Array(PlanWarning, {
      description: 'Keys of the plan that have no effect, and unreachable nodes.',
    }),
  }),
)
export type PlanCheck = Static<typeof PlanCheck>

/** The final status of a call, as far as a plan decides it. */
export const endStatuses = [
  'ai_handled',
  'forwarded',
  'voicemail',
  'menu_ended',
  'missed',
  'busy',
  'blocked',
  'failed',
  // Of outbound calls alone.
  'no_answer',
  'canceled',
] as const

/** Statuses of a call that has not ended. */
export const runningStatuses = ['queued', 'ringing', 'in_progress'] as const

/** Why a call ended, in the carriers' terms. */
export const hangupCauses = [
  'call_rejected',
  'normal_clearing',
  'originator_cancel',
  'timeout',
  'time_limit',
  'user_busy',
  'not_found',
  'no_answer',
  'unspecified',
] as const

/** The side that ended a call. */
export const hangupSides = ['caller', 'assistant', 'callee', 'system'] as const
