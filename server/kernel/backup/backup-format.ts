/**
 * The backup format: gzipped text that is readable without Homeport. A JSON header line. For each
 * table a JSON line with its name, its rows in COPY text format, a line `\.`, and a line with row
 * count and SHA-256. For each file a JSON line with key and length, its bytes, and a line with
 * their SHA-256. A last line with the SHA-256 of everything before; without it the backup is
 * incomplete.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { PassThrough, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { Type, type Static, type TSchema } from 'typebox'
import { schemaChecks } from '../values/typebox.ts'
import { BackupFault } from './backup-fault.ts'
import { Damage, Lines, newTally, rowsEnd } from './backup-lines.ts'

/** Format 1 had no files. */
export const FORMAT = 2
const FIRST_FORMAT = 1
const CHUNK_BYTES = 65_536

export const BackupHeader = Type.Object({
  homeport_backup: Type.Union([Type.Literal(FORMAT), Type.Literal(FIRST_FORMAT)]),
  version: Type.String(),
  migration: Type.Integer({ minimum: 1 }),
  created_at: Type.String(),
  /** Id of the master key that seals values in the backup. The backup does not contain the key. */
  seal_key_id: Type.Union([Type.String(), Type.Null()]),
  sealed_values: Type.Boolean(),
  /** Ids of all keys of sealed values: two during a rotation. Absent in older backups. */
  seal_key_ids: Type.Optional(Type.Array(Type.String())),
})
export type BackupHeader = Static<typeof BackupHeader>

const SectionStart = Type.Object({ table: Type.String(), columns: Type.Array(Type.String()) })
/** Keys from a backup are untrusted; this pattern allows only paths within the file store. */
const BlobStart = Type.Object({
  blob: Type.String({ pattern: '^[0-9a-f-]{36}/(?:verification/)?[0-9a-f-]{36}(\\.[a-z0-9]+)*$' }),
  bytes: Type.Integer({ minimum: 0 }),
})
const BlobEnd = Type.Object({ sha256: Type.String() })
const SectionEnd = Type.Object({ rows: Type.Integer(), sha256: Type.String() })
const End = Type.Object({ end: Type.Literal(true), sha256: Type.String() })
const AnyFormat = Type.Object({ homeport_backup: Type.Integer() })

export interface SectionRows {
  table: string
  columns: string[]
  rows: AsyncIterable<Buffer>
}

/** A stored file or an encoded variant of one. */
export interface SectionBlob {
  blob: string
  bytes: number
  content: AsyncIterable<Uint8Array>
}

export type BackupSection = SectionRows | SectionBlob

export interface SectionCount {
  table: string
  rows: number
}

/** Writes a backup as text chunks. `onSection` receives the row or byte count of each section. */
export async function* writeBackup(
  header: BackupHeader,
  sections: AsyncIterable<BackupSection>,
  onSection: (count: SectionCount) => void,
): AsyncGenerator<Buffer> {
  const whole = createHash('sha256')
  const noted = (bytes: Buffer) => {
    whole.update(bytes)
    return bytes
  }
  yield noted(lineOf(header))
  for await (const section of sections) {
    const written = 'blob' in section ? writeBlob(section) : writeRows(section, onSection)
    for await (const bytes of written) yield noted(bytes)
  }
  yield lineOf({ end: true, sha256: whole.digest('hex') })
}

async function* writeRows(
  { table, columns, rows }: SectionRows,
  onSection: (count: SectionCount) => void,
): AsyncGenerator<Buffer> {
  yield lineOf({ table, columns })
  const tally = newTally()
  for await (const chunk of rows) yield tally.add(chunk)
  yield rowsEnd.subarray(1)
  const end = tally.end()
  onSection({ table, rows: end.rows })
  yield lineOf(end)
}

async function* writeBlob({ blob, bytes, content }: SectionBlob): AsyncGenerator<Buffer> {
  yield lineOf({ blob, bytes })
  const hash = createHash('sha256')
  let written = 0
  for await (const chunk of content) {
    hash.update(chunk)
    written += chunk.length
    yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
  }
  assert.equal(written, bytes, `The file ${blob} does not have the declared length.`)
  yield Buffer.from('\n')
  yield lineOf({ sha256: hash.digest('hex') })
}

export interface Backup {
  header: BackupHeader
  /** The sections must be consumed in order, each fully before the next; files come last. */
  sections: AsyncIterable<BackupSection>
  /** Counts of the sections read so far. */
  counts: readonly SectionCount[]
}

/** Where a backup is read from. `name` begins the messages of errors. */
export interface BackupSource {
  name: string
  open(): Promise<Readable>
}

