/** The operations that export and import documents. */
import { Type } from 'typebox'
import { limits } from '../../../contract/limits.ts'
import { streamOperation } from '../../../contract/streams.ts'
import { CollectionParams } from '../schema.ts'
import { exportDocuments } from '../transfer/export.ts'
import { formatNames, formats, exportTypes, importTypes } from '../transfer/files.ts'
import { importDocuments } from '../transfer/import.ts'
import { ImportReport } from '../transfer/report.ts'
import { sizeText } from '../../../kernel/values/size.ts'

const ExportQuery = Type.Object(
  {
    format: Type.Enum([...formatNames], {
      default: 'ndjson',
      description: 'ndjson loses nothing; csv and xlsx are for spreadsheets.',
    }),
    filter: Type.Optional(
      Type.String({
        maxLength: 10_000,
        description: 'Only these documents, as in the list of documents.',
        examples: ['total >= 10'],
      }),
    ),
    sort: Type.Optional(
      Type.String({
        maxLength: 1000,
        description: 'Their order, as in the list of documents; oldest first when left out.',
        examples: ['-created_at'],
      }),
    ),
  },
  { additionalProperties: false },
)

const exampleFiles = {
  'application/x-ndjson':
    '{"_id":"019aafe2-7c3a-7d41-9f52-3b8e6a1c4d20","name":"Anna","guests":4,"_version":1,' +
    '"_source":"form","_created_at":"2026-11-21T09:30:00.000Z",' +
    '"_updated_at":"2026-11-21T09:30:00.000Z"}\n',
  'text/csv':
    '_id,name,guests,_more,_version,_source,_created_at,_updated_at\r\n' +
    '019aafe2-7c3a-7d41-9f52-3b8e6a1c4d20,Anna,4,,1,form,2026-11-21T09:30:00.000Z,' +
    '2026-11-21T09:30:00.000Z\r\n',
}

export const exportAll = streamOperation({
  name: 'documents.export',
  route: 'GET /collections/{name}/documents/export',
  about:
    'The documents of a collection as a file, streamed as fast as it is read. Every document is in ' +
    'it once; those that are added or changed meanwhile may be in it as they were or as they are.',
  scope: 'data:read',
  reach: 'selection',
  effect: 'read',
  params: CollectionParams,
  query: ExportQuery,
  media: { gives: exportTypes, examples: exampleFiles },
  errors: ['not_found', 'invalid_parameter'],
  run: ({ params, query: { format, filter, sort }, signal }, caller) =>
    exportDocuments(caller, { name: params.name, format, asked: { filter, sort }, signal }),
})

const flag = (description: string) => Type.Boolean({ default: false, description })

const ImportQuery = Type.Object(
  {
    format: Type.Optional(
      Type.Enum([...formatNames], {
        description:
          'Only needed when the body is sent as application/octet-stream; it must agree with others.',
      }),
    ),
    mode: Type.Enum(['insert', 'upsert'], {
      default: 'insert',
      description: 'insert: every line is a new document. upsert: or replaces the one it is about.',
    }),
    by: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'With upsert: the unique field, or id, that says which document is meant.',
        examples: ['email'],
      }),
    ),
    atomic: flag('true: all lines or none. Otherwise refused lines do not stop the others.'),
    dry_run: flag(
      'true: shows how each column is understood, the first documents and the lines that would be ' +
        'refused, and changes nothing.',
    ),
    locale: Type.Optional(
      Type.String({
        minLength: 2,
        maxLength: 35,
        description:
          'How CSV and texts of XLSX write numbers and dates: nl-NL reads 1.234,56 and 31-12-2024. ' +
          'Left out, it is found out from the file; values with two meanings are then refused.',
        examples: ['nl-NL'],
      }),
    ),
    timezone: Type.Optional(
      Type.String({
        maxLength: 60,
        description: 'Where times are read that name no zone; without it they are refused.',
        examples: ['Europe/Amsterdam'],
      }),
    ),
  },
  { additionalProperties: false },
)

const linesToImport = '{"name":"Anna","guests":4}\n{"name":"Bram","guests":2}\n'
const filesToImport = {
  ...Object.fromEntries(formats.ndjson.media_types.map((type) => [type, linesToImport])),
  'text/csv': 'name,guests\nAnna,4\nBram,2\n',
}

export const importAll = streamOperation({
  name: 'documents.import',
  route: 'POST /collections/{name}/documents/import',
  about:
    `Adds documents from a file of at most ${sizeText(limits.import_bytes_max)} and ` +
    `${limits.import_lines_max} lines: NDJSON, CSV or XLSX, as its Content-Type says. Each line is ` +
    'checked as a single document is, and the report says which were refused and why. Lines are ' +
    'written in batches: when an upload breaks off, whole batches stay.',
  scope: 'data:write',
  reach: 'selection',
  effect: 'write',
  params: CollectionParams,
  query: ImportQuery,
  media: {
    takes: { types: importTypes, bytes_max: limits.import_bytes_max },
    examples: filesToImport,
  },
  reply: ImportReport,
  errors: [
    'not_found',
    'invalid_parameter',
    'validation_failed',
    'schema_mismatch',
    'document_too_large',
    'document_limit_reached',
    'plan_limit_reached',
  ],
  run: ({ params, query, takeBody }, caller) => {
    const { format, mode, by, atomic, dry_run, locale, timezone } = query
    const how = { format, mode, by, atomic, dry_run, locale, timezone }
    return importDocuments(caller, { ...params, ...how, takeBody })
  },
})
