/** The payload of document.created, built at delivery. */
import { Type } from 'typebox'
import { Dropped, event } from '../../contract/events.ts'
import { withDescription, Uuid } from '../../contract/schema/shapes.ts'
import { findDocument } from './documents/document-store.ts'
import { presentDocument } from './present.ts'
import { CollectionName, Document } from './schema.ts'
import { findCollectionById, listSilent } from './store.ts'

const SILENT_NAMED_MAX = 10

export const documentCreated = event({
  type: 'document.created',
  data: Type.Object({
    collection: Type.Object(
      {
        id: withDescription(Uuid, 'Id of the collection.'),
        name: CollectionName,
        title: Type.String({ description: 'Title of the collection.', examples: ['Bookings'] }),
      },
      { description: 'The collection it was added to.' },
    ),
    document: withDescription(Document, 'The document as it is now.'),
  }),
  async load(
    db,
    project_id,
    { collection_id, document_id }: { collection_id: string; document_id: string },
  ) {
    const collection = await findCollectionById(db, { project_id, id: collection_id })
    const row = await findDocument(db, { project_id, collection_id, id: document_id })
    if (!collection || !row) return new Dropped('document_deleted')
    const { id, name, title } = collection
    return { collection: { id, name, title }, document: presentDocument(row, name) }
  },
  async findSilent(db, project_id) {
    const { names, count, all } = await listSilent(db, { project_id, limit: SILENT_NAMED_MAX })
    const how = 'webhook_on_insert: true (collections.update, PATCH /collections/{name})'
    if (all === 0) return `No collection exists yet. One sends document.created only with ${how}.`
    if (count === 0) return null
    const more = count > names.length ? `, and ${count - names.length} more` : ''
    return (
      `document.created is not sent for these collections, because their webhook_on_insert is ` +
      `false: ${names.join(', ')}${more}. To send it, set ${how}.`
    )
  },
})
