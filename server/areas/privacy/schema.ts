/** Shapes of retention in the API. */
import { Type, type Static } from 'typebox'
import { limits } from '../../contract/limits.ts'
import { personalDataKinds } from '../../contract/personal-data.ts'
import { nameSchema } from '../../contract/schema/named.ts'
import { orNull } from '../../contract/schema/shapes.ts'
import { purposes } from './recipients.ts'

const daysSchema = (about: string, maximum: number = limits.retention_days_max) =>
  Type.Integer({ minimum: 1, maximum, description: about, examples: [Math.min(90, maximum)] })

const Kind = nameSchema(
  'RetentionKind',
  Type.Enum(
    personalDataKinds.map(({ kind }) => kind),
    { description: 'Name of the kind of data.', examples: ['calls'] },
  ),
)

const KeptData = nameSchema(
  'KeptData',
  Type.Object({
    kind: Kind,
    title: Type.String({ description: 'Title of the kind.', examples: ['Calls'] }),
    about: Type.String({
      description: 'What it contains.',
      examples: ['Numbers of callers, with the time, duration and outcome of each call.'],
    }),
    days: orNull(
      Type.Integer({ examples: [365] }),
      'Days until it is deleted; null: until somebody deletes it.',
    ),
    default_days: orNull(
      Type.Integer({ examples: [730] }),
      'The days of a project that chose nothing.',
    ),
    days_max: orNull(
      Type.Integer({ examples: [7] }),
      'The longest time that can be chosen; null: as long as you like.',
    ),
    chosen_by_project: Type.Boolean({
      description: 'Whether PUT /retention can change the days.',
      examples: [true],
    }),
  }),
)

const Recipient = Type.Object({
  purpose: Type.Enum([...purposes], {
    description: 'What the service is used for.',
    examples: ['model'],
  }),
  provider: Type.String({ description: 'The service.', examples: ['openai'] }),
  gets: Type.String({
    description: 'What it gets.',
    examples: ['The VAT number of the business.'],
  }),
})

export const Retention = nameSchema(
  'Retention',
  Type.Object({
    kinds: Type.Array(KeptData, { description: 'Every kind of personal data that is stored.' }),
    recipients: Type.Array(Recipient, {
      description:
        'Services outside of this installation that get personal data. Webhook endpoints and ' +
        'connected programs of the project are not listed.',
    }),
  }),
)
export type Retention = Static<typeof Retention>

const choices = personalDataKinds
  .filter(({ chosen }) => chosen)
  .map(({ kind, title, days: default_days, days_max }) => {
    const about = `Days until they are deleted: ${title}. Left out: ${default_days ?? 'kept'}.`
    return [
      kind,
      Type.Optional(
        days_max === null ? orNull(daysSchema(about), about) : daysSchema(about, days_max),
      ),
    ] as const
  })

export const RetentionInput = nameSchema(
  'RetentionInput',
  Type.Object(Object.fromEntries(choices), {
    additionalProperties: false,
    examples: [{ calls: 365, call_contents: 90, conversations: 90 }],
  }),
)
export type RetentionInput = Readonly<Record<string, number | null | undefined>>
