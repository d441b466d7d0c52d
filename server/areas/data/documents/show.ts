/**
 * Presents documents that are only read. The JSON text of the data is copied without parsing, which
 * would dominate the cost of a list. The other members (ids, collection names, numbers, times) need
 * no escaping.
 */
import { limits } from '../../../contract/limits.ts'
import { inSlices } from '../../../kernel/limits/slices.ts'
import { verbatim } from '../../../kernel/database/driver/verbatim.ts'
import type { FieldPath } from '../fields/field-path.ts'
import type { FoundDocument } from './document-store.ts'
import { pickFields } from '../query/fields.ts'
import type { DocumentList } from '../query/schema.ts'
import type { Document, JsonObject } from '../schema.ts'

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

export async function showPage(page: ShownPage): Promise<DocumentList> {
  const { next_cursor, count } = page
  const shown = await inSlices(documentTexts(page))
  const counted = count === null ? '' : `,"count":${count}`
  const cursor = JSON.stringify(next_cursor)
  return verbatim<DocumentList>(`{"data":[${shown.join(',')}],"next_cursor":${cursor}${counted}}`)
}

/** Yields after each document, because parsing wide documents takes milliseconds. */
function* documentTexts({ rows, collection_name, fields }: ShownPage): Generator<void, string[]> {
  const texts: string[] = []
  for (const row of rows) {
    const data = fields ? JSON.stringify(pickFields(dataOf(row), fields)) : dataText(row)
    texts.push(documentText(row, collection_name, data))
    yield
  }
  return texts
}

/**
 * PostgreSQL writes a space after each colon and comma, which makes the text up to 1.5 times as long
 * as the document.
 */
const USUAL_CHARACTERS_MAX = 2 * limits.document_bytes_max

/**
 * Returns the data as JSON text. PostgreSQL writes 1e308 with all zeros, so a text of unusual length
 * is rewritten by JavaScript.
 */
function dataText({ data_json }: FoundDocument): string {
  const is_usual = data_json.length <= USUAL_CHARACTERS_MAX
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
