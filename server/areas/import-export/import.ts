/**
 * Imports documents from a file that has arrived. Writes batches, each in its own transaction; with
 * `atomic` or `dry_run`, reads the whole file first and uses one transaction.
 */
import type { Caller } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { Loss } from '../../contract/operation.ts'
import { withCommittedPart } from '../../contract/committed-part.ts'
import type { StreamInput } from '../../contract/operations/streams.ts'
import { toLine } from '../../kernel/values/first-values.ts'
import { formatSize } from '../../kernel/values/size.ts'
import { isUuid } from '../../kernel/values/ids.ts'
import { createPause } from '../../kernel/limits/slices.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import { createSlots } from '../../kernel/limits/slots.ts'
import {
  findCollection,
  parseFieldPath,
  writeFieldPath,
  writeImported,
  type CompiledCollection,
} from '../data/service.ts'
import { openFile } from '../files/service.ts'
import { findMedia, type FoundMedia } from '../media/service.ts'
import * as webhooks from '../webhooks/service.ts'
import { formatNames, formatOf, formats, type FileFormat, type FormatName } from './files.ts'
import { MalformedFile } from '../../kernel/tables/malformed-file.ts'
import type { CellTexts, FileLine } from './file-line.ts'
import { readColumns } from './table/given-columns.ts'
import { unflatten } from './record.ts'
import {
  countRefused,
  malformedFileProblem,
  newReport,
  atomicImportProblem,
  importFaultOf,
  type ImportReport,
  type RefusedLine,
  type ImportFault,
} from './report.ts'
import {
  withColumn,
  readNotation,
  reportFormat,
  reportGuess,
  reportInexact,
  type NotationParameters,
} from './format-report.ts'

const BATCH_LINES = 200
/** Length of the documents as JSON. */
const BATCH_CHARACTERS = 524_288

export interface ImportRequest extends NotationParameters {
  name: string
  format: FormatName | undefined
  mode: 'insert' | 'upsert'
  /** With `upsert` only: `id` or a unique field. */
  by: string | undefined
  atomic: boolean
  dry_run: boolean
  columns: string | undefined
  takeBody: StreamInput['takeBody']
}

/** A valid line: its data, and the document id if the line has one. */
interface Candidate {
  line: number
  id: string | undefined
  data: Record<string, unknown>
  texts?: CellTexts | undefined
  /** Length of the data as JSON. */
  characters: number
}

interface Importing {
  caller: Caller
  collection: CompiledCollection
  /** The field that identifies existing documents; null if every line is a new document. */
  by: string | null
  report: ImportReport
}

/**
 * Limits concurrent imports: each uses a database connection per batch, and a workbook is held in
 * memory.
 */
const slots = createSlots({
  name: 'documents are imported',
  units: 6,
  units_each: 2,
  waiting_max: 40,
  waiting_each_max: 4,
  wait_ms_max: 20_000,
  retry_after_s: 10,
})

export function importDocuments(caller: Caller, request: ImportRequest): Promise<ImportReport> {
  return slots.run(caller.project.id, () => importFile(caller, request))
}

/** What an import of a small text overwrites, by a dry run. */
export async function findTextLoss(caller: Caller, request: ImportRequest): Promise<Loss | null> {
  if (request.mode !== 'upsert' || request.dry_run) return null
  const { updated } = await importDocuments(caller, { ...request, dry_run: true })
  if (updated <= limits.overwritten_documents_max) return null
  const { document_count } = (await findCollection(caller, request.name)).row
  const about = `It overwrites ${updated} of the ${document_count} documents in ${request.name}.`
  return { about, instead: null }
}

/** An import of a file that replaces documents can overwrite as many as the collection has. */
export async function findImportLoss(
  caller: Caller,
  name: string,
  { mode, dry_run = false, media_id }: MediaImport,
): Promise<Loss | null> {
  if (mode !== 'upsert' || dry_run) return null
  const { row } = await findCollection(caller, name)
  const { document_count: count } = row
  if (count <= limits.overwritten_documents_max) return null
  requireLibrary(caller)
  const [file] = await findMedia(caller.db, caller.project.id, [media_id])
  if (!file) throw createNoFileProblem()
  const { filename, source, bytes, sha256: depends_on } = file
  // Models read this, and visitors name the files that they send.
  const words = source === 'form' || source === 'import' ? 'the file' : toLine([filename])
  const about = `It may overwrite the ${count} documents in ${name} with ${words}, ${formatSize(bytes)}.`
  return { about, instead: null, depends_on }
}

/** What an import from the media library has: the file, and how it is read. */
export interface MediaImport extends Partial<Omit<ImportRequest, 'name' | 'format' | 'takeBody'>> {
  media_id: string
}

