/** Shapes of the plan of a project, for people only. Amounts are in euro, excluding VAT. */
import { Type, type Static } from 'typebox'
import { planNames } from '../../contract/plans.ts'
import { nameSchema } from '../../contract/schema/named.ts'
import { orNull, Timestamp, withDescription } from '../../contract/schema/shapes.ts'
import { EURO_MAX } from '../../kernel/values/money.ts'
import { limitNames } from './fit.ts'

const PlanName = (description: string, example = 'online') =>
  Type.Enum([...planNames], { description, examples: [example] })
const Title = (description: string) => Type.String({ description, examples: ['Online'] })
const Euro = (description: string, example: number) =>
  Type.Number({ minimum: 0, description, examples: [example] })
const Day = (description: string) =>
  Type.String({ format: 'date', description, examples: ['2026-12-01'] })

const Excess = Type.Object({
  name: Type.Enum(limitNames, { description: 'What is limited.' }),
  used: Type.Integer({ minimum: 0, description: 'Current use.', examples: [24] }),
  max: Type.Integer({ minimum: 0, description: 'Maximum of the plan.', examples: [20] }),
  url: Type.String({
    format: 'uri',
    description: 'The page where the use can be reduced.',
    examples: [
      'https://home.example/portal/app/projects/019aafe2-7c3a-7d41-9f52-3b8e6a1c4d20/data',
    ],
  }),
})
export type Excess = Static<typeof Excess>

const OfferedPlan = Type.Object({
  plan: PlanName('The plan.'),
  title: Title('Its title.'),
  change: Type.Union([Type.Enum(['upgrade', 'downgrade']), Type.Null()], {
    description:
      'upgrade takes effect at once, downgrade at the end of the month; null for the current plan.',
    examples: ['upgrade'],
  }),
  price_month_eur: Euro('Price of a whole month, from the day on which the plan takes effect.', 9),
  price_now_eur: Euro('What is charged at the change; zero for a downgrade.', 1.2),
  takes_effect_on: Day('When a change that is made now takes effect.'),
  limits: Type.Array(
    Type.Object({
      name: Type.Enum(limitNames, { description: 'What is limited.' }),
      max: Type.Integer({ minimum: 0, description: 'Maximum of the plan.', examples: [50] }),
    }),
    { description: 'The limits of the plan.' },
  ),
  does_not_fit: Type.Array(Excess, {
    description: 'The limits of the plan that the project exceeds.',
  }),
})

const FailedPayment = Type.Object({
  amount_eur: Euro('What is owed.', 9),
  reason: Type.String({
    description: 'Why it could not be charged: an error type or a refusal of the card.',
    examples: ['card_declined'],
  }),
  failed_at: withDescription(Timestamp, 'When the last attempt failed.'),
  tries: Type.Integer({ minimum: 0, description: 'Failed attempts so far.', examples: [1] }),
  tries_max: Type.Integer({
    minimum: 1,
    description: 'After this many the project gets the limits of Free.',
    examples: [3],
  }),
  next_try_at: orNull(Timestamp, 'When the next attempt is made; null if there is none.'),
})

export const ProjectPlan = nameSchema(
  'ProjectPlan',
  Type.Object({
    plan: PlanName('The plan of the project.'),
    title: Title('Its title.'),
    state: Type.Enum(['free', 'granted', 'active', 'past_due', 'ended'], {
      description:
        'granted: set by the operator, without a charge. past_due: this month is owed. ended: on ' +
        'Free after failed payments.',
      examples: ['active'],
    }),
    is_changeable: Type.Boolean({
      description: 'Whether this project can change it; false for the test project of a pair.',
    }),
    price_month_eur: Euro('What the plan costs per month; zero if nothing is charged.', 9),
    renews_on: orNull(Day('A day.'), 'When the next month is charged; null if nothing is charged.'),
    planned: orNull(
      Type.Object({
        plan: PlanName('The smaller plan.', 'free'),
        title: Title('Its title.'),
        on: Day('When it takes effect, if everything fits then.'),
        price_month_eur: Euro('What it costs per month.', 0),
        does_not_fit: Type.Array(Excess, {
          description: 'The exceeded limits that would prevent it now.',
        }),
      }),
      'The planned downgrade; null if there is none.',
    ),
    failed_payment: orNull(FailedPayment, 'The payment that failed; null if there is none.'),
    pending_payment: orNull(
      Type.Object({
        plan: PlanName('The plan that is paid.'),
        amount_eur: Euro('What the card pays.', 9),
        created_at: withDescription(Timestamp, 'When it began.'),
      }),
      'The card payment whose outcome is not known yet; null if there is none.',
    ),
    balance_eur: Euro('The spendable balance. It pays if it covers the whole amount.', 24.916),
    card: orNull(
      Type.Object({
        brand: Type.String({ description: 'Brand of the card.', examples: ['visa'] }),
        last4: Type.String({ description: 'Its last four digits.', examples: ['4242'] }),
      }),
      'The saved card. It pays the whole amount if the balance does not cover it; null if none is saved.',
    ),
    used: Type.Array(
      Type.Object({
        name: Type.Enum(limitNames, { description: 'What is limited.' }),
        used: Type.Integer({ minimum: 0, description: 'Current use.', examples: [2] }),
      }),
      { description: 'The use of each limit.' },
    ),
    plans: Type.Array(OfferedPlan, { description: 'Every plan, the smallest first.' }),
  }),
)
export type ProjectPlan = Static<typeof ProjectPlan>

export const PlanChange = Type.Object(
  {
    plan: PlanName('The plan to change to.', 'business'),
    price_now_eur: Type.Number({
      minimum: 0,
      maximum: EURO_MAX,
      description: 'The price_now_eur that was shown; another price is refused.',
      examples: [1.2],
    }),
  },
  { additionalProperties: false },
)
export type PlanChange = Static<typeof PlanChange>
