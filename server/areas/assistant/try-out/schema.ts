/** Shapes of a conversation with the assistant that is tried out. */
import { Type, type Static } from 'typebox'

const TURNS_MAX = 60
const CHARACTERS_MAX = 2_000

const Text = Type.String({
  minLength: 1,
  maxLength: CHARACTERS_MAX,
  description: 'What was said.',
  examples: ['Can I park at your shop?'],
})

const Turn = Type.Object(
  {
    role: Type.Enum(['caller', 'assistant'], { description: 'Who said it.' }),
    text: Text,
  },
  { additionalProperties: false },
)

export const TryOutInput = Type.Object(
  {
    turns: Type.Array(Turn, {
      maxItems: TURNS_MAX,
      description:
        'The conversation so far, ending with a turn of the caller. Empty: the reply is the ' +
        'greeting.',
    }),
  },
  {
    additionalProperties: false,
    examples: [{ turns: [{ role: 'caller', text: 'Can I park at your shop?' }] }],
  },
)
export type TryOutInput = Static<typeof TryOutInput>

const Source = Type.Object({
  kind: Type.Enum(['fact', 'instruction', 'website', 'document', 'opening_hours'], {
    description: 'Where the knowledge comes from.',
  }),
  title: Type.String({
    description: 'The question of a fact or the title of a page; empty for others.',
    examples: ['Can I park at your shop?'],
  }),
  text: Type.String({
    description: 'The knowledge itself; empty for the opening hours.',
    examples: ['Yes, behind the shop, for free.'],
  }),
  quoted: Type.Boolean({
    description:
      'Whether the reply repeats it. A language model may also use what it does not repeat.',
  }),
})
export type Source = Static<typeof Source>

export const TryOutReply = Type.Object({
  text: Type.String({
    description: 'What the assistant says.',
    examples: ['Yes, behind the shop, for free.'],
  }),
  language: Type.String({ description: 'Language of the reply.', examples: ['en'] }),
  action: Type.Union([Type.Enum(['end', 'transfer', 'message']), Type.Null()], {
    description:
      'What the assistant would do in a call: end it, transfer the caller or note a message; null ' +
      'if it only speaks.',
    examples: [null],
  }),
  sources: Type.Array(Source, {
    description: 'The knowledge found for the last turn, the best match first.',
  }),
})
export type TryOutReply = Static<typeof TryOutReply>
