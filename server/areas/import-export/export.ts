/**
 * Exports documents as a file. Reads the next page only when the client has taken the previous one
 * (backpressure).
 */
import type { Caller } from '../../contract/caller.ts'
import type { StreamReply } from '../../contract/operations/streams.ts'
import { findCollection, findFieldNames, readAllDocuments } from '../data/service.ts'
import { layoutOf } from './table/columns.ts'
import { formats, type FormatName } from './files.ts'
import { flatten, type FlatRecord } from './record.ts'

// More than the columns of a table, so that leftover fields are detected.
const NAMES_MAX = 1100

export interface Export {
  name: string
  format: FormatName
  filter: string | undefined
  sort: string | undefined
  signal: AbortSignal
}

export async function exportDocuments(
  caller: Caller,
  { name, format, ...selection }: Export,
): Promise<StreamReply> {
  const { row } = await findCollection(caller, name)
  const { media_types, charset, columns, write } = formats[format]
  const pages = await readAllDocuments(caller, row, selection)
  const names = columns ? await findFieldNames(caller.db, row, NAMES_MAX) : []
  const day = caller.runtime.clock.now().toISOString().slice(0, 10)
  return {
    media_type: charset ? `${media_types[0]}; charset=${charset}` : media_types[0],
    // Collection names are slugs, which every file system accepts.
    headers: { 'Content-Disposition': `attachment; filename="${name}-${day}.${format}"` },
    chunks: write(recordsOf(pages), layoutOf(JSON.parse(row.schema), names)),
  }
}

async function* recordsOf(
  pages: Awaited<ReturnType<typeof readAllDocuments>>,
): AsyncGenerator<FlatRecord[]> {
  for await (const documents of pages) yield documents.map(flatten)
}
