/** The ground of tests of filters and lists: documents put straight into the tables. */
import { sql } from 'kysely'
import { openTestHouse, type TestHouse } from './house.ts'
import { newId } from '../../server/kernel/ids.ts'
import {
  findDocuments,
  insertRows,
  type DocumentRow,
} from '../../server/areas/data/document-store.ts'
import { valueAt } from '../../server/areas/data/field-path.ts'
import { fieldsOf } from '../../server/areas/data/rules.ts'
import { sortKey } from '../../server/areas/data/sort-key.ts'
import { insertCollection, type CollectionRow } from '../../server/areas/data/store.ts'

export interface Fields {
  indexes?: readonly string[]
  unique?: readonly string[]
}

export interface NewData {
  data: Record<string, unknown>
  created_at?: Date
  source?: DocumentRow['source']
  version?: number
}

export interface Ground {
  house: TestHouse
  newCollection(fields?: Fields): Promise<CollectionRow>
  /** Adds documents and gives them as they are kept. */
  add(collection: CollectionRow, documents: readonly NewData[]): Promise<DocumentRow[]>
  remove(collection: CollectionRow, ids: readonly string[]): Promise<void>
}

export async function newGround(): Promise<Ground> {
  const house = await openTestHouse({ work: false })
  const { db, clock } = house.house
  const newCollection: Ground['newCollection'] = ({ indexes = [], unique = [] } = {}) =>
    db.transact((tx) =>
      insertCollection(tx, {
        project_id: house.project_id,
        id: newId(clock),
        name: newId(clock),
        title: '',
        schema: '{}',
        public_write: false,
        public_read: false,
        readable_fields: '[]',
        webhook_on_insert: false,
        indexes: JSON.stringify(indexes),
        unique_fields: JSON.stringify(unique),
        assistant_facts: false,
        form: '{"challenge":false}',
        test: true,
        created_at: clock.now(),
        updated_at: clock.now(),
      }),
    )
  return {
    house,
    newCollection,
    async add(collection, documents) {
      const rows = documents.map(({ data, created_at = clock.now(), ...rest }) => ({
        id: newId(clock),
        version: 1,
        source: 'api' as const,
        ...rest,
        text: JSON.stringify(data),
        bytes: 10,
        test: true,
        created_at,
        updated_at: created_at,
      }))
      const fields = fieldsOf(collection)
      const keys = rows.flatMap(({ id, text }) =>
        fields.map(({ name, path }) => {
          const key = sortKey(valueAt(JSON.parse(text), path))
          return { document_id: id, field: name, key, digest: null }
        }),
      )
      const place = { project_id: collection.project_id, collection_id: collection.id }
      await db.transact((tx) => insertRows(tx, { ...place, rows, keys }))
      const ids = rows.map(({ id }) => id)
      const kept = new Map((await findDocuments(db, { ...place, ids })).map((row) => [row.id, row]))
      return ids.map((id) => kept.get(id)!)
    },
    async remove(collection, ids) {
      await db.transact((tx) =>
        sql`delete from documents where collection_id = ${collection.id}
          and id = any(${[...ids]}::uuid[])`.execute(tx),
      )
    },
  }
}
