/** Shapes of the tools that the assistant has in conversations. */
import { Type, type Static } from 'typebox'
import { limits } from '../../../contract/limits.ts'
import { orNull } from '../../../contract/schema/shapes.ts'

const FIELDS_MAX = 20
const MATCH_MAX = 3

const Collection = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[a-z][a-z0-9_]*$',
  description: 'Name of a collection of the project.',
  examples: ['products'],
})
const Field = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[^\\u0000]*$',
  description: 'A top-level field of the documents.',
  examples: ['price'],
})

const LookUp = Type.Object(
  {
    collection: Collection,
    fields: Type.Array(Field, {
      minItems: 1,
      maxItems: FIELDS_MAX,
      uniqueItems: true,
      description:
        'The fields that the assistant may share with every visitor; no others are read or ' +
        'searched. The first one names the record.',
      examples: [['name', 'price', 'stock']],
    }),
    match: Type.Optional(
      Type.Array(Field, {
        maxItems: MATCH_MAX,
        uniqueItems: true,
        description:
          'Fields whose exact values a visitor must give to get a record, such as the number of an ' +
          'order and the postcode; at least one must have a digit or be an email address. Of each ' +
          'field the last value in a text counts. Empty: records are searched by words.',
        examples: [['order_number', 'postcode']],
      }),
    ),
  },
  { additionalProperties: false },
)

const LookUps = Type.Array(LookUp, {
  maxItems: limits.assistant_look_up_collections_max,
  description:
    'What the assistant may look up in conversations. Everything else is hidden from it.',
})

export const ToolsInput = Type.Object(
  {
    look_ups: Type.Optional(LookUps),
    messages_collection: Type.Optional(
      orNull(
        Collection,
        'Collection to which messages of visitors are also written, with the fields text, name, ' +
          'email, phone, channel, language, conversation_id and received_at; null: none.',
      ),
    ),
  },
  {
    additionalProperties: false,
    examples: [
      {
        look_ups: [{ collection: 'products', fields: ['name', 'price', 'stock'] }],
        messages_collection: 'messages',
      },
    ],
  },
)
export type ToolsInput = Static<typeof ToolsInput>

const count = (description: string, example: number) =>
  Type.Integer({ description, examples: [example] })

const Tool = Type.Object({
  name: Type.Enum(
    ['look_up', 'check_hours', 'take_message', 'transfer_call', 'end_call', 'no_answer'],
    { description: 'Name of the tool, as it is in the log of a conversation.' },
  ),
  about: Type.String({
    description: 'The description that language models get.',
    examples: ['Returns the opening hours on a date, given as YYYY-MM-DD.'],
  }),
  enabled: Type.Boolean({ description: 'Whether the settings allow it.' }),
  used_today: count('Uses today, in the mode of the key.', 12),
  per_day: orNull(count('Maximum uses per day.', 5_000), 'Maximum uses per day; null: no limit.'),
  per_conversation: orNull(
    count('Maximum uses per conversation.', 30),
    'Maximum uses per conversation; null: no limit.',
  ),
})

export const Tools = Type.Object({
  look_ups: LookUps,
  messages_collection: orNull(Collection, 'Collection for messages; null: none.'),
  tools: Type.Array(Tool, {
    description: 'Everything that the assistant can do in a conversation besides answering.',
  }),
})
export type Tools = Static<typeof Tools>
