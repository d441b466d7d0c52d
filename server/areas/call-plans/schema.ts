/**
 * What a client sees of call plans. A plan is stored exactly as sent and shown exactly as stored,
 * so its keys are camelCase and keys unknown here stay in it.
 */
import { Type, type Static, type TSchema } from 'typebox'
import { Uuid } from '../../contract/shapes.ts'
import { mapOf, nodeId, planLimits, PlanNode } from './node-schemas.ts'

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

const Entry = nodeId('Id of the node that a call begins with.')
const Nodes = mapOf(PlanNode, {
  minProperties: 1,
  maxProperties: planLimits.nodes_max,
  description: 'The nodes, keyed by their ids.',
})

/** A plan that may be kept: what is stored, shown and followed. */
export const Plan = Type.Object(
  { entry: Entry, nodes: Nodes },
  { description: 'A call plan, camelCase, exactly as it was sent.', examples: [examplePlan] },
)
export type Plan = Static<typeof Plan>

/** Shows a schema without enforcing it: whatever does not fit it fits the second choice. */
const documented = (schema: TSchema, description: string) =>
  Type.Unsafe<unknown>({ anyOf: [schema, {}], description })

/**
 * The body of PUT /numbers/{id}/call-plan. It takes any object, because the rules are checked by
 * validate.ts, which finds every fault at once and gives refused targets their own errors.
 */
export const CallPlan = Type.Object(
  {
    entry: documented(Entry, 'Required. Id of the node that a call begins with.'),
    nodes: documented(
      Nodes,
      `Required. At most ${planLimits.nodes_max} nodes, keyed by their ids.`,
    ),
  },
  {
    additionalProperties: true,
    description:
      'A call plan. It is stored exactly as sent: keys the service does not know are kept, and ' +
      `so is the order of keys. At most ${planLimits.bytes_max} bytes.`,
    examples: [examplePlan],
  },
)

export const CallPlanReply = Type.Object({
  number_id: Uuid,
  version: Type.Integer({
    minimum: 0,
    description: "Grows by one with every PUT; 0 when the project's plan is used.",
    examples: [3],
  }),
  source: Type.Enum(['number', 'project'], {
    description:
      "'number': the number's own plan. 'project': it has none, and calls follow the project's.",
  }),
  plan: Type.Unsafe<unknown>(Plan),
})
export type CallPlanReply = Static<typeof CallPlanReply>

/** What became of a call, as far as a plan decides it. */
export const endStatuses = [
  'ai_handled',
  'forwarded',
  'menu_ended',
  'missed',
  'busy',
  'blocked',
  'failed',
] as const

/** Why a call ended, in the words of the carriers. */
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

/** Who ended a call. */
export const hangupSides = ['caller', 'assistant', 'callee', 'system'] as const
