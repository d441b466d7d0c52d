/**
 * The backup format: gzipped text that is readable without Homeport. A JSON header line. For each
 * table a JSON line with its name, its rows in COPY text format, a line `\.`, and a line with row
 * count and SHA-256. For each file a JSON line with key and length, its bytes, and a line with
 * their SHA-256. A last line with the SHA-256 of everything before; without it the backup is
 * incomplete.
 */
import assert from 'node:assert/strict'
import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { PassThrough } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { Type, type Static, type TSchema } from 'typebox'
import { Value } from 'typebox/value'
import { CommandError } from '../command-error.ts'

/** Format 1 had no files. */
export const FORMAT = 2
const FIRST_FORMAT = 1
const LINE_BYTES_MAX = 1_048_576
const LINE_END = 0x0a
const CHUNK_BYTES = 65_536
const rowsEnd = Buffer.from('\n\\.\n')

export const BackupHeader = Type.Object({
  homeport_backup: Type.Union([Type.Literal(FORMAT), Type.Literal(FIRST_FORMAT)]),
  version: Type.String(),
  migration: Type.Integer({ minimum: 1 }),
  created_at: Type.String(),
  /** Id of the master key that seals values in the backup. The backup does not contain the key. */
  seal_key_id: Type.Union([Type.String(), Type.Null()]),
  sealed_values: Type.Boolean(),
})
export type BackupHeader = Static<typeof BackupHeader>

const SectionStart = Type.Object({ table: Type.String(), columns: Type.Array(Type.String()) })
/** Keys from a backup are untrusted; this pattern allows only paths within the file store. */
const BlobStart = Type.Object({
  blob: Type.String({ pattern: '^[0-9a-f-]{36}/[0-9a-f-]{36}(\\.[a-z0-9]+)*$' }),
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

/**
 * Opens a backup and passes its sections to `work`. Throws a CommandError if it is damaged or
 * incomplete.
 */
export async function readBackup<T>(
  file: string,
  work: (backup: Backup) => Promise<T>,
): Promise<T> {
  const stop = new AbortController()
  const text = new PassThrough({ highWaterMark: CHUNK_BYTES })
  const source = createReadStream(file, { highWaterMark: CHUNK_BYTES })
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
    throw fileFault(error, file)
  } finally {
    stop.abort()
    await piping.catch(() => {})
  }
}

async function readHeader(lines: Lines): Promise<BackupHeader> {
  const header: unknown = parse(await lines.next())
  if (Value.Check(BackupHeader, header)) return header
  if (Value.Check(AnyFormat, header))
    throw new Damage('was written by a newer Homeport: use that version')
  throw new Damage('is not a Homeport backup')
}

async function* readSections(lines: Lines, counts: SectionCount[]): AsyncGenerator<BackupSection> {
  for (;;) {
    const before = lines.digest()
    const line: unknown = parse(await lines.next())
    if (Value.Check(End, line)) {
      if (line.sha256 !== before) throw new Damage('is damaged: its checksum does not fit')
      return await lines.finish()
    }
    if (Value.Check(BlobStart, line)) {
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

/** The file is invalid; the message continues a sentence that starts with the file name. */
class Damage extends Error {}

function fileFault(error: unknown, file: string): unknown {
  if (error instanceof Damage) return new CommandError(`${file} ${error.message}.`)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ENOENT') return new CommandError(`There is no file ${file}.`)
  if (code === 'EISDIR') return new CommandError(`${file} is a folder.`)
  if (code === 'EACCES')
    return new CommandError(`${file} cannot be read: its owner does not allow it.`)
  if (!code.startsWith('Z_')) return error
  const start = error instanceof Error && error.message === 'incorrect header check'
  return new CommandError(
    start
      ? `${file} is not a Homeport backup.`
      : `${file} is damaged: it is cut short or was changed.`,
  )
}

function expect<S extends TSchema>(schema: S, value: unknown): Static<S> {
  if (Value.Check(schema, value)) return value
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

interface Tally {
  add(chunk: Buffer): Buffer
  end(): { rows: number; sha256: string }
}

/** Counts and hashes rows. In COPY text format, the only bare line end terminates the row. */
function newTally(): Tally {
  const hash = createHash('sha256')
  let rows = 0
  return {
    add(chunk) {
      hash.update(chunk)
      for (let at = chunk.indexOf(LINE_END); at >= 0; at = chunk.indexOf(LINE_END, at + 1))
        rows += 1
      return chunk
    },
    end: () => ({ rows, sha256: hash.digest('hex') }),
  }
}

/** Reads a stream as lines, rows and bytes, and hashes them. */
class Lines {
  private readonly chunks: AsyncIterator<Buffer>
  private readonly hash = createHash('sha256')
  private rest: Buffer = Buffer.alloc(0)

  constructor(stream: AsyncIterable<Buffer>) {
    this.chunks = stream[Symbol.asyncIterator]()
  }

  /** Hash of everything read so far. */
  digest(): string {
    return this.hash.copy().digest('hex')
  }

  async next(): Promise<string> {
    let at = this.rest.indexOf(LINE_END)
    while (at < 0) {
      if (this.rest.length > LINE_BYTES_MAX)
        throw new Damage('is not a Homeport backup, or is damaged')
      await this.more()
      at = this.rest.indexOf(LINE_END)
    }
    return this.take(at + 1).toString('utf8', 0, at)
  }

  /** Yields the rows and consumes the line that ends them. */
  async *rows(tally: Tally): AsyncGenerator<Buffer> {
    // If there are no rows, the line end before `\.` belongs to the previous line.
    if (await this.endsAtOnce()) return
    for (;;) {
      const at = this.rest.indexOf(rowsEnd)
      if (at >= 0) {
        yield tally.add(this.take(at + 1))
        this.take(rowsEnd.length - 1)
        return
      }
      // The last bytes may be the start of the end marker, so they are kept for the next chunk.
      const sure = this.rest.length - rowsEnd.length + 1
      if (sure > 0) yield tally.add(this.take(sure))
      await this.more()
    }
  }

  /** Yields `count` bytes. */
  async *bytes(count: number, hash: Hash): AsyncGenerator<Buffer> {
    for (let left = count; left > 0;) {
      if (this.rest.length === 0) await this.more()
      const piece = this.take(Math.min(left, this.rest.length))
      left -= piece.length
      hash.update(piece)
      yield piece
    }
  }

  private async endsAtOnce(): Promise<boolean> {
    const end = rowsEnd.subarray(1)
    while (this.rest.length < end.length) await this.more()
    if (!this.rest.subarray(0, end.length).equals(end)) return false
    this.take(end.length)
    return true
  }

  /** Throws if data follows or the stream ends with an error. */
  async finish(): Promise<void> {
    const { done } = await this.chunks.next()
    if (this.rest.length > 0 || !done) throw new Damage('is damaged: data follows its end')
  }

  private take(length: number): Buffer {
    const taken = this.rest.subarray(0, length)
    this.rest = this.rest.subarray(length)
    this.hash.update(taken)
    return taken
  }

  private async more(): Promise<void> {
    const { done, value } = await this.chunks.next()
    if (done) throw new Damage('is damaged: it is cut short')
    this.rest = this.rest.length === 0 ? value : Buffer.concat([this.rest, value])
  }
}
