/**
 * The file format of a project export, a gzipped tar file:
 *
 *   project.json              what the file contains
 *   data/<table>/0001.ndjson  rows as JSON objects, one in a line, in parts
 *   apps/<id>/app.json         the code, settings and migrations of an app
 *   apps/<id>/<table>/0001.csv  rows of the own database of an app, for reading
 *   files/<file id>           the bytes of a file; files/<file id>.br and others are copies of it
 *   end.json                  the numbers of rows and files; missing if the file is cut short
 */
import { Type, type Static } from 'typebox'
import type { ExportedTable } from '../../../contract/manifest/exported-table.ts'

export const FORMAT = 1
export const FIRST = 'project.json'
export const LAST = 'end.json'
export const LINE_END = 10

export interface ArchivedTable extends Pick<ExportedTable, 'table' | 'for_reading'> {
  columns: string[]
}

/** What an import reads of `project.json`. */
export const archiveHeader = Type.Object({
  homeport_project_export: Type.Literal(FORMAT),
  /** The version of Homeport that wrote the file. */
  version: Type.String(),
  /** The number of the newest migration of its database. */
  migration: Type.Integer(),
  project: Type.Object({ id: Type.String(), name: Type.String() }),
  /** In the order of an import. */
  tables: Type.Array(Type.Object({ table: Type.String(), columns: Type.Array(Type.String()) })),
})

export type ArchiveHeader = Static<typeof archiveHeader>

export const archiveEnd = Type.Object({
  rows: Type.Record(Type.String(), Type.Integer()),
  files: Type.Integer(),
  /** Files whose bytes were missing in the installation that wrote the export. */
  missing_files: Type.Integer(),
})

export type ArchiveEnd = Static<typeof archiveEnd>

/** A project export that cannot be written or read, with one sentence that states the reason. */
export class ExportFault extends Error {
  override readonly name = 'ExportFault'
}

export function countLines(text: Buffer): number {
  let count = 0
  for (let at = text.indexOf(LINE_END); at >= 0; at = text.indexOf(LINE_END, at + 1)) count += 1
  return count
}
