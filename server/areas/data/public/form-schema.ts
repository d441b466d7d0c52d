/** TypeBox schemas of the public endpoints for websites, with fewer fields than those for keys. */
import { Type, type Static } from 'typebox'
import { PageQuery, PageReply } from '../../../contract/schema/pages.ts'
import { guestQuery } from '../../../contract/operations/guests.ts'
import { withDescription, Timestamp, Uuid } from '../../../contract/schema/shapes.ts'

export const GuestQuery = Type.Object(guestQuery, { additionalProperties: false })

export const SubmitQuery = Type.Object(
  {
    ...guestQuery,
    redirect: Type.Optional(
      Type.String({
        description:
          'URL to which a browser without JavaScript is redirected (303) afterwards. ' +
          'Its origin must be allowed.',
        examples: ['https://www.example.nl/thanks'],
      }),
    ),
  },
  { additionalProperties: false },
)

export const Submission = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'The document, as JSON or form fields. `hp_website`, `hp_started`, `hp_challenge`, ' +
    '`hp_timezone` and `hp_submission`, and `token` and `redirect` of a form, are not ' +
    'stored in it. A repeat with the same `hp_submission` (8 to 100 characters) and ' +
    'the same content within 24 hours stores nothing and gets the first reply.',
  examples: [{ name: 'Anna', guests: 4 }],
})

export const Receipt = Type.Object({
  id: withDescription(Uuid, 'Id of the created document.'),
  created_at: withDescription(Timestamp, 'When the document was created.'),
})
export type Receipt = Static<typeof Receipt>

export const Form = Type.Object({
  title: Type.String({ description: 'Title of the collection.', examples: ['Bookings'] }),
  schema: Type.Record(Type.String(), Type.Unknown(), {
    description:
      'JSON Schema (2020-12) of the fields that may be sent, for validation in the browser.',
    examples: [{ type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }],
  }),
  challenge: Type.Boolean({
    description: 'Whether `hp_challenge` must contain a solved challenge.',
  }),
  started: Type.String({
    description:
      'Value to send back as `hp_started`. It proves that a person had time to fill in ' +
      'the form.',
    examples: ['mi4k2v9q.7hQ2mZx0Vb4TcK9sLw3NfR'],
  }),
})
export type Form = Static<typeof Form>

export const Challenge = Type.Object(
  {
    algorithm: Type.String({ description: 'Hash function.', examples: ['SHA-256'] }),
    challenge: Type.String({
      description: 'Target hash, as hex digits.',
      examples: ['8f4f9d4d0c2ad5c1b7f1a6a1e83f1c5d0b7e64a02b9f5a3a9d4c6e2f7081b3c5'],
    }),
    maxnumber: Type.Optional(
      Type.Integer({ description: 'Upper bound of the number.', examples: [50_000] }),
    ),
    salt: Type.String({
      description: 'Prefix of the hashed text.',
      examples: ['5c1a7e0b9d3f2468?expires=1795426200'],
    }),
    signature: Type.String({
      description: 'Signature of the challenge; send it back unchanged.',
      examples: ['d3b07384d113edec49eaa6238ad5ff00c86f2a8d6a8d1b1f0e5c4b3a29180716'],
    }),
  },
  {
    description:
      'Proof of work in the format of ALTCHA, version 1. Find the number from 0 to ' +
      'maxnumber for which SHA-256 of salt followed by the number (as decimal text) ' +
      'equals challenge. Send base64 of the JSON {algorithm, challenge, number, salt, ' +
      'signature} as `hp_challenge`.',
  },
)
export type Challenge = Static<typeof Challenge>

export const PublicDocumentsQuery = Type.Object(
  {
    ...guestQuery,
    ...PageQuery.properties,
    filter: Type.Optional(
      Type.String({
        description: 'Filter, as in GET /collections/{name}/documents, on readable fields only.',
        examples: ['status = "open"'],
      }),
    ),
    sort: Type.Optional(
      Type.String({
        description:
          'Readable fields to sort by, separated by commas; - before a field sorts ' +
          'descending. Default: newest first.',
        examples: ['-created_at'],
      }),
    ),
  },
  { additionalProperties: false },
)
export type PublicDocumentsQuery = Static<typeof PublicDocumentsQuery>

const PublicDocument = Type.Object({
  id: withDescription(Uuid, 'Id of the document.'),
  data: Type.Record(Type.String(), Type.Unknown(), {
    description: 'The readable fields of the document.',
    examples: [{ name: 'Anna' }],
  }),
  created_at: withDescription(Timestamp, 'When the document was created.'),
})

export const PublicDocumentList = PageReply(PublicDocument)
export type PublicDocumentList = Static<typeof PublicDocumentList>
