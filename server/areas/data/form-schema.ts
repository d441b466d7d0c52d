/** TypeBox schemas of the public endpoints for websites, with fewer fields than those for keys. */
import { Type, type Static } from 'typebox'
import { PageQuery, PageReply } from '../../contract/pages.ts'
import { guestQuery } from '../../contract/guests.ts'
import { about, Timestamp, Uuid } from '../../contract/shapes.ts'

export const GuestQuery = Type.Object(guestQuery, { additionalProperties: false })

export const SubmitQuery = Type.Object(
  {
    ...guestQuery,
    redirect: Type.Optional(
      Type.String({
        description:
          'Where a visitor without a script goes afterwards (303): an address on an allowed origin.',
        examples: ['https://www.example.nl/thanks'],
      }),
    ),
  },
  { additionalProperties: false },
)

export const Submission = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'The document itself, as JSON or as the fields of a form; `hp_website`, `hp_started`, ' +
    '`hp_challenge`, `hp_timezone` and `hp_submission` are never part of it, nor are `token` and ' +
    '`redirect` of a form. A repeat with the same `hp_submission` (8 to 100 characters) and the same ' +
    'content within 24 hours stores nothing and gets the first reply.',
  examples: [{ name: 'Anna', guests: 4 }],
})

export const Receipt = Type.Object({
  id: about(Uuid, 'Id of the document that was made.'),
  created_at: about(Timestamp, 'When it was made.'),
})
export type Receipt = Static<typeof Receipt>

export const Form = Type.Object({
  title: Type.String({ description: 'Title of the collection.', examples: ['Bookings'] }),
  schema: Type.Record(Type.String(), Type.Unknown(), {
    description: 'JSON Schema (2020-12) of what may be sent, to check it in the browser.',
    examples: [{ type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }],
  }),
  challenge: Type.Boolean({ description: 'Whether `hp_challenge` must hold a solved challenge.' }),
  started: Type.String({
    description: 'Sent back as `hp_started`, it shows that a person had time to fill in the form.',
    examples: ['mi4k2v9q.7hQ2mZx0Vb4TcK9sLw3NfR'],
  }),
})
export type Form = Static<typeof Form>

export const Challenge = Type.Object(
  {
    algorithm: Type.String({ description: 'The hash function.', examples: ['SHA-256'] }),
    challenge: Type.String({
      description: 'The hash to reach, in hex.',
      examples: ['8f4f9d4d0c2ad5c1b7f1a6a1e83f1c5d0b7e64a02b9f5a3a9d4c6e2f7081b3c5'],
    }),
    maxnumber: Type.Optional(
      Type.Integer({ description: 'The highest number to try.', examples: [50_000] }),
    ),
    salt: Type.String({
      description: 'What stands before the number that is sought.',
      examples: ['5c1a7e0b9d3f2468?expires=1795426200'],
    }),
    signature: Type.String({
      description: 'Sent back unchanged: proves who set the challenge.',
      examples: ['d3b07384d113edec49eaa6238ad5ff00c86f2a8d6a8d1b1f0e5c4b3a29180716'],
    }),
  },
  {
    description:
      'Find the number from 0 to maxnumber for which SHA-256 of salt and number (as text) is ' +
      'challenge. Send base64 of the JSON {algorithm, challenge, number, salt, signature} as ' +
      '`hp_challenge`. It is the form of ALTCHA, version 1.',
  },
)
export type Challenge = Static<typeof Challenge>

export const PublicDocumentsQuery = Type.Object(
  {
    ...guestQuery,
    ...PageQuery.properties,
    filter: Type.Optional(
      Type.String({
        description: 'As in GET /collections/{name}/documents, with readable fields only.',
        examples: ['status = "open"'],
      }),
    ),
    sort: Type.Optional(
      Type.String({
        description: 'Readable fields, a - before one for the other direction; newest first.',
        examples: ['-created_at'],
      }),
    ),
  },
  { additionalProperties: false },
)
export type PublicDocumentsQuery = Static<typeof PublicDocumentsQuery>

const PublicDocument = Type.Object({
  id: about(Uuid, 'Id of the document.'),
  data: Type.Record(Type.String(), Type.Unknown(), {
    description: 'Of the document, the readable fields of the collection.',
    examples: [{ name: 'Anna' }],
  }),
  created_at: about(Timestamp, 'When the document was created.'),
})

export const PublicDocumentList = PageReply(PublicDocument)
export type PublicDocumentList = Static<typeof PublicDocumentList>
