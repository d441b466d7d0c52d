/** Schemas of the indexed passages, for the portal. */
import { Type, type Static } from 'typebox'
import { PageQuery, PageReply } from '../../../../contract/schema/pages.ts'
import { orNull, Uuid, withDescription } from '../../../../contract/schema/shapes.ts'

const QUESTION_CHARACTERS_MAX = 500

const Used = (about: string, example: number) =>
  Type.Object(
    {
      used: Type.Integer({ description: 'The present number.', examples: [example] }),
      max: Type.Integer({ description: 'The most that is possible.', examples: [example * 10] }),
    },
    { description: about },
  )

const Limit = (about: string, example: number) =>
  Type.Integer({ description: about, examples: [example] })

export const KnowledgeUsage = Type.Object({
  sources: Used('Sources without collections and the website of the settings.', 5),
  chunks: Used('Parts of text of all sources, without collections.', 2_000),
  documents: Used('Documents of collections with assistant_facts.', 100),
  pages_max: Limit('Pages of one website or site that are read.', 100),
  text_characters_max: Limit('Length of a text.', 100_000),
  document_bytes_max: Limit('Size of a PDF or DOCX file in bytes.', 20_000_000),
})
export type KnowledgeUsage = Static<typeof KnowledgeUsage>

const shared = {
  title: Type.String({ description: 'Title of the page or text.', examples: ['Gift cards'] }),
  text: Type.String({
    description: 'The text that is searched and read out.',
    examples: ['Gift cards are valid for two years.'],
  }),
  url: orNull(
    Type.String({ examples: ['https://bakery.example/faq'] }),
    'Address of its page; null if it has none.',
  ),
}

export const PassagesQuery = Type.Object(
  {
    ...PageQuery.properties,
    q: Type.Optional(
      Type.String({
        maxLength: QUESTION_CHARACTERS_MAX,
        description: 'Returns only passages that contain these words in this order.',
        examples: ['gift cards'],
      }),
    ),
  },
  { additionalProperties: false },
)
export type PassagesQuery = Static<typeof PassagesQuery>

export const Passages = PageReply(
  Type.Object({
    id: Type.String({ description: 'Position in the source.', examples: ['12'] }),
    ...shared,
  }),
)
export type Passages = Static<typeof Passages>

export const KnowledgeSearch = Type.Object(
  {
    question: Type.String({
      minLength: 1,
      maxLength: QUESTION_CHARACTERS_MAX,
      pattern: String.raw`\S`,
      description: 'A question as a visitor asks it.',
      examples: ['How long is a gift card valid?'],
    }),
  },
  { additionalProperties: false, examples: [{ question: 'How long is a gift card valid?' }] },
)
export type KnowledgeSearch = Static<typeof KnowledgeSearch>

const Found = Type.Object({
  kind: Type.Enum(['fact', 'instruction', 'website', 'document'], {
    description: 'Where the text comes from; website: a page or a long text.',
  }),
  source_id: orNull(
    withDescription(Uuid, 'Id of the source.'),
    'Id of the source; null for facts and instructions.',
  ),
  ...shared,
  score: Type.Number({
    description: 'Estimated probability that it answers the question, from 0 to 1.',
    examples: [0.92],
  }),
  answers: Type.Boolean({
    description: 'Whether the built-in model answers from it without asking back.',
  }),
})

export const KnowledgeFound = Type.Object({
  passages: Type.Array(Found, { description: 'What is found for the question, the best first.' }),
})
export type KnowledgeFound = Static<typeof KnowledgeFound>
