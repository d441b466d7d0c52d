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
  async findSilent(db, project_id, { mode, names: only = null } = {}) {
    const asked = { project_id, limit: SILENT_NAMED_MAX, only }
    const { names, count, all, forms } = await listSilent(db, asked)
    const how = 'webhook_on_insert: true (collections.update, PATCH /collections/{name})'
    if (all === 0) {
      const which =
        only === null ? 'No collection exists yet' : `There is no collection ${only.join(', ')}`
      return `${which}. One sends document.created only with ${how}.`
    }
    const more = count > names.length ? `, and ${count - names.length} more` : ''
    const said = []
    if (count > 0)
      said.push(
        `document.created is not sent for these collections, because their webhook_on_insert is ` +
          `false: ${names.join(', ')}${more}. To send it, set ${how}.`,
      )
    if (mode === 'test' && forms)
      said.push(
        'What visitors send with a form is live, and does not start this agent of test mode. ' +
          'Create it with a live key, or let the owner create it in the portal, under Agents.',
      )
    return said.length > 0 ? said.join(' ') : null
  },
})
