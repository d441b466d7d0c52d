/**
 * Presents documents that are only read. The JSON text of the data is copied without parsing, which
 * would dominate the cost of a list. The other members (ids, collection names, numbers, times) need
 * no escaping.
 */
import { verbatim } from '../../../kernel/database/driver/verbatim.ts'
import { createdMs, dataOf, updatedMs, type FoundDocument } from './document-store.ts'
import type { FieldPath } from '../field-path.ts'
import { pickFields } from '../query/fields.ts'
import type { DocumentPage, ShowRow } from '../query/page.ts'
import type { DocumentList } from '../query/schema.ts'
import type { Document } from '../schema.ts'

/** A single document; `fields` null means all. */
export function showDocument(
  row: FoundDocument,
  collection_name: string,
  fields: readonly FieldPath[] | null = null,
): Document {
  const { version } = row
  return verbatim<Document>(showListed(collection_name)(row, fields), { version })
}

/** The JSON text of a document in a list; `fields` null means all. */
export function showListed(collection_name: string): ShowRow {
  return (row, fields) => {
    const data = fields ? JSON.stringify(pickFields(dataOf(row), fields)) : dataText(row)
    return documentText(row, collection_name, data)
  }
}

export function showPage({ shown, next_cursor, count, warnings }: DocumentPage): DocumentList {
  const counted = count === null ? '' : `,"count":${count}`
  const cursor = JSON.stringify(next_cursor)
  const warned = warnings.length === 0 ? '' : `,"warnings":${JSON.stringify(warnings)}`
  const data = shown.join(',')
  return verbatim<DocumentList>(`{"data":[${data}],"next_cursor":${cursor}${counted}${warned}}`)
}

/**
 * Returns the data as JSON text. PostgreSQL writes a space after each colon and comma, which makes the
 * text up to 1.5 times as long as the document, and 1e308 with all zeros. A longer text is rewritten
 * by JavaScript.
 */
function dataText({ data_json, bytes }: FoundDocument): string {
  const is_usual = data_json.length <= 2 * bytes
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
