/**
 * The data that the assistant passes to a model with a conversation, as `providerOptions.builtin`.
 * The built-in model answers from it alone; other providers ignore the option and get the same data
 * in their instructions.
 */
import { Type, type Static } from 'typebox'
import { languages } from '../language/language.ts'

const TextSchema = Type.String()
const LanguageSchema = Type.Enum(languages)

/** A date and time in the time zone of the business. */
const MomentSchema = Type.Object({ date: TextSchema, time: TextSchema })

const DaySchema = Type.Object({
  date: TextSchema,
  ranges: Type.Array(Type.Object({ from: TextSchema, to: TextSchema })),
  /** Reason for an exceptional closing day; null otherwise. */
  closed_because: Type.Union([TextSchema, Type.Null()]),
})

const HoursSchema = Type.Object({
  today: TextSchema,
  open: Type.Boolean(),
  closes: Type.Union([MomentSchema, Type.Null()]),
  opens: Type.Union([MomentSchema, Type.Null()]),
  /** The dates mentioned by the caller. */
  asked: Type.Array(DaySchema),
  /** Today and the six days after it. */
  week: Type.Array(DaySchema),
})

const PassageSchema = Type.Object({
  source: Type.Enum(['fact', 'instruction', 'website', 'document']),
  /** The question of a fact, or the title of a page. */
  title: TextSchema,
  body: TextSchema,
  language: TextSchema,
  /** How well it matches the question, from 0 to 1. */
  score: Type.Number(),
})

/** A person or department to which callers can be transferred. */
const TransferTargetSchema = Type.Object({
  id: TextSchema,
  label: TextSchema,
  /** When to choose it, as text for the model. */
  when: Type.Union([TextSchema, Type.Null()]),
})

const NamesSchema = Type.Array(TextSchema)

/** The allowed fields of a record that was looked up. */
const FoundRowSchema = Type.Array(Type.Object({ field: TextSchema, value: TextSchema }))

export const AnswerTaskSchema = Type.Object({
  task: Type.Literal('answer'),
  /** The language to answer in. */
  language: LanguageSchema,
  /** BCP 47 tags of the configured languages. */
  languages: Type.Array(TextSchema),
  assistant_name: TextSchema,
  /** The assistant's greeting. */
  opening: TextSchema,
  transfer_targets: Type.Array(TransferTargetSchema),
  /** Null if no opening hours are set. */
  hours: Type.Union([HoursSchema, Type.Null()]),
  /** Best match first. */
  passages: Type.Array(PassageSchema),
  /**
   * What the caller said, and below it each part that may be a question, with its passages. Omitted:
   * the passages belong to the whole.
   */
  questions: Type.Optional(
    Type.Array(Type.Object({ text: TextSchema, passages: Type.Array(PassageSchema) })),
  ),
  /**
   * Collections that may be looked up. If `match` has fields, their exact values identify a record.
   */
  collections: Type.Optional(
    Type.Array(Type.Object({ name: TextSchema, fields: NamesSchema, match: NamesSchema })),
  ),
  /** The records that were looked up for this answer; omitted before the look-up. */
  found: Type.Optional(
    Type.Array(Type.Object({ collection: TextSchema, rows: Type.Array(FoundRowSchema) })),
  ),
})

const TurnSchema = Type.Object({
  role: Type.Enum(['caller', 'assistant', 'system']),
  text: TextSchema,
})

export const SummaryTaskSchema = Type.Object({
  task: Type.Literal('summary'),
  language: LanguageSchema,
  turns: Type.Array(TurnSchema),
})

export type AnswerTask = Static<typeof AnswerTaskSchema>
export type SummaryTask = Static<typeof SummaryTaskSchema>
export type HoursKnowledge = Static<typeof HoursSchema>
export type DayKnowledge = Static<typeof DaySchema>
export type Passage = Static<typeof PassageSchema>
export type FoundRow = Static<typeof FoundRowSchema>
export type SpokenTurn = Static<typeof TurnSchema>