/** Imports a file of the media library. */
export async function importFromMedia(
  caller: Caller,
  name: string,
  { media_id, mode = 'insert', atomic = false, dry_run = false, ...how }: MediaImport,
): Promise<ImportReport> {
  const { db, runtime, project } = caller
  requireLibrary(caller)
  const [file] = await findMedia(db, project.id, [media_id])
  const format = file && formatOfFile(file)
  if (!file || !format) {
    if (!file) throw createNoFileProblem()
    throw new Problem(
      'not_found',
      'This file of the media library is no CSV, XLSX or NDJSON file.',
      { next_step: 'Choose a CSV, XLSX or NDJSON file from GET /media.' },
    )
  }
  if (file.bytes > limits.import_bytes_max) {
    const detail = `An import may have ${formatSize(limits.import_bytes_max)}.`
    throw new Problem('file_too_large', detail)
  }
  const bytes = await openFile(runtime, project.id, { id: file.file_id })
  const [media_type = ''] = formats[format].media_types
  const { by, columns, locale, timezone } = how
  const request = { name, format, mode, by, atomic, dry_run, columns, locale, timezone }
  return importDocuments(caller, { ...request, takeBody: () => ({ media_type, bytes }) })
}

/** The report shows what is in the file, also to a key that may not read the documents. */
function requireLibrary({ scopes }: Caller): void {
  if (scopes.has('sites:read')) return
  throw new Problem('missing_scope', 'An import from the media library needs the scope sites:read.')
}

function createNoFileProblem(): Problem {
  return new Problem('not_found', 'There is no file with this id in the media library.', {
    next_step: 'Take the media_id from GET /media.',
  })
}

/** By its content type, else by its name, because browsers and stores disagree about types of tables. */
function formatOfFile({ content_type, filename }: FoundMedia): FormatName | null {
  const [, suffix = ''] = /\.(\w{1,10})$/.exec(filename.toLowerCase()) ?? []
  return formatOf(content_type) ?? formatNames.find((name) => name === suffix) ?? null
}

async function importFile(caller: Caller, request: ImportRequest): Promise<ImportReport> {
  const { name, atomic, dry_run } = request
  const collection = await findCollection(caller, name)
  const by = readBy(collection, request)
  const { read, bytes } = open(request)
  const report = newReport(dry_run)
  const reading = {
    notation: await readNotation(caller, collection, request),
    columns: readColumns(request.columns),
    onFormat: reportFormat(report),
    onInexact: reportInexact(report),
    onGuess: reportGuess(report),
  }
  const lines = read(bytes, JSON.parse(collection.row.schema), reading)
  const importing = { caller, collection, by, report }
  if (atomic || dry_run) await importWhole(importing, lines, request)
  else {
    const steps = await checkRoom(importing, stepsOf(lines))
    await importInBatches(importing, steps).catch((error: unknown) => {
      throw withCommittedPart(error, report)
    })
  }
  return report
}

/** Reads every line before the first is written if each sends an event, so that their number is known. */
async function checkRoom(
  { caller, collection, by }: Importing,
  steps: AsyncIterable<Step>,
): Promise<AsyncIterable<Step> | Iterable<Step>> {
  if (!collection.row.webhook_on_insert || by !== null) return steps
  const all = await Array.fromAsync(steps)
  const count = all.filter((step) => 'candidate' in step).length
  await webhooks.requireRoomFor(caller, { type: 'document.created', count })
  return all
}

function open({
  format,
  takeBody,
}: ImportRequest): Pick<FileFormat, 'read'> & { bytes: AsyncIterable<Uint8Array> } {
  const { media_type, bytes } = takeBody()
  const name = formatOf(media_type) ?? format
  const fields = { parameter: 'format' }
  if (!name) {
    const detail = `A body sent as ${media_type} needs the parameter format.`
    throw new Problem('invalid_parameter', detail, { fields })
  }
  if (format !== undefined && format !== name) {
    const detail =
      `format is ${format}, but the body was sent as ${media_type}. Use the same format ` +
      'for both.'
    throw new Problem('invalid_parameter', detail, { fields })
  }
  return { read: formats[name].read, bytes }
}

function readBy({ row }: CompiledCollection, { mode, by }: ImportRequest): string | null {
  if (mode === 'insert') {
    if (by === undefined) return null
    throw new Problem('invalid_parameter', 'by is only for mode=upsert.')
  }
  if (by === undefined || by === 'id') return 'id'
  const path = parseFieldPath(by)
  const field = path ? writeFieldPath(path) : by
  if (row.unique_fields.includes(field)) return field
  const known = ['id', ...row.unique_fields].join(', ')
  throw new Problem('invalid_parameter', `by must be id or a unique field: ${known}.`)
}

type Step = { candidate: Candidate } | { fault: RefusedLine } | { stop: ImportFault }