export function fileSource(file: string): BackupSource {
  return {
    name: file,
    open: async () => createReadStream(file, { highWaterMark: CHUNK_BYTES }),
  }
}

/**
 * Opens a backup and passes its sections to `work`. Throws a BackupFault if it is damaged or
 * incomplete.
 */
export async function readBackup<T>(
  from: BackupSource,
  work: (backup: Backup) => Promise<T>,
): Promise<T> {
  const stop = new AbortController()
  const text = new PassThrough({ highWaterMark: CHUNK_BYTES })
  const source = await from.open()
  const piping = pipeline(source, createGunzip({ chunkSize: CHUNK_BYTES }), text, {
    signal: stop.signal,
  })
  piping.catch(() => {})
  try {
    const lines = new Lines(text)
    const header = await readHeader(lines)
    const counts: SectionCount[] = []
    return await work({ header, counts, sections: readSections(lines, counts) })
  } catch (error) {
    throw fileFault(error, from.name)
  } finally {
    stop.abort()
    await piping.catch(() => {})
  }
}

async function readHeader(lines: Lines): Promise<BackupHeader> {
  const header: unknown = parse(await lines.next())
  if (schemaChecks().Check(BackupHeader, header)) return header
  if (schemaChecks().Check(AnyFormat, header))
    throw new Damage('was written by a newer Homeport: use that version')
  throw new Damage('is not a Homeport backup')
}

async function* readSections(lines: Lines, counts: SectionCount[]): AsyncGenerator<BackupSection> {
  for (;;) {
    const before = lines.digest()
    const line: unknown = parse(await lines.next())
    if (schemaChecks().Check(End, line)) {
      if (line.sha256 !== before) throw new Damage('is damaged: its checksum does not fit')
      return await lines.finish()
    }
    if (schemaChecks().Check(BlobStart, line)) {
      yield* readBlob(lines, line)
      continue
    }
    const { table, columns } = expect(SectionStart, line)
    const tally = newTally()
    yield { table, columns, rows: lines.rows(tally) }
    const said = expect(SectionEnd, parse(await lines.next()))
    const found = tally.end()
    if (said.rows !== found.rows || said.sha256 !== found.sha256) {
      throw new Damage(`is damaged: the rows of ${table} do not fit their checksum`)
    }
    counts.push({ table, rows: found.rows })
  }
}

async function* readBlob(
  lines: Lines,
  { blob, bytes }: Static<typeof BlobStart>,
): AsyncGenerator<SectionBlob> {
  const hash = createHash('sha256')
  yield { blob, bytes, content: lines.bytes(bytes, hash) }
  if ((await lines.next()) !== '') throw new Damage('is damaged: a file in it is too long')
  const said = expect(BlobEnd, parse(await lines.next()))
  if (said.sha256 !== hash.digest('hex'))
    throw new Damage(`is damaged: the file ${blob} does not fit its checksum`)
}

/** Reads a whole backup, so that a damaged one is refused before any use. */
export function checkBackup(from: BackupSource): Promise<BackupHeader> {
  return readBackup(from, async ({ header, sections }) => {
    for await (const section of sections)
      await drain('blob' in section ? section.content : section.rows)
    return header
  })
}

export async function drain(rows: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of rows) void chunk
}

/** The keys of the sealed values; two if the backup was made during a rotation. */
export function keyIdsOf({ seal_key_id, seal_key_ids, sealed_values }: BackupHeader): string[] {
  return seal_key_ids ?? (sealed_values && seal_key_id !== null ? [seal_key_id] : [])
}

function fileFault(error: unknown, file: string): unknown {
  if (error instanceof Damage) return new BackupFault(`${file} ${error.message}.`)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ENOENT') return new BackupFault(`There is no file ${file}.`)
  if (code === 'EISDIR') return new BackupFault(`${file} is a folder.`)
  if (code === 'EACCES')
    return new BackupFault(`${file} cannot be read: its owner does not allow it.`)
  if (!code.startsWith('Z_')) return error
  const start = error instanceof Error && error.message === 'incorrect header check'
  return new BackupFault(
    start
      ? `${file} is not a Homeport backup.`
      : `${file} is damaged: it is cut short or was changed.`,
  )
}

function expect<S extends TSchema>(schema: S, value: unknown): Static<S> {
  if (schemaChecks().Check(schema, value)) return value
  throw new Damage('is damaged: a line in it is not what belongs there')
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    throw new Damage('is not a Homeport backup, or is damaged')
  }
}

function lineOf(value: unknown): Buffer {
  return Buffer.from(`${JSON.stringify(value)}\n`)
}
