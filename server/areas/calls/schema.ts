/**
 * The schemas of calls for clients (specification: Call, Summary), and the script of a test call.
 */
import { Type, type Static } from 'typebox'
import { limits } from '../../contract/limits.ts'
import { markAsOutsiders } from '../../contract/schema/outsiders.ts'
import { PageQuery, PageReply } from '../../contract/schema/pages.ts'
import { nameSchema } from '../../contract/schema/named.ts'
import {
  withDescription,
  E164,
  orNull,
  withExample,
  RequestTime,
  Timestamp,
  Uuid,
} from '../../contract/schema/shapes.ts'
import * as assistant from '../assistant/schema.ts'
import { endStatuses, hangupCauses, hangupSides, runningStatuses } from '../call-plans/schema.ts'

const purposes = ['transactional', 'marketing'] as const

export const Call = nameSchema(
  'Call',
  Type.Object({
    id: withDescription(Uuid, 'Id of the call.'),
    direction: Type.Enum(['inbound', 'outbound'], {
      description:
        'inbound: a caller called a number of the project. outbound: the assistant ' +
        'called a person.',
    }),
    from: withDescription(E164, 'Number of the caller, in E.164 format.'),
    to: withExample(
      withDescription(E164, 'Number that was called, in E.164 format.'),
      '+31201234567',
    ),
    status: Type.Enum([...runningStatuses, ...endStatuses], {
      description:
        'queued, ringing and in_progress: the call is running. Every other value is its outcome.',
      examples: ['ai_handled'],
    }),
    purpose: orNull(
      Type.Enum([...purposes]),
      'Why an outbound call was made; null for an inbound call.',
    ),
    created_at: withDescription(Timestamp, 'When the record was created.'),
    started_at: withExample(
      withDescription(Timestamp, 'When the phone began to ring.'),
      '2026-11-21T09:28:10.000Z',
    ),
    answered_at: Type.Union([Timestamp, Type.Null()], {
      description: 'When the call was answered; null if it was not.',
      examples: ['2026-11-21T09:28:14.000Z'],
    }),
    ended_at: Type.Union([Timestamp, Type.Null()], {
      description: 'When the call ended; null while it is running.',
      examples: ['2026-11-21T09:29:58.000Z'],
    }),
    duration_sec: Type.Integer({
      minimum: 0,
      description: 'Whole seconds from answer to end; 0 if the call was not answered.',
      examples: [104],
    }),
    hangup_cause: Type.Union([Type.Enum([...hangupCauses]), Type.Null()], {
      description: 'Why the call ended; null while it is running.',
      examples: ['normal_clearing'],
    }),
    hangup_by: Type.Union([Type.Enum([...hangupSides]), Type.Null()], {
      description:
        'Who ended the call; null while it is running. callee: the person who was called, or to ' +
        'whom the call was forwarded. system: the service.',
      examples: ['caller'],
    }),
    has_summary: Type.Boolean({ description: 'Whether GET /calls/{id} has a summary.' }),
    summary_ready_at: orNull(Timestamp, 'When the summary was ready; null if there is none.'),
    test: Type.Boolean({ description: 'true for a simulated call.' }),
  }),
)
export type Call = Static<typeof Call>

const { text, topics, sentiment, action_items, next_step } =
  assistant.ConversationSummary.properties

/**
 * Written by the assistant; allows fields of later versions. Parts of it repeat callers, so the
 * texts count as text of outsiders.
 */
export const Summary = nameSchema(
  'CallSummary',
  Type.Object({
    text: markAsOutsiders(text),
    topics: { ...topics, items: markAsOutsiders(topics.items) },
    sentiment,
    action_items: { ...action_items, items: markAsOutsiders(action_items.items) },
    next_step: markAsOutsiders(next_step),
  }),
)
export type Summary = Static<typeof Summary>

const TranscriptLine = Type.Object({
  role: Type.Enum(['caller', 'assistant', 'system'], {
    description:
      'Speaker. caller: the person on the phone, also if the assistant called them. system: a ' +
      'text of the call plan, or a note of the service.',
  }),
  // The assistant repeats callers and reads out websites and documents of outside people.
  text: markAsOutsiders(
    Type.String({ description: 'The spoken text.', examples: ['Are you open on Saturday?'] }),
    { unless: { field: 'role', is: ['system'] } },
  ),
  at: withDescription(Timestamp, 'When it was said.'),
  node_id: Type.Union([Type.String(), Type.Null()], {
    description: 'Id of the call plan node.',
    examples: ['assistant'],
  }),
  sources: Type.Array(assistant.CitedSource, {
    description: 'Where an answer of the assistant comes from; empty for other lines.',
  }),
})
export type TranscriptLine = Static<typeof TranscriptLine>

