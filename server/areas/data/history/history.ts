/** Lists the versions of a document, and restores one; also of a deleted document. */
import type { Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import { readPage, type PageQuery } from '../../../contract/schema/pages.ts'
import { isObject } from '../../json-schema/service.ts'
import { findCollection } from '../collections/collections.ts'
import { findDocument, scopeOf } from '../documents/document-store.ts'
import { originOf, rewrite } from '../documents/documents.ts'
import type { Document, JsonObject } from '../schema.ts'
import type { DocumentVersion, DocumentVersions } from './history-schema.ts'
import * as store from './history-store.ts'

interface Named {
  name: string
  id: string
}

export async function list(
  caller: Caller,
  { name, id }: Named,
  query: PageQuery,
): Promise<DocumentVersions> {
  const { row } = await findCollection(caller, name)
  const document = { ...scopeOf(row), document_id: id }
  const { data, next_cursor } = await readPage(caller, {
    list: `versions of ${id}`,
    query,
    read: (count, after) => store.listVersions(caller.db, document, { count, after }),
    bytesOf: ({ bytes }) => bytes,
  })
  if (data.length === 0 && query.cursor === undefined) throw unknownDocument()
  return { data: data.map(presentVersion), next_cursor }
}

function unknownDocument(): Problem {
  return new Problem(
    'not_found',
    'The collection has no document with this id, nor versions of it.',
  )
}

function presentVersion(row: store.HistoryRow): DocumentVersion {
  const isDeleted = row.ended_by === 'deleted'
  return {
    version: row.version,
    current: row.ended_at === null,
    data: row.data,
    written_at: row.written_at.toISOString(),
    author: actorOf(row.author_kind, row.author_id, row.author_name),
    through: row.door,
    deleted_at: isDeleted ? (row.ended_at?.toISOString() ?? null) : null,
    deleted_by: isDeleted ? actorOf(row.ender_kind, row.ender_id, row.ender_name) : null,
  }
}

export function actorOf(
  kind: store.HistoryRow['author_kind'],
  id: string | null,
  name: string | null,
): DocumentVersion['author'] {
  return kind === null || id === null ? null : { kind, id, name }
}

/** The type of a column of JSON is wider than what documents contain. */
function asObject(data: unknown): JsonObject {
  if (!isObject(data)) throw new Error('A document is an object.')
  return data
}

interface Restoring extends Named {
  version: number
  /** The expected version of the document; null accepts any version. */
  if_match: number | null
}

/** Writes the data of a kept version as the next version; a deleted document exists again. */
export async function restore(
  caller: Caller,
  { name, id, version, if_match }: Restoring,
): Promise<Document> {
  const { row } = await findCollection(caller, name)
  const place = scopeOf(row)
  const [now, kept] = await Promise.all([
    findDocument(caller.db, { ...place, id }),
    store.findVersion(caller.db, { ...place, document_id: id }, version),
  ])
  if (!now && kept.last === null) throw unknownDocument()
  const data = now?.version === version ? asObject(now.data) : kept.data
  if (!data) {
    const errors = [{ path: '/version', message: 'is not a kept version' }]
    throw new Problem('validation_failed', '/version is not a kept version.', { errors })
  }
  if (now) return rewrite(caller, name, { op: 'replace', id, data, version: if_match })
  if (if_match !== null)
    throw new Problem('version_conflict', 'The document is deleted, so it has no version.', {
      status: 412,
    })
  const version_before = kept.last ?? 0
  return rewrite(caller, name, { op: 'create', id, data, version_before, ...originOf(caller) })
}
