/** Shapes of the data about one person in the API. */
import { Type, type Static } from 'typebox'
import { limits } from '../../../contract/limits.ts'
import { personalDataKinds } from '../../../contract/personal-data.ts'
import { nameSchema } from '../../../contract/schema/named.ts'
import { orNull, Timestamp, Uuid, withDescription } from '../../../contract/schema/shapes.ts'

const identifiers = {
  phone: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 40,
      description: 'Phone number with its country. Found in every notation.',
      examples: ['+447700900123'],
    }),
  ),
  email: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 254,
      description: 'Email address.',
      examples: ['anna@example.com'],
    }),
  ),
  visitor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The external_id of a chat visitor. Finds conversations only.',
      examples: ['customer-1042'],
    }),
  ),
}

/** At least one identifier; a record of any of them is found. */
export const PersonInput = nameSchema(
  'PersonInput',
  Type.Object(identifiers, {
    additionalProperties: false,
    minProperties: 1,
    examples: [{ email: 'anna@example.com' }],
  }),
)
export type PersonInput = Static<typeof PersonInput>

export const EraseInput = nameSchema(
  'ErasePersonInput',
  Type.Object(
    {
      ...identifiers,
      mentions: Type.Optional(
        Type.Boolean({
          description:
            'Whether records of others that mention the number or address in a longer text are ' +
            'erased too. Default: false. Look at them with POST /personal-data/query first.',
          examples: [false],
        }),
      ),
    },
    {
      additionalProperties: false,
      minProperties: 1,
      examples: [{ email: 'anna@example.com' }],
    },
  ),
)
export type EraseInput = Static<typeof EraseInput>

const kindField = Type.Enum(
  personalDataKinds.map(({ kind }) => kind),
  { description: 'Name of the kind of data, as in GET /retention.', examples: ['calls'] },
)
const titleField = Type.String({ description: 'Title of the kind.', examples: ['Calls'] })
const count = (description: string, example = 0) =>
  Type.Integer({ minimum: 0, description, examples: [example] })

const FoundRecord = Type.Object({
  id: withDescription(Uuid, 'The record.'),
  match: Type.Enum(['own', 'mention'], {
    description:
      'own: a field of the record is the number, address or id of the person, or the person wrote ' +
      'it there. mention: a longer text contains it.',
  }),
  created_at: withDescription(Timestamp, 'When the record was made.'),
  collection: orNull(
    Type.String({ examples: ['orders'] }),
    'The collection of a document or of its earlier version; null for other kinds.',
  ),
})

const FoundKind = Type.Object({
  kind: kindField,
  title: titleField,
  own: count('Records of the person.', 3),
  mentions: count('Other records that mention the person.'),
  records: Type.Array(FoundRecord, {
    description: `The first ${limits.person_records_shown_max} of them.`,
  }),
})

const NotSearched = Type.Object({
  kind: kindField,
  title: titleField,
  reason: Type.String({
    description: 'Why this kind is not searched.',
    examples: ['Numbers of the business itself.'],
  }),
})
const notSearched = Type.Array(NotSearched, {
  description: 'Kinds of personal data that were left out.',
})

export const PersonSearch = nameSchema(
  'PersonSearch',
  Type.Object({
    kinds: Type.Array(FoundKind, { description: 'Every kind that was searched.' }),
    not_searched: notSearched,
  }),
)
export type PersonSearch = Static<typeof PersonSearch>

const ErasedKind = Type.Object({
  kind: kindField,
  title: titleField,
  erased: count('Records that were erased.', 3),
  kept: count('Records that mention the person and were kept.'),
})

export const PersonErasure = nameSchema(
  'PersonErasure',
  Type.Object({
    kinds: Type.Array(ErasedKind, { description: 'Every kind that was searched.' }),
    not_searched: notSearched,
  }),
)
export type PersonErasure = Static<typeof PersonErasure>

export const PersonExport = nameSchema(
  'PersonExport',
  Type.Object({
    url: Type.String({
      description:
        'Downloads a ZIP of JSON files with every record about the person. Whoever has the URL ' +
        'can read them.',
      examples: ['https://api.example.com/personal-data/exports/hm_export_8sKq2'],
    }),
    expires_at: withDescription(Timestamp, 'Until when the URL works.'),
  }),
)
export type PersonExport = Static<typeof PersonExport>