const CallMessage = Type.Object({
  id: withDescription(Uuid, 'Id of the message.'),
  kind: Type.Enum(['assistant', 'voicemail'], {
    description: 'assistant: the assistant took it. voicemail: left at a voicemail node.',
    examples: ['voicemail'],
  }),
  text: markAsOutsiders(
    Type.String({
      description: "The message in the caller's words.",
      examples: ['Please keep two loaves for Anna.'],
    }),
  ),
  left_at: withDescription(Timestamp, 'When the caller left it.'),
})

const cost_eur = Type.Number({
  minimum: 0,
  description: 'Charged for the call so far, in euro; 0 for a call without costs.',
  examples: [0],
})

const ListedCall = nameSchema('ListedCall', Type.Object({ ...Call.properties, cost_eur }))

export const CallDetail = nameSchema(
  'CallDetail',
  Type.Object({
    ...Call.properties,
    cost_eur,
    number_id: withDescription(
      Uuid,
      'Id of the number of the project: the one that was called, or that the assistant called from.',
    ),
    instructions: orNull(
      Type.String(),
      'What the assistant was asked to do in an outbound call; null for an inbound one.',
    ),
    language: orNull(
      Type.String({ examples: ['nl'] }),
      'Language tag: the one set by the line, otherwise the language of the caller; ' +
        'null if the caller said nothing.',
    ),
    path: Type.Array(Type.String(), {
      description: 'Ids of the call plan nodes the call visited.',
      examples: [['reception', 'assistant']],
    }),
    transcript: Type.Array(TranscriptLine, { description: 'The conversation, in order.' }),
    summary: orNull(
      Summary,
      'The summary; null if the assistant did not take part, or if it is not ready yet.',
    ),
    messages: Type.Array(CallMessage, {
      description: 'Messages the caller left for the business, in order; often empty.',
    }),
  }),
)
export type CallDetail = Static<typeof CallDetail>

const Search = Type.String({
  minLength: 1,
  maxLength: limits.call_search_characters_max,
  description:
    'Only calls whose transcript or summary has all of these words, among the newest ' +
    `${limits.call_search_calls_max} that match the rest.`,
  examples: ['opening hours'],
})

export const CallsQuery = Type.Object(
  {
    ...PageQuery.properties,
    number_id: Type.Optional(withDescription(Uuid, 'Only calls of the number with this id.')),
    direction: Type.Optional({
      ...Call.properties.direction,
      description: 'Only calls in this direction.',
    }),
    status: Type.Optional({
      ...Call.properties.status,
      description: 'Only calls with this status.',
    }),
    test: Type.Optional(
      Type.Boolean({ description: 'true: only simulated calls. false: only real calls.' }),
    ),
    from: Type.Optional(withDescription(E164, 'Only calls from this number.')),
    to: Type.Optional(withDescription(E164, 'Only calls to this number.')),
    since: Type.Optional(
      withDescription(RequestTime, 'Only calls recorded at or after this time.'),
    ),
    until: Type.Optional(withDescription(RequestTime, 'Only calls recorded before this time.')),
    q: Type.Optional(Search),
  },
  { additionalProperties: false },
)
export type CallsQuery = Static<typeof CallsQuery>

export const CallId = Type.Object({
  id: Type.String({ format: 'uuid', description: 'Id of the call.' }),
})

export const CallPage = PageReply(ListedCall)
export type CallPage = Static<typeof CallPage>

const closed = { additionalProperties: false }

