/** Schemas of the assistant in the API. The specification leaves them open. */
import { Type, type Static } from 'typebox'
import { named } from '../../contract/named.ts'
import { about, E164, orNull, Timestamp } from '../../contract/shapes.ts'
import { days } from './hours/hours.ts'

const dayNames = {
  monday: 'mon',
  tuesday: 'tue',
  wednesday: 'wed',
  thursday: 'thu',
  friday: 'fri',
  saturday: 'sat',
  sunday: 'sun',
} as const

export const longDays: Readonly<Record<string, (typeof days)[number]>> = dayNames

const nullable = <T extends ReturnType<typeof Type.String>>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description })

const Time = Type.String({
  pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
  description: 'a time of day as HH:MM',
  examples: ['09:00'],
})
const EndTime = Type.String({
  pattern: '^(([01]\\d|2[0-3]):[0-5]\\d|24:00)$',
  description: 'a time of day as HH:MM, or 24:00; before `from` it is on the next day',
  examples: ['17:30'],
})
const Day = Type.Enum([...days, ...Object.keys(dayNames)], {
  description: 'Answered as mon to sun.',
})
const Date = Type.String({
  format: 'date',
  description: 'The date, as YYYY-MM-DD in the time zone of the assistant.',
  examples: ['2026-12-25'],
})
const Fact = named(
  'Fact',
  Type.Object(
    {
      question: Type.String({
        minLength: 1,
        maxLength: 500,
        description: 'A question that callers ask, in their words.',
        examples: ['Can I park at your shop?'],
      }),
      answer: Type.String({
        minLength: 1,
        maxLength: 2_000,
        description: 'What the assistant answers.',
        examples: ['Yes, behind the shop, for free.'],
      }),
    },
    { additionalProperties: false },
  ),
)
const email = Type.String({ format: 'email', maxLength: 254, examples: ['info@example.com'] })

const Range = Type.Object({ day: Day, from: Time, to: EndTime }, { additionalProperties: false })
const Closure = Type.Object(
  {
    date: Date,
    reason: Type.Optional(
      nullable(Type.String({ maxLength: 200, examples: ['Christmas Day'] }), 'Said to callers.'),
    ),
  },
  { additionalProperties: false },
)
const Transfer = Type.Object(
  {
    phone: Type.Optional(nullable(E164, 'Where callers who ask for a person are put through to.')),
    email: Type.Optional(nullable(email, 'Where messages for the business may be sent.')),
  },
  { additionalProperties: false },
)

const writable = {
  name: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'What the assistant calls itself. Default: the name of the project.',
  }),
  greeting: Type.String({
    maxLength: 1_000,
    description:
      'Said first; that callers speak with an AI is added to it. Empty: a greeting with the name.',
  }),
  instructions: Type.String({
    maxLength: 20_000,
    description: 'Who the business is and how the assistant should behave, in plain language.',
  }),
  languages: Type.Array(Type.String({ minLength: 2, maxLength: 35, examples: ['nl', 'en-GB'] }), {
    minItems: 1,
    maxItems: 20,
    description: 'BCP 47 tags; the first is the one calls begin in. Default: en.',
  }),
  voice: nullable(
    Type.String({ minLength: 1, maxLength: 100, examples: ['nl-NL-female-1'] }),
    'A voice of the speech provider.',
  ),
  timezone: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'IANA name. Default: Europe/Amsterdam.',
  }),
  opening_hours: Type.Array(Range, {
    maxItems: 70,
    description: 'Several ranges a day may be given. None: not known.',
  }),
  closures: Type.Array(Closure, {
    maxItems: 366,
    description: 'Dates on which nothing of the opening hours begins.',
  }),
  website_url: nullable(
    Type.String({ minLength: 1, maxLength: 2_048, examples: ['https://example.com'] }),
    'A public address. Its text is read and answered from.',
  ),
  facts: Type.Array(Fact, { maxItems: 200, description: 'Questions with the answers to give.' }),
  transfer: about(Transfer, 'How callers reach a person. Both may be left out.'),
}

const readOnly = () => Type.Optional(Type.Unknown({ description: 'Read-only: ignored.' }))