/** Yields each line as a candidate or an error. A fault of the file is the last step. */
async function* stepsOf(lines: AsyncIterable<FileLine>): AsyncGenerator<Step> {
  const pause = createPause()
  let last = 1
  let count = 0
  try {
    for await (const line of lines) {
      last = line.line
      count += 1
      if (count > limits.import_lines_max) {
        const message = `The file has more than ${limits.import_lines_max} lines.`
        throw new MalformedFile(message, { line: last })
      }
      yield stepOf(line)
      // Yields to other work, because lines may already be in memory.
      await pause()
    }
  } catch (error) {
    const stop = importFaultOf(error, last)
    if (!stop || count === 0)
      throw stop && error instanceof MalformedFile ? malformedFileProblem(stop) : error
    yield { stop }
  }
}

function stepOf(line: FileLine): Step {
  if ('faults' in line) {
    return { fault: { line: line.line, type: 'validation_failed', errors: [...line.faults] } }
  }
  const { id, data } = unflatten(line.record)
  const { texts } = line
  const candidate = { line: line.line, data, texts, characters: JSON.stringify(data).length }
  if (id === undefined || id === null || id === '')
    return { candidate: { ...candidate, id: undefined } }
  if (typeof id === 'string' && isUuid(id))
    return { candidate: { ...candidate, id: id.toLowerCase() } }
  const errors = [{ path: '/_id', message: 'must be a UUID' }]
  return { fault: { line: line.line, type: 'validation_failed', errors } }
}

async function importInBatches(
  importing: Importing,
  steps: AsyncIterable<Step> | Iterable<Step>,
): Promise<void> {
  const { caller, report } = importing
  let batch: Candidate[] = []
  const write = async () => {
    if (batch.length === 0) return
    const candidates = batch
    batch = []
    const results = await caller.db.transact((tx) => writeBatch(tx, importing, candidates))
    count(report, candidates, results)
  }
  for await (const step of steps) {
    if ('stop' in step) report.stopped = step.stop
    else if ('fault' in step) countRefused(report, () => step.fault)
    else batch.push(step.candidate)
    if (isFull(batch)) await write()
  }
  await write()
  report.errors.sort((a, b) => a.line - b.line)
}

function isFull(batch: readonly Candidate[]): boolean {
  const characters = batch.reduce((sum, one) => sum + one.characters, 0)
  return batch.length >= BATCH_LINES || characters >= BATCH_CHARACTERS
}

function* inBatches(all: readonly Candidate[]): Generator<Candidate[]> {
  let batch: Candidate[] = []
  for (const candidate of all) {
    batch.push(candidate)
    if (!isFull(batch)) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

class RolledBack extends Error {
  override readonly name = 'RolledBack'
}

async function importWhole(
  importing: Importing,
  lines: AsyncIterable<FileLine>,
  { dry_run }: ImportRequest,
): Promise<void> {
  const { caller, report } = importing
  const all: Candidate[] = []
  for await (const step of stepsOf(lines)) {
    if ('stop' in step) report.stopped = step.stop
    else if ('fault' in step) countRefused(report, () => step.fault)
    else all.push(step.candidate)
  }
  const is_incomplete = !dry_run && report.stopped !== null
  if (is_incomplete) throw atomicImportProblem(report)
  try {
    await caller.db.transact(async (tx) => {
      for (const candidates of inBatches(all))
        count(report, candidates, await writeBatch(tx, importing, candidates))
      if (dry_run || report.refused > 0) throw new RolledBack()
    })
  } catch (error) {
    if (!(error instanceof RolledBack)) throw error
  }
  report.errors.sort((a, b) => a.line - b.line)
  if (!dry_run && report.refused > 0) throw atomicImportProblem(report)
}

function writeBatch(
  tx: Transaction,
  { caller, collection, by }: Importing,
  documents: readonly Candidate[],
): ReturnType<typeof writeImported> {
  return writeImported(tx, caller, { collection: collection.row, by, documents })
}

function count(
  report: ImportReport,
  candidates: readonly Candidate[],
  results: Awaited<ReturnType<typeof writeImported>>,
): void {
  for (const [index, result] of results.entries()) {
    const line = candidates[index]?.line ?? 0
    if ('document' in result) {
      const { data } = candidates[index] ?? {}
      const is_shown = report.dry_run && report.preview.length < limits.import_preview_max
      if (data && is_shown) report.preview.push(data)
      if (result.document.version === 1) report.inserted += 1
      else report.updated += 1
    } else if ('refusal' in result) {
      const { slug, detail, errors = [{ path: '', message: detail }] } = result.refusal
      countRefused(report, () => ({
        line,
        type: slug,
        errors: errors.map((fault) => withColumn(fault, report, candidates[index])),
      }))
    }
  }
}
