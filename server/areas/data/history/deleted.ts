/** Lists the deleted documents of a collection whose last version is still kept. */
import type { Caller } from '../../../contract/caller.ts'
import { readPage, type PageQuery } from '../../../contract/schema/pages.ts'
import { findCollection } from '../collections/collections.ts'
import { scopeOf } from '../documents/document-store.ts'
import { actorOf } from './history.ts'
import type { DeletedDocuments } from './history-schema.ts'
import * as store from './history-store.ts'

export async function listDeleted(
  caller: Caller,
  name: string,
  query: PageQuery,
): Promise<DeletedDocuments> {
  const { row } = await findCollection(caller, name)
  const { data, next_cursor } = await readPage(caller, {
    list: `deleted documents of ${row.id}`,
    query,
    read: (count, after) => store.listDeleted(caller.db, scopeOf(row), { count, after }),
    bytesOf: ({ bytes }) => bytes,
  })
  return { data: data.map(present), next_cursor }
}

function present(row: store.DeletedRow): DeletedDocuments['data'][number] {
  return {
    id: row.document_id,
    version: row.version,
    data: row.data,
    deleted_at: row.ended_at.toISOString(),
    deleted_by: actorOf(row.actor_kind, row.actor_id, row.actor_name),
    through: row.door,
  }
}