const Turn = Type.Union(
  [
    Type.Object(
      { say: Type.String({ minLength: 1, maxLength: 2000, description: 'Text the caller says.' }) },
      closed,
    ),
    Type.Object(
      {
        digits: Type.String({
          pattern: '^[0-9*#]{1,32}$',
          description: 'Keys the caller presses: 0 to 9, * and #.',
        }),
      },
      closed,
    ),
    Type.Object(
      {
        silence_ms: Type.Integer({
          minimum: 1,
          maximum: 600_000,
          description: 'How long the caller is silent, in milliseconds.',
        }),
      },
      closed,
    ),
    Type.Object({ hangup: Type.Literal(true, { description: 'The caller hangs up.' }) }, closed),
  ],
  { description: 'One step of the caller: speak, press keys, be silent or hang up.' },
)
export type Turn = Static<typeof Turn>

export const TestCallInput = Type.Object(
  {
    number_id: Type.String({ format: 'uuid', description: 'A test number of the project.' }),
    from: Type.Optional(withDescription(E164, 'Number of the caller, in E.164 format.')),
    turns: Type.Array(Turn, { maxItems: 100, description: 'Steps of the caller, in order.' }),
    language: Type.Optional(
      Type.String({
        pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
        description: 'A language tag such as nl or en-GB.',
        examples: ['en'],
      }),
    ),
  },
  {
    ...closed,
    examples: [
      {
        number_id: '01890b2c-7d4e-7a1b-9c3d-5e6f7a8b9c0d',
        turns: [{ say: 'What are your opening hours?' }, { say: 'Thank you, goodbye.' }],
      },
    ],
  },
)
export type TestCallInput = Static<typeof TestCallInput>

const seconds = { minimum: 30, maximum: limits.call_s_max }

export const OutboundCallInput = Type.Object(
  {
    to: withExample(withDescription(E164, 'The person to call, in E.164 format.'), '+31612345678'),
    purpose: Type.Enum([...purposes], {
      description:
        'transactional: the person expects the call, such as about an order or an appointment. ' +
        'marketing: anything else; it needs the recorded consent of the person.',
    }),
    instructions: Type.String({
      minLength: 1,
      maxLength: 2000,
      description: 'What the assistant should do in the call, in plain language.',
      examples: ['Tell Anna that her cake is ready, and ask when she comes.'],
    }),
    opening: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 500,
        description:
          'The first words of the assistant, instead of its greeting. It says that it is an AI ' +
          'in any case.',
        examples: ['Hello Anna, this is bakery De Molen. Your cake is ready.'],
      }),
    ),
    from_number_id: Type.Optional(
      withDescription(Uuid, 'The number to call from; the oldest active one by default.'),
    ),
    max_duration_sec: Type.Optional(
      Type.Integer({
        ...seconds,
        default: 300,
        description: 'The call is ended after so many seconds. Its price is held for them.',
      }),
    ),
    turns: Type.Optional(
      Type.Array(Turn, {
        maxItems: 100,
        description: 'What the person says in a simulated call. Refused for a real one.',
      }),
    ),
  },
  {
    ...closed,
    examples: [
      {
        to: '+31612345678',
        purpose: 'transactional',
        instructions: 'Tell Anna that her cake is ready, and ask when she comes.',
      },
    ],
  },
)
export type OutboundCallInput = Static<typeof OutboundCallInput>

export const TransferInput = Type.Object(
  {
    to: withExample(
      withDescription(E164, 'The number that rings, in E.164 format.'),
      '+31612345678',
    ),
  },
  closed,
)
export type TransferInput = Static<typeof TransferInput>

export const Consent = nameSchema(
  'CallConsent',
  Type.Object({
    id: withDescription(Uuid, 'Id of the consent.'),
    phone: withExample(
      withDescription(E164, 'The person who agreed, in E.164 format.'),
      '+31612345678',
    ),
    purpose: Type.Literal('marketing', { description: 'What the person agreed to.' }),
    source: Type.String({
      description: 'Where and how the person agreed.',
      examples: ['Ticked on the order form of 12 November'],
    }),
    recorded_at: withDescription(Timestamp, 'When the consent was recorded.'),
  }),
)
export type Consent = Static<typeof Consent>

export const ConsentInput = Type.Object(
  {
    phone: Consent.properties.phone,
    source: Type.String({
      minLength: 3,
      maxLength: 300,
      description: 'Where and how the person agreed.',
      examples: ['Ticked on the order form of 12 November'],
    }),
  },
  closed,
)
export type ConsentInput = Static<typeof ConsentInput>

export const ConsentPage = PageReply(Consent)
export type ConsentPage = Static<typeof ConsentPage>
