/**
 * TypeBox schemas of collections and documents in the API. `assistant_facts` and `form` extend the
 * fields that api-v1 fixes.
 */
import { Type, type Static } from 'typebox'
import { limits } from '../../contract/limits.ts'
import { markAsOutsiders } from '../../contract/schema/outsiders.ts'
import { PageReply } from '../../contract/schema/pages.ts'
import { nameSchema } from '../../contract/schema/named.ts'
import { withDescription, orNull, Timestamp, Uuid } from '../../contract/schema/shapes.ts'

export const CollectionName = Type.String({
  pattern: '^[a-z0-9](?:[a-z0-9_-]{0,62}[a-z0-9])?$',
  description: 'lower-case letters, digits, - and _, at most 64, a letter or digit at both ends',
  examples: ['bookings'],
})

export const JsonObject = Type.Record(Type.String(), Type.Unknown())
export type JsonObject = Static<typeof JsonObject>

const Title = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Display name of the collection.',
  examples: ['Bookings'],
})

const aboutSchema =
  'JSON Schema (2020-12) that every document must match. References must stay within it ($defs).'
const Schema = Type.Record(Type.String(), Type.Unknown(), {
  description: aboutSchema,
  examples: [
    {
      type: 'object',
      properties: { name: { type: 'string' }, guests: { type: 'integer', minimum: 1 } },
      required: ['name'],
    },
  ],
})

const FieldPathText = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Path of a field, such as email or address.city.',
})

const ReadableFields = Type.Array(FieldPathText, {
  maxItems: limits.collection_readable_fields_max,
  uniqueItems: true,
  description: 'Data fields that websites may read, with public_read.',
  examples: [[]],
})

const Indexes = Type.Array(FieldPathText, {
  maxItems: limits.collection_indexes_max,
  uniqueItems: true,
  description: 'Indexed fields, which filters and sorting find fast.',
  examples: [[]],
})

const Unique = Type.Array(FieldPathText, {
  maxItems: limits.collection_unique_max,
  uniqueItems: true,
  description: 'Fields whose values must be unique among the documents. Null values may repeat.',
  examples: [[]],
})

const Form = Type.Object(
  {
    challenge: Type.Boolean({
      description:
        'Whether a form must include a solved proof-of-work challenge, which deters bots.',
    }),
  },
  { additionalProperties: false, description: 'Spam checks for forms on websites.' },
)

/** Settings that create and change share; create also takes a name. */
const settings = {
  title: Title,
  schema: Schema,
  public_write: Type.Boolean({ description: 'Whether forms on websites may create documents.' }),
  public_read: Type.Boolean({ description: 'Whether websites may read readable_fields.' }),
  readable_fields: ReadableFields,
  webhook_on_insert: Type.Boolean({
    description: 'Whether a new document sends the event document.created.',
  }),
  indexes: Indexes,
  unique: Unique,
  assistant_facts: Type.Boolean({
    description: 'Whether the assistant may use the documents as facts.',
  }),
  form: Form,
  catalogue: Type.Boolean({
    description:
      'Whether visitors of websites may order the documents as products, with the fields name, ' +
      'price_eur, vat_percent, stock and picture. Not together with public_write.',
  }),
}

export const Collection = nameSchema(
  'Collection',
  Type.Object({
    id: withDescription(Uuid, 'Id of the collection.'),
    name: CollectionName,
    title: Type.String({
      description: 'Display name of the collection.',
      examples: ['Bookings'],
    }),
    schema: settings.schema,
    public_write: settings.public_write,
    public_read: settings.public_read,
    readable_fields: settings.readable_fields,
    webhook_on_insert: settings.webhook_on_insert,
    indexes: settings.indexes,
    unique: settings.unique,
    document_count: Type.Integer({ description: 'Number of documents.', examples: [38] }),
    bytes: Type.Integer({
      description: 'Total size of the documents as UTF-8 JSON.',
      examples: [4_116],
    }),
    created_at: withDescription(Timestamp, 'When the collection was created.'),
    updated_at: withDescription(Timestamp, 'When the settings of the collection last changed.'),
    test: Type.Boolean({ description: 'Whether a test key created it.' }),
    assistant_facts: settings.assistant_facts,
    form: settings.form,
    catalogue: settings.catalogue,
  }),
)
export type Collection = Static<typeof Collection>

