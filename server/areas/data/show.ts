/**
 * Presents documents that are only read. The JSON text of the data is copied without parsing, which
 * would dominate the cost of a list. The other members (ids, collection names, numbers, times) need
 * no escaping.
 */
import { limits } from '../../contract/limits.ts'
import { verbatim } from '../../kernel/database/driver/verbatim.ts'
import type { FieldPath } from './field-path.ts'
import type { FoundDocument } from './document-store.ts'
import { pickFields } from './query/fields.ts'
import type { DocumentList } from './query/schema.ts'
import type { Document, JsonObject } from './schema.ts'

export function createdMs({ created_s }: FoundDocument): number {
  return Math.round(created_s * 1000)
}

export function updatedMs(row: FoundDocument): number {
  return row.updated_s === null ? createdMs(row) : Math.round(row.updated_s * 1000)
}

export function dataOf({ data_json }: FoundDocument): JsonObject {
  return JSON.parse(data_json)
}

/** A single document. */
export function showDocument(row: FoundDocument, collection_name: string): Document {
  const { version } = row
  return verbatim<Document>(documentText(row, collection_name, dataText(row)), { version })
}

export interface ShownPage {
  rows: readonly FoundDocument[]
  collection_name: string
  /** The data fields to return; null means all. */
  fields: readonly FieldPath[] | null
  next_cursor: string | null
  /** Null if not requested. */
  count: number | null
}

export function showPage(page: ShownPage): DocumentList {
  const { rows, collection_name, fields, next_cursor, count } = page
  const shown = rows.map((row) => {
    const data = fields ? JSON.stringify(pickFields(dataOf(row), fields)) : dataText(row)
    return documentText(row, collection_name, data)
  })
  const counted = count === null ? '' : `,"count":${count}`
  const cursor = JSON.stringify(next_cursor)
  return verbatim<DocumentList>(`{"data":[${shown.join(',')}],"next_cursor":${cursor}${counted}}`)
}

/**
 * Returns the data as JSON text. PostgreSQL writes 1e308 with all zeros, so a text that is longer
 * than the document limit is rewritten by JavaScript.
 */
function dataText({ data_json }: FoundDocument): string {
  const is_usual = data_json.length <= limits.document_bytes_max
  return is_usual ? data_json : JSON.stringify(JSON.parse(data_json))
}

function documentText(row: FoundDocument, collection_name: string, data: string): string {
  const { id, version, source, test } = row
  const created = new Date(createdMs(row)).toISOString()
  const updated = row.updated_s === null ? created : new Date(updatedMs(row)).toISOString()
  const beside = `"version":${version},"source":"${source}"`
  const times = `"created_at":"${created}","updated_at":"${updated}"`
  return `{"id":"${id}","collection":"${collection_name}","data":${data},${beside},${times},"test":${test}}`
}
