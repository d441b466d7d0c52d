/** Shapes of the versions of a document. */
import { Type, type Static } from 'typebox'
import { limits } from '../../../contract/limits.ts'
import { markAsOutsiders } from '../../../contract/schema/outsiders.ts'
import { PageReply } from '../../../contract/schema/pages.ts'
import { nameSchema } from '../../../contract/schema/named.ts'
import { orNull, Timestamp, withDescription, Uuid } from '../../../contract/schema/shapes.ts'
import { JsonObject } from '../schema.ts'

const Actor = Type.Object({
  kind: Type.Enum(['person', 'api_key', 'connection', 'agent'], {
    description: 'Kind of the author.',
  }),
  id: withDescription(Uuid, 'Id of the person, key, connection or agent.'),
  name: orNull(
    Type.String({ examples: ['anna@bakery.example'] }),
    'Email address of the person, or name of the key, connection or agent; null if it no longer exists.',
  ),
})

export const DocumentVersion = nameSchema(
  'DocumentVersion',
  Type.Object({
    version: Type.Integer({ description: 'Number of the version.', examples: [3] }),
    current: Type.Boolean({ description: 'Whether the document has this version now.' }),
    data: markAsOutsiders({
      ...JsonObject,
      description: 'The data of the document in this version.',
      examples: [{ name: 'Anna', guests: 4 }],
    }),
    written_at: withDescription(Timestamp, 'When the version was written.'),
    author: orNull(Actor, 'Who wrote the version; null for the first one, and if it is not known.'),
    through: orNull(
      Type.Enum(['rest', 'mcp', 'portal', 'job'], { examples: ['portal'] }),
      'The entry point of the author, job for an agent; null if it is not known.',
    ),
    deleted_at: orNull(Timestamp, 'When the document was deleted in this version; else null.'),
    deleted_by: orNull(Actor, 'Who deleted the document in this version; else null.'),
  }),
)
export type DocumentVersion = Static<typeof DocumentVersion>

export const DocumentVersions = PageReply(DocumentVersion)
export type DocumentVersions = Static<typeof DocumentVersions>

const DeletedDocument = nameSchema(
  'DeletedDocument',
  Type.Object({
    id: withDescription(Uuid, 'Id of the document, which it keeps when it is restored.'),
    version: Type.Integer({ description: 'Its last version, to restore it.', examples: [3] }),
    data: DocumentVersion.properties.data,
    deleted_at: withDescription(Timestamp, 'When it was deleted.'),
    deleted_by: orNull(Actor, 'Who deleted it; null if it is not known.'),
    through: Type.Enum(['rest', 'mcp', 'portal', 'job'], {
      description: 'The entry point of the deletion.',
      examples: ['portal'],
    }),
  }),
)

export const DeletedDocuments = PageReply(DeletedDocument)
export type DeletedDocuments = Static<typeof DeletedDocuments>

export const RestoreInput = Type.Object(
  {
    version: Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description:
        'Number of the version whose data the document gets. ' +
        `The ${limits.document_versions_kept_max} newest earlier versions are kept.`,
      examples: [2],
    }),
  },
  { additionalProperties: false },
)
