/** Request and reply schemas of the assistant. The specification does not define them. */
import { Type, type Static } from 'typebox'
import { nameSchema } from '../../contract/schema/named.ts'
import { markAsOutsiders } from '../../contract/schema/outsiders.ts'
import { withDescription, E164, orNull, Timestamp } from '../../contract/schema/shapes.ts'
import { days } from './hours.ts'

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
  description: 'Days of the week; in replies always mon to sun.',
})
const Date = Type.String({
  format: 'date',
  description: "Date as YYYY-MM-DD in the assistant's time zone.",
  examples: ['2026-12-25'],
})
export const FACTS_MAX = 200

export const Fact = nameSchema(
  'Fact',
  Type.Object(
    {
      question: Type.String({
        minLength: 1,
        maxLength: 500,
        description: 'A question as callers ask it.',
        examples: ['Can I park at your shop?'],
      }),
      answer: Type.String({
        minLength: 1,
        maxLength: 2_000,
        description: 'The answer to give.',
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
      nullable(
        Type.String({ maxLength: 200, examples: ['Reason that callers are told.'] }),
        'Said to callers.',
      ),
    ),
  },
  { additionalProperties: false },
)
const Transfer = Type.Object(
  {
    phone: Type.Optional(
      nullable(E164, 'Phone number to which callers who ask for a person are transferred.'),
    ),
    email: Type.Optional(
      nullable(email, 'Address to which messages for the business may be sent.'),
    ),
  },
  { additionalProperties: false },
)

const writable = {
  name: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'Name that the assistant uses. Default: the project name.',
  }),
  greeting: Type.String({
    maxLength: 1_000,
    description:
      'Opening sentence. A notice that the caller speaks with an AI is added. Default: ' +
      'a greeting with the name.',
  }),
  instructions: Type.String({
    maxLength: 20_000,
    description:
      'Description of the business and instructions for the assistant, in plain language.',
  }),
  languages: Type.Array(Type.String({ minLength: 2, maxLength: 35, examples: ['nl', 'en-GB'] }), {
    minItems: 1,
    maxItems: 20,
    description: 'BCP 47 language tags. Calls start in the first one. Default: en.',
  }),
  voice: nullable(
    Type.String({ minLength: 1, maxLength: 100, examples: ['nl-NL-female-1'] }),
    'Voice name of the speech provider.',
  ),
  model: nullable(
    Type.String({ minLength: 1, maxLength: 200, examples: ['openai:gpt-5-mini'] }),
    'One of `models`; null: the first of them. Omitted: unchanged.',
  ),
  timezone: Type.String({
    minLength: 1,
    maxLength: 64,
    description: 'IANA time zone. Default: Europe/Amsterdam.',
  }),
  opening_hours: Type.Array(Range, {
    maxItems: 70,
    description: 'Opening hours by day; a day can have several ranges. Empty: unknown.',
  }),
  closures: Type.Array(Closure, {
    maxItems: 366,
    description: 'Closed dates. A range of opening hours does not start on them.',
  }),
  website_url: nullable(
    Type.String({ minLength: 1, maxLength: 2_048, examples: ['https://example.com'] }),
    'Public URL of a website. The assistant answers from its text.',
  ),
  facts: Type.Array(Fact, { maxItems: FACTS_MAX, description: 'Questions and their answers.' }),
  transfer: withDescription(Transfer, 'How callers reach a person. Both fields are optional.'),
}

const readOnly = () => Type.Optional(Type.Unknown({ description: 'Read-only: ignored.' }))

/** Read-only fields are accepted and ignored, so that a client can send back what GET returned. */
const ignored = {
  models: readOnly(),
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
  model: null,
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
      'All settings of the assistant; omitted fields get their defaults. At least one ' +
      'writable field is required; models, version, configured and updated_at are ' +
      'accepted and ignored.',
    examples: [exampleAssistant],
  },
)
export type AssistantInput = Static<typeof AssistantInput>

export const writableFields: readonly string[] = Object.keys(writable)

export const Assistant = nameSchema(
  'Assistant',
  Type.Object({
    ...writable,
    opening_hours: Type.Array(
      Type.Object({
        day: Type.Enum(days, { description: 'Day of the week.' }),
        from: Type.String({ description: 'Opening time as HH:MM.', examples: ['09:00'] }),
        to: Type.String({
          description: 'Closing time as HH:MM. If it is earlier than from, it is on the next day.',
          examples: ['17:30'],
        }),
      }),
      { description: "Opening hours, in the assistant's time zone." },
    ),
    closures: Type.Array(
      Type.Object({
        date: Date,
        reason: orNull(
          Type.String({ examples: ['Christmas Day'] }),
          'Reason that callers are told; null if there is none.',
        ),
      }),
      { description: 'Dates on which the business is closed.' },
    ),
    transfer: Type.Object(
      {
        phone: orNull(
          Type.String({ examples: ['+31201234567'] }),
          'E.164 number to which callers are transferred.',
        ),
        email: orNull(
          Type.String({ examples: ['info@example.com'] }),
          'Address to which messages for the business may be sent.',
        ),
      },
      { description: 'How callers reach a person.' },
    ),
    model: Type.String({
      description: "The model in use: 'builtin', or the provider and model.",
      examples: ['builtin', 'openai:gpt-5-mini'],
    }),
    models: Type.Array(Type.String({ examples: ['builtin'] }), {
      description: 'The models that the operator allows; the first is the default.',
    }),
    version: Type.Integer({
      minimum: 0,
      description:
        'Version of the settings, also in the ETag; 0 if the assistant was never set up.',
    }),
    configured: Type.Boolean({ description: 'true after the first PUT /assistant.' }),
    updated_at: orNull(Timestamp, 'Time of the last PUT /assistant; null if there was none.'),
  }),
)
export type Assistant = Static<typeof Assistant>

/** A source of an answer. Titles of web pages were written by outsiders. */
export const CitedSource = Type.Object({
  title: markAsOutsiders(
    Type.String({
      description: 'Title of the page, text or file, or the question of a fact.',
      examples: ['Can I park?'],
    }),
  ),
  url: markAsOutsiders(orNull(Type.String(), 'Address of the page; null if it has none.')),
  source_id: Type.String({
    description: 'Id of the source in GET /assistant/sources; fact: and a number for a fact.',
    examples: ['fact:3'],
  }),
})

/** Summary of a conversation (specification: Summary). */
export const ConversationSummary = Type.Object(
  {
    text: Type.String({
      description: 'What the call was about and how it ended.',
      examples: ['The caller asked about the opening hours on Saturday and got them.'],
    }),
    topics: Type.Array(Type.String({ examples: ['opening hours'] }), {
      description: 'Topics of the call, a few words each.',
    }),
    sentiment: Type.Enum(['positive', 'neutral', 'negative', 'mixed', 'unknown'], {
      description: 'Mood of the caller, judged by the words alone.',
    }),
    action_items: Type.Array(Type.String({ examples: ['Keep two loaves for Anna.'] }), {
      description: 'Actions for the business.',
    }),
    next_step: Type.String({
      description: 'The next action for the business.',
      examples: ['Keep two loaves for Anna until Saturday noon.'],
    }),
  },
  { additionalProperties: false },
)
export type ConversationSummary = Static<typeof ConversationSummary>
