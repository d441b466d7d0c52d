/** What a client sees of calls (specification: Call, Summary), and how a test call is scripted. */
import { Type, type Static } from 'typebox'
import { fromOutsiders } from '../../contract/outsiders.ts'
import { PageReply } from '../../contract/pages.ts'
import { E164, Timestamp, Uuid } from '../../contract/shapes.ts'
import * as assistant from '../assistant/schema.ts'
import { endStatuses, hangupCauses, hangupSides } from '../call-plans/schema.ts'

export const Call = Type.Object({
  id: Uuid,
  direction: Type.Enum(['inbound', 'outbound']),
  from: E164,
  to: E164,
  status: Type.Enum([...endStatuses], { description: 'How the call ended up.' }),
  created_at: Timestamp,
  started_at: Timestamp,
  answered_at: Type.Union([Timestamp, Type.Null()], { description: 'null: nobody answered.' }),
  ended_at: Timestamp,
  duration_sec: Type.Integer({ minimum: 0 }),
  hangup_cause: Type.Enum([...hangupCauses]),
  hangup_by: Type.Enum([...hangupSides]),
  has_summary: Type.Boolean(),
  summary_ready_at: Type.Union([Timestamp, Type.Null()]),
  test: Type.Boolean({ description: 'true for a simulated call.' }),
})
export type Call = Static<typeof Call>

const { text, topics, sentiment, action_items, next_step } = assistant.Summary.properties

/**
 * The assistant's, open to fields that come later. It is made from what callers said, so its words
 * count as theirs.
 */
export const Summary = Type.Object({
  text: fromOutsiders(text),
  topics: { ...topics, items: fromOutsiders(topics.items) },
  sentiment,
  action_items: { ...action_items, items: fromOutsiders(action_items.items) },
  next_step: fromOutsiders(next_step),
})
export type Summary = Static<typeof Summary>

const TranscriptLine = Type.Object({
  role: Type.Enum(['caller', 'assistant', 'system']),
  // The assistant repeats what callers say, and reads out websites and documents of outsiders.
  text: fromOutsiders(Type.String(), { unless: { field: 'role', is: ['system'] } }),
  at: Timestamp,
  node_id: Type.Union([Type.String(), Type.Null()], { description: 'The node of the call plan.' }),
})
export type TranscriptLine = Static<typeof TranscriptLine>

export const CallDetail = Type.Object({
  ...Call.properties,
  number_id: Uuid,
  language: Type.Union([Type.String(), Type.Null()], {
    description:
      'Language tag: what the line named, else what the caller spoke. null: the caller said nothing.',
    examples: ['nl'],
  }),
  path: Type.Array(Type.String(), { description: 'The nodes of the call plan that were visited.' }),
  transcript: Type.Array(TranscriptLine),
  summary: Type.Union([Summary, Type.Null()]),
})
export type CallDetail = Static<typeof CallDetail>

export const CallPage = PageReply(Call)
export type CallPage = Static<typeof CallPage>

const closed = { additionalProperties: false }

const Turn = Type.Union(
  [
    Type.Object({ say: Type.String({ minLength: 1, maxLength: 2000 }) }, closed),
    Type.Object(
      { digits: Type.String({ pattern: '^[0-9*#]{1,32}$', description: 'Keys 0 to 9, * and #.' }) },
      closed,
    ),
    Type.Object({ silence_ms: Type.Integer({ minimum: 1, maximum: 600_000 }) }, closed),
    Type.Object({ hangup: Type.Literal(true) }, closed),
  ],
  { description: 'What the caller does next: speaks, presses keys, keeps silent or hangs up.' },
)
export type Turn = Static<typeof Turn>

export const TestCallInput = Type.Object(
  {
    number_id: Type.String({ format: 'uuid', description: 'A test number of the project.' }),
    from: Type.Optional(E164),
    turns: Type.Array(Turn, { maxItems: 100 }),
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
