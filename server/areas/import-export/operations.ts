/** The operations that export and import documents. */
import { Type } from 'typebox'
import { limits } from '../../contract/limits.ts'
import { pickFields, type JsonRecord } from '../../contract/manifest/state-section.ts'
import { operation, type BriefReply } from '../../contract/operation.ts'
import { streamOperation, type StreamInput } from '../../contract/operations/streams.ts'
import { CollectionParams } from '../data/schema.ts'
import { exportDocuments } from './export.ts'
import { formatNames, formats, exportTypes, importTypes } from './files.ts'
import { findImportLoss, findTextLoss, importDocuments, importFromMedia } from './import.ts'
import { ImportReport } from './report.ts'
import { Uuid, withDescription } from '../../contract/schema/shapes.ts'
import { formatSize } from '../../kernel/values/size.ts'

const ExportQuery = Type.Object(
  {
    format: Type.Enum([...formatNames], {
      default: 'ndjson',
      description: 'File format. ndjson is lossless; csv and xlsx are for spreadsheets.',
    }),
    filter: Type.Optional(
      Type.String({
        maxLength: 10_000,
        description: 'Filter, as in the list of documents.',
        examples: ['total >= 10'],
      }),
    ),
    sort: Type.Optional(
      Type.String({
        maxLength: 1000,
        description: 'Sort order, as in the list of documents. Default: oldest first.',
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
    'Exports the documents of a collection as a streamed file. Each document is ' +
    'included once. Documents that are added or changed during the export may be ' +
    'included in their old or new state.',
  keywords:
    'CSV, Excel, XLSX, download, dump, backup, spreadsheet, file, print, customer list, ' +
    'submissions, computer, accountant, participants, all data, save a copy, download link',
  scope: 'data:read',
  reach: 'selection',
  effect: 'read',
  params: CollectionParams,
  query: ExportQuery,
  media: { gives: exportTypes, examples: exampleFiles },
  errors: ['not_found', 'invalid_parameter'],
  run: ({ params, query: { format, filter, sort }, signal }, caller) =>
    exportDocuments(caller, { name: params.name, format, filter, sort, signal }),
})

const flag = (description: string) => Type.Boolean({ default: false, description })

const ImportQuery = Type.Object(
  {
    format: Type.Optional(
      Type.Enum([...formatNames], {
        description:
          'File format. Only needed with Content-Type application/octet-stream; ' +
          'otherwise it must match the Content-Type.',
      }),
    ),
    mode: Type.Enum(['insert', 'upsert'], {
      default: 'insert',
      description:
        'insert: every line creates a document. upsert: a line replaces the document it ' +
        'identifies, or creates one.',
    }),
    by: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'With upsert: the unique field, or id, that identifies the document.',
        examples: ['email'],
      }),
    ),
    atomic: flag(
      'true: if a line is refused, nothing is imported. false (default): the other lines ' +
        'are imported.',
    ),
    dry_run: flag(
      'true: changes nothing, and reports how each column is read, the first ' +
        'documents, and the lines that would be refused.',
    ),
    locale: Type.Optional(
      Type.String({
        minLength: 2,
        maxLength: 35,
        description:
          'Number and date notation in CSV and in XLSX texts; nl-NL reads 1.234,56 and ' +
          '31-12-2024. Default: detected from the file; ambiguous values are then ' +
          'refused.',
        examples: ['nl-NL'],
      }),
    ),
    timezone: Type.Optional(
      Type.String({
        maxLength: 60,
        description:
          'Time zone of times that have none; default: that of the assistant. Without either, ' +
          'such times are refused.',
        examples: ['Europe/Amsterdam'],
      }),
    ),
    columns: Type.Optional(
      Type.String({
        maxLength: 8_000,
        description:
          'JSON object from headings to fields, for columns of CSV and XLSX whose heading is ' +
          'not the name or title of their field; null leaves a column out.',
        examples: ['{"Bedrag":"total","Opmerking":null}'],
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

const importErrors = [
  'not_found',
  'invalid_parameter',
  'validation_failed',
  'schema_mismatch',
  'document_too_large',
  'document_limit_reached',
  'plan_limit_reached',
] as const

export const importAll = streamOperation({
  name: 'documents.import',
  route: 'POST /collections/{name}/documents/import',
  about:
    `Imports documents from a file of at most ${formatSize(limits.import_bytes_max)} and ` +
    `${limits.import_lines_max} lines: NDJSON, CSV or XLSX, by its Content-Type. Each ` +
    'line is validated like a single document; the report lists refused lines and the ' +
    'reasons. An interrupted upload imports nothing. Lines are written in batches; if the import ' +
    'is interrupted later, complete batches stay.',
  keywords:
    'CSV, Excel, XLSX, spreadsheet, upload rows, load, migrate, price list, old system, put ' +
    'in, fixtures, bulk, dry run, validate file, sheet, products, from another program, JSON ' +
    'Lines, duplicates, failed rows, error per row, whole list',
  consent: {
    about: 'Imports documents from a table.',
    loses: (input, caller) => {
      // An approval has the table as an argument, and so as a body that can be read again.
      const { params, query, takeBody } = input as typeof input & Pick<StreamInput, 'takeBody'>
      const { format, mode, by, atomic, locale, timezone, columns, dry_run } = query
      const how = { format, mode, by, atomic, locale, timezone, columns, dry_run }
      return findTextLoss(caller, { ...params, ...how, takeBody })
    },
  },
  scope: 'data:write',
  reach: 'selection',
  effect: 'write',
  params: CollectionParams,
  query: ImportQuery,
  media: {
    takes: {
      types: importTypes,
      bytes_max: limits.import_bytes_max,
      as_text: {
        argument: 'csv',
        media_type: 'text/csv',
        bytes_max: limits.import_text_bytes_max,
        larger: 'upload it (media.create_uploads) and run documents.import_media',
        description:
          'The table as CSV text, with a first line of field names, at most ' +
          `${formatSize(limits.import_text_bytes_max)}. Upload a larger one and run documents.import_media.`,
      },
    },
    examples: filesToImport,
  },
  reply: ImportReport,
  brief: briefReport,
  errors: importErrors,
  run: ({ params, query, takeBody }, caller) => {
    const { format, mode, by, atomic, dry_run, locale, timezone, columns } = query
    const how = { format, mode, by, atomic, dry_run, locale, timezone, columns }
    return importDocuments(caller, { ...params, ...how, takeBody })
  },
})

const { format: _format, mode, atomic, dry_run, ...others } = ImportQuery.properties

const ImportMedia = Type.Object(
  {
    media_id: withDescription(Uuid, 'Id of the file in the media library.'),
    ...others,
    mode: Type.Optional(mode),
    atomic: Type.Optional(atomic),
    dry_run: Type.Optional(dry_run),
  },
  { additionalProperties: false },
)

export const importMedia = operation({
  name: 'documents.import_media',
  route: 'POST /collections/{name}/documents/import-media',
  about:
    'Imports documents from a CSV, XLSX or NDJSON file of the media library, by the rules of ' +
    'POST /collections/{name}/documents/import. Send the file there with an upload link ' +
    '(POST /media/uploads). Needs the scope sites:read too.',
  keywords:
    'large CSV, big spreadsheet, Excel file, uploaded file, upload link, bulk load, migrate, ' +
    'price list',
  consent: {
    about: 'Imports documents from a file of the media library.',
    loses: ({ params, body }, caller) => findImportLoss(caller, params.name, body),
  },
  scope: 'data:write',
  reach: 'project',
  effect: 'write',
  waits_for_others: true,
  params: CollectionParams,
  body: ImportMedia,
  status: 200,
  reply: ImportReport,
  brief: briefReport,
  errors: [...importErrors, 'file_too_large', 'missing_scope'],
  run: ({ params, body }, caller) => importFromMedia(caller, params.name, body),
})

/** Counts, what was refused, and columns that were not read as their headings say; a dry run as a whole. */
function briefReport(report: JsonRecord): BriefReply {
  if (report['dry_run'] === true)
    return { reply: {}, outsiders: { report: JSON.stringify(report) } }
  const { errors, warnings, columns } = report
  const odd = listOf(columns)
    .filter(({ heading, field, suggestion }) => heading !== field || suggestion !== null)
    .map((column) => pickFields(column, ['heading', 'field', 'suggestion']))
  const found = {
    errors: listOf(errors).slice(0, TOLD_MAX),
    warnings: listOf(warnings),
    columns: odd,
  }
  const told = Object.entries(found).filter(([, list]) => list.length > 0)
  const { stopped } = report
  const all = [...told, ...(stopped === null ? [] : [['stopped', stopped] as const])]
  return {
    reply: pickFields(report, ['inserted', 'updated', 'refused']),
    ...(all.length > 0 && {
      outsiders: Object.fromEntries(all.map(([name, value]) => [name, JSON.stringify(value)])),
    }),
  }
}

function listOf(value: unknown): JsonRecord[] {
  return Array.isArray(value) ? value : []
}

const TOLD_MAX = 10
