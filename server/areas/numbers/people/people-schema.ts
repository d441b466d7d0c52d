/** The replies of the operations of numbers for people. */
import { Type, type Static } from 'typebox'
import { nameSchema } from '../../../contract/schema/named.ts'
import { withDescription, E164, Timestamp } from '../../../contract/schema/shapes.ts'
import { CallStep } from '../../call-plans/schema.ts'
import { NumberType, PhoneNumber } from '../schema.ts'

const price_eur = Type.Number({
  minimum: 0,
  description: 'Price of a month in euro; 0 for a test number.',
  examples: [5],
})

const NumberDetails = nameSchema(
  'NumberDetails',
  Type.Object({
    ...PhoneNumber.properties,
    price_eur,
    next_charge_on: Type.Union([Type.String({ format: 'date' }), Type.Null()], {
      description: 'First day of the next month to be charged. null for a test number.',
      examples: ['2026-04-01'],
    }),
    is_owed: Type.Boolean({
      description: 'Whether a month that has begun could not be charged yet.',
    }),
    plan_source: Type.Enum(['number', 'project', 'default'], {
      description:
        "'number': the number has a call plan of its own. 'project': it follows the plan of the " +
        "project. 'default': there is neither, so the assistant answers if it is set up.",
    }),
    steps: Type.Array(CallStep, {
      description: 'The first steps of a call that no choice of the caller interrupts.',
      examples: [[{ type: 'forward', label: 'Front desk' }]],
    }),
  }),
)
export type NumberDetails = Static<typeof NumberDetails>

const OpenOrder = nameSchema(
  'OpenNumberOrder',
  Type.Object({
    e164: E164,
    type: NumberType,
    created_at: withDescription(Timestamp, 'When the number was ordered.'),
  }),
)

export const NumbersOverview = nameSchema(
  'NumbersOverview',
  Type.Object({
    data: Type.Array(NumberDetails, { description: 'All numbers, oldest first.' }),
    open_orders: Type.Array(OpenOrder, {
      description: 'Orders that the carrier has not answered yet. Each is settled by itself.',
    }),
    test_numbers_max: Type.Integer({ description: 'Test numbers that a project can have.' }),
    live_numbers_max: Type.Integer({ description: 'Real numbers that a project can have.' }),
  }),
)
export type NumbersOverview = Static<typeof NumbersOverview>

export const CallPlanSchema = nameSchema(
  'CallPlanNodeSchemas',
  Type.Object({
    nodes: Type.Unsafe<Record<string, object>>({
      type: 'object',
      additionalProperties: { type: 'object' },
      description:
        'The JSON Schema of each node type: those of this document, without references. Fields ' +
        'with x-edge name a next node.',
      examples: [{ hangup: { type: 'object' } }],
    }),
  }),
)

const blockerCodes = [
  'live_project',
  'rail',
  'plan',
  'carrier',
  'number_limit',
  'company_details',
  'spending_cap',
  'payment_mandate',
  'phone_verification',
  'payment_authentication',
  'monthly_cap',
  'balance',
  'business',
  'level.company',
  'number_documents',
] as const

const OrderBlocker = nameSchema(
  'NumberOrderBlocker',
  Type.Object({
    code: Type.Enum([...blockerCodes], {
      description: 'What is missing.',
      examples: ['spending_cap'],
    }),
    missing: Type.Array(Type.String(), {
      description: 'The missing parts, such as fields of the company.',
      examples: [['spending_cap']],
    }),
    message: Type.String({
      description: 'The same as a sentence.',
      examples: ['This project has no monthly spending cap.'],
    }),
  }),
)
export type OrderBlocker = Static<typeof OrderBlocker>

const TermsOfType = nameSchema(
  'NumberTermsOfType',
  Type.Object({
    price_eur,
    blockers: Type.Array(OrderBlocker, {
      description: 'Everything that prevents the order. Empty if the number can be ordered.',
    }),
  }),
)
export type TermsOfType = Static<typeof TermsOfType>

export const NumberTerms = nameSchema(
  'NumberTerms',
  Type.Object({
    national: withDescription(TermsOfType, 'Terms of a national number.'),
    geographic: withDescription(TermsOfType, 'Terms of a number of an area.'),
  }),
)
export type NumberTerms = Static<typeof NumberTerms>