export const CollectionList = PageReply(Collection)
export type CollectionList = Static<typeof CollectionList>

const { title, schema, ...optional } = settings

export const CollectionInput = Type.Object(
  {
    name: CollectionName,
    title: Type.Optional({ ...title, description: 'Default: the name.' }),
    schema: Type.Optional({ ...schema, description: `${aboutSchema} Default: any JSON object.` }),
    ...Type.Partial(Type.Object(optional)).properties,
  },
  {
    additionalProperties: false,
    examples: [
      {
        name: 'bookings',
        title: 'Bookings',
        schema: {
          type: 'object',
          properties: { name: { type: 'string' }, guests: { type: 'integer', minimum: 1 } },
          required: ['name'],
        },
      },
    ],
  },
)
export type CollectionInput = Static<typeof CollectionInput>

export const CollectionChange = Type.Partial(Type.Object(settings), {
  additionalProperties: false,
  minProperties: 1,
  examples: [{ title: 'Bookings', webhook_on_insert: true }],
})
export type CollectionChange = Static<typeof CollectionChange>

const Fault = nameSchema(
  'DocumentFault',
  Type.Object({
    // A public form without a closed schema lets visitors choose field names.
    path: markAsOutsiders(
      Type.String({
        description: 'JSON Pointer to the invalid value in the document.',
        examples: ['/guests'],
      }),
    ),
    message: Type.String({
      description: 'Error message.',
      examples: ['must be at least 1'],
    }),
  }),
)

const Misfits = Type.Object(
  {
    count: Type.Integer({ description: 'Number of documents that do not match the new schema.' }),
    first: Type.Array(
      Type.Object({
        id: withDescription(Uuid, 'Id of the document.'),
        errors: Type.Array(Fault, { description: 'Errors of the document.' }),
      }),
      {
        description: 'The first 20 of these documents, oldest first, with their errors.',
      },
    ),
  },
  {
    description: 'Documents that no longer match. They are kept, but their next change must match.',
  },
)
export type Misfits = Static<typeof Misfits>

export const ChangedCollection = nameSchema(
  'ChangedCollection',
  Type.Object({
    ...Collection.properties,
    misfits: orNull(
      Misfits,
      'Documents that do not match the new schema; null if the schema was not changed.',
    ),
  }),
)
export type ChangedCollection = Static<typeof ChangedCollection>

export const CollectionParams = Type.Object({ name: CollectionName })

export const DryRunQuery = Type.Object(
  {
    dry_run: Type.Boolean({
      default: false,
      description: 'true: reports the effect and changes nothing.',
    }),
  },
  { additionalProperties: false },
)

export const ConfirmQuery = Type.Object(
  {
    confirm: Type.Optional(
      Type.String({
        description: 'The name of the collection again. Required if documents would be deleted.',
        examples: ['bookings'],
      }),
    ),
  },
  { additionalProperties: false },
)

const sources = ['api', 'form', 'app', 'import', 'agent', 'portal'] as const

/** Documents from these have the words of the team. Agents also copy what outsiders wrote. */
export const ownSources: readonly string[] = ['api', 'portal']

export const Document = nameSchema(
  'Document',
  Type.Object({
    id: withDescription(Uuid, 'Id of the document.'),
    collection: CollectionName,
    data: markAsOutsiders(
      {
        ...JsonObject,
        description: 'The data of the document, as sent.',
        examples: [{ name: 'Anna', guests: 4 }],
      },
      { unless: { field: 'source', is: [...ownSources] } },
    ),
    version: Type.Integer({
      description: 'Starts at 1 and grows by 1 with each change. Also the ETag.',
    }),
    source: Type.Enum([...sources], {
      description: 'How the document was created: api (REST), agent (MCP), portal, form or import.',
    }),
    created_at: withDescription(Timestamp, 'When the document was created.'),
    updated_at: withDescription(Timestamp, 'When the document last changed.'),
    test: Type.Boolean({ description: 'Whether a test key created it.' }),
  }),
)
export type Document = Static<typeof Document>

