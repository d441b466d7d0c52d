/** The payload of document.created, built at delivery. */
import { Type } from 'typebox'
import { Dropped, event } from '../../contract/events.ts'
import { withDescription, Uuid } from '../../contract/schema/shapes.ts'
import { findDocument } from './documents/document-store.ts'
import { presentDocument } from './present.ts'
import { CollectionName, Document } from './schema.ts'
import { findCollectionById } from './store.ts'

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
})