/** Read-only fields are accepted and ignored, so that a client can send back what GET returned. */
const ignored = {
  model: readOnly(),
  version: readOnly(),
  configured: readOnly(),
  updated_at: readOnly(),
}

const exampleAssistant = {
  name: 'Bakery De Molen',
  greeting: 'Good morning, Bakery De Molen. How can I help?',
  instructions: 'You answer the phone of a bakery. Be short and friendly.',
  languages: ['nl', 'en'],
  voice: null,
  timezone: 'Europe/Amsterdam',
  opening_hours: [
    { day: 'tue', from: '08:00', to: '17:30' },
    { day: 'sat', from: '08:00', to: '16:00' },
  ],
  closures: [{ date: '2026-12-25', reason: 'Christmas Day' }],
  website_url: 'https://bakery.example',
  facts: [{ question: 'Can I park at your shop?', answer: 'Yes, behind the shop, for free.' }],
  transfer: { phone: '+31201234567', email: 'info@example.com' },
}

export const AssistantInput = Type.Object(
  { ...Type.Partial(Type.Object(writable)).properties, ...ignored },
  {
    additionalProperties: false,
    minProperties: 1,
    description:
      'The whole assistant: what is left out gets its default. At least one of the writable ' +
      'fields; model, version, configured and updated_at are accepted and ignored.',
    examples: [exampleAssistant],
  },
)
export type AssistantInput = Static<typeof AssistantInput>

export const writableFields: readonly string[] = Object.keys(writable)

export const Assistant = named(
  'Assistant',
  Type.Object({
    ...writable,
    opening_hours: Type.Array(
      Type.Object({
        day: Type.Enum(days, { description: 'Day of the week.' }),
        from: Type.String({ description: 'Opening time as HH:MM.', examples: ['09:00'] }),
        to: Type.String({
          description: 'Closing time as HH:MM; earlier than from means the next day.',
          examples: ['17:30'],
        }),
      }),
      { description: 'The opening hours, in the time zone of the assistant.' },
    ),
    closures: Type.Array(
      Type.Object({
        date: Date,
        reason: orNull(
          Type.String({ examples: ['Christmas Day'] }),
          'Said to callers; null: no reason.',
        ),
      }),
      { description: 'Dates on which the business is closed.' },
    ),
    transfer: Type.Object(
      {
        phone: orNull(
          Type.String({ examples: ['+31201234567'] }),
          'E.164 number that callers are put through to.',
        ),
        email: orNull(
          Type.String({ examples: ['info@example.com'] }),
          'Where messages for the business may be sent.',
        ),
      },
      { description: 'How callers reach a person.' },
    ),
    model: Type.String({
      description: "'builtin', or the provider and its model.",
      examples: ['builtin', 'openai:gpt-5-mini'],
    }),
    version: Type.Integer({ minimum: 0, description: '0: never set up. Also in the ETag.' }),
    configured: Type.Boolean({ description: 'Whether PUT /assistant was ever called.' }),
    updated_at: orNull(Timestamp, 'When PUT /assistant last changed it; null: never.'),
  }),
)
export type Assistant = Static<typeof Assistant>

/** Summary of a conversation (specification: Summary). */
export const ConversationSummary = Type.Object(
  {
    text: Type.String({
      description: 'What it was about and how it ended.',
      examples: ['The caller asked about the opening hours on Saturday and got them.'],
    }),
    topics: Type.Array(Type.String({ examples: ['opening hours'] }), {
      description: 'What it was about, in a few words each.',
    }),
    sentiment: Type.Enum(['positive', 'neutral', 'negative', 'mixed', 'unknown'], {
      description: 'The mood of the caller, judged by words alone.',
    }),
    action_items: Type.Array(Type.String({ examples: ['Keep two loaves for Anna.'] }), {
      description: 'What the business should do.',
    }),
    next_step: Type.String({
      description: 'The one thing the business should do next.',
      examples: ['Keep two loaves for Anna until Saturday noon.'],
    }),
  },
  { additionalProperties: false },
)
export type ConversationSummary = Static<typeof ConversationSummary>