export const DocumentData = Type.Record(Type.String(), Type.Unknown(), {
  description: 'The document, a JSON object that matches the schema of the collection.',
  examples: [{ name: 'Anna', guests: 4 }],
})

export const DocumentPatch = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'JSON merge patch (RFC 7396): given fields are set, fields with null are removed, ' +
    'others stay.',
  examples: [{ guests: 5, note: null }],
})

export const DocumentParams = Type.Object({
  name: CollectionName,
  id: withDescription(Uuid, 'Id of the document.'),
})

export const DocumentQuery = Type.Object(
  {
    fields: Type.Optional(
      Type.String({
        maxLength: 2_000,
        description: 'Data fields to return, separated by commas. Default: all.',
        examples: ['name,address.city'],
      }),
    ),
  },
  { additionalProperties: false },
)

export const UpsertQuery = Type.Object(
  {
    by: Type.String({
      description:
        'A unique field of the collection. Its value in the body identifies the document.',
      examples: ['email'],
    }),
  },
  { additionalProperties: false },
)

const Version = Type.Optional(
  Type.Integer({
    minimum: 1,
    description: 'Expected version; the operation is refused if the document has another one.',
  }),
)

const op = <Name extends string>(name: Name) =>
  Type.Literal(name, { description: 'Kind of the operation.' })
const DocumentId = withDescription(Uuid, 'Id of the document.')

const BatchOperation = Type.Union([
  nameSchema(
    'BatchCreate',
    Type.Object({ op: op('create'), data: DocumentData }, { additionalProperties: false }),
  ),
  nameSchema(
    'BatchReplace',
    Type.Object(
      { op: op('replace'), id: DocumentId, data: DocumentData, version: Version },
      { additionalProperties: false },
    ),
  ),
  nameSchema(
    'BatchPatch',
    Type.Object(
      { op: op('patch'), id: DocumentId, data: DocumentPatch, version: Version },
      { additionalProperties: false },
    ),
  ),
  nameSchema(
    'BatchDelete',
    Type.Object(
      { op: op('delete'), id: DocumentId, version: Version },
      { additionalProperties: false },
    ),
  ),
])
export type BatchOperation = Static<typeof BatchOperation>

export const BatchInput = Type.Object(
  {
    operations: Type.Array(BatchOperation, {
      minItems: 1,
      maxItems: limits.batch_operations_max,
      description: 'Operations, executed in this order.',
      examples: [[{ op: 'create', data: { name: 'Anna', guests: 4 } }]],
    }),
    each_alone: Type.Optional(
      Type.Boolean({
        description:
          'true: executes what succeeds and refuses the rest. false (default): all or nothing.',
        examples: [false],
      }),
    ),
  },
  { additionalProperties: false },
)
export type BatchInput = Static<typeof BatchInput>

const BatchResult = Type.Object({
  op: Type.Enum(['create', 'replace', 'patch', 'delete'], {
    description: 'Kind of the operation.',
  }),
  id: orNull(Uuid, 'Id of the document; null for a refused create.'),
  version: orNull(
    Type.Integer(),
    'Version of the document after the operation; null if it was deleted or the ' +
      'operation was refused.',
  ),
  error: Type.Union(
    [
      Type.Null(),
      Type.Object({
        type: Type.String({ description: 'Slug of the error, such as schema_mismatch.' }),
        detail: Type.String({ description: 'Error message, one sentence.' }),
        errors: Type.Optional(
          Type.Array(Fault, { description: 'All errors of the document, if it does not match.' }),
        ),
      }),
    ],
    { description: 'Why the operation was refused; null if it succeeded.', examples: [null] },
  ),
})

export const BatchReply = Type.Object({
  results: Type.Array(BatchResult, { description: 'One result per operation, in the same order.' }),
})
export type BatchReply = Static<typeof BatchReply>
