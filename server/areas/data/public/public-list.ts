/**
 * Public lists for websites: readable fields only. A filter or sort by another field is refused,
 * because the order or the presence of a document would reveal its value.
 */
import type { GuestCaller } from '../../../contract/operations/guests.ts'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { verbatim } from '../../../kernel/database/driver/verbatim.ts'
import { findNearestName } from '../../../kernel/values/nearest.ts'
import {
  findPublicCollection,
  unknownCollection,
  type CompiledCollection,
} from '../collections/collections.ts'
import { createdMs, dataOf, type FoundDocument } from '../documents/document-store.ts'
import { parseFieldPath, writeFieldPath, type FieldPath } from '../field-path.ts'
import type { PublicDocumentList, PublicDocumentsQuery } from './form-schema.ts'
import { pickFields } from '../query/fields.ts'
import type { FilterField, Filter } from '../query/filter/filter.ts'
import type { ParsedList } from '../query/list.ts'
import { readDocumentPage } from '../query/page.ts'

export async function listPublic(
  { runtime, project, db }: GuestCaller,
  name: string,
  query: PublicDocumentsQuery,
): Promise<PublicDocumentList> {
  const collection = await findPublicCollection(runtime, project.id, name)
  if (!collection) throw unknownCollection()
  if (!collection.row.public_read)
    throw new Problem('collection_not_public', 'Websites may not read this collection.')
  const readable = readableOf(collection)
  const { limit, cursor, filter, sort } = query
  const { shown, next_cursor } = await readDocumentPage({
    runtime,
    db,
    collection: collection.row,
    asked: { limit, cursor, filter, sort },
    allow: (read) => requireReadable(read, readable),
    showable: readable,
    show: (row) => JSON.stringify(presentPublic(row, readable)),
    bytes_max: limits.page_bytes_max,
  })
  const next = JSON.stringify(next_cursor)
  return verbatim<PublicDocumentList>(`{"data":[${shown.join(',')}],"next_cursor":${next}}`)
}

function presentPublic(
  row: FoundDocument,
  readable: readonly FieldPath[],
): PublicDocumentList['data'][number] {
  const created_at = new Date(createdMs(row)).toISOString()
  return { id: row.id, data: pickFields(dataOf(row), readable), created_at }
}

function readableOf({ row }: CompiledCollection): FieldPath[] {
  return row.readable_fields.flatMap((text) => {
    const path = parseFieldPath(text)
    return path ? [path] : []
  })
}

function requireReadable({ filter, sort }: ParsedList, readable: readonly FieldPath[]): void {
  const asked = {
    filter: filter ? [...fieldsOf(filter)] : [],
    sort: sort.map(({ field }) => field),
  }
  for (const [parameter, fields] of Object.entries(asked)) {
    const hidden = fields.find((field) => !isReadable(field, readable))
    if (!hidden) continue
    const name = 'path' in hidden ? writeFieldPath(hidden.path) : hidden.system
    const known = [...readable.map(writeFieldPath), 'id', 'created_at']
    throw unreadableField({ parameter, name, known })
  }
}

interface UnreadableField {
  parameter: string
  name: string
  /** The fields that a website may use. */
  known: readonly string[]
}

function unreadableField({ parameter, name, known }: UnreadableField): Problem {
  const suggestion = findNearestName(name, known)
  const meant = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`
  const detail = `${parameter} names ${name}, and websites may use readable fields alone.${meant}`
  return new Problem('invalid_parameter', detail, {
    user_message: `This list cannot be filtered or sorted by "${name}".${meant}`,
    next_step: `Use one of these fields and send the request again: ${known.join(', ')}.`,
    fields: { parameter, ...(meant && { suggestion }) },
  })
}

function* fieldsOf(filter: Filter): Generator<FilterField> {
  if ('parts' in filter) for (const part of filter.parts) yield* fieldsOf(part)
  else if ('part' in filter) yield* fieldsOf(filter.part)
  else yield filter.field
}

/** Returns whether a field is readable, below a readable field, or part of every reply. */
function isReadable(field: FilterField, readable: readonly FieldPath[]): boolean {
  if ('system' in field) return field.system === 'id' || field.system === 'created_at'
  return readable.some((path) => path.every((part, index) => part === field.path[index]))
}
