/**
 * Writes one snapshot of the database and the files of projects, so the server may keep writing. It
 * streams, so memory does not grow with size.
 */
import { pipeline } from 'node:stream/promises'
import { createGzip, type Gzip } from 'node:zlib'
import type pg from 'pg'
import type { Blobs } from '../blobs/blobs-contract.ts'
import { BlobMissing } from '../blobs/faults.ts'
import { dumpAppSchemas } from './app-sections.ts'
import { version } from '../process/version.ts'
import {
  FORMAT,
  writeBackup,
  type BackupHeader,
  type BackupSection,
  type SectionBlob,
  type SectionCount,
  type SectionRows,
} from './backup-format.ts'
import { BackupFault } from './backup-fault.ts'
import * as store from './store.ts'

// Level 3, because higher levels take several times as long for a file that is 10% smaller.
const GZIP_LEVEL = 3
const CHUNK_BYTES = 65_536

export interface FileCounts {
  count: number
  /** Number of files whose row exists but whose bytes are missing. */
  missing: number
}

export interface Snapshot {
  client: pg.Client
  /** The connection of Homeport, for the schemas of apps beside its database. */
  connection: pg.PoolConfig
  now: Date
  /** Ids of the master key and, during a rotation, of the previous one. */
  key_ids: readonly (string | null | undefined)[]
  /** The file store; null if the files are not part of the backup. */
  blobs: Blobs | null
  /** The blobs of a stored file: its own, then its variants. */
  keysOfFile: (file: store.FileFacts) => readonly string[]
  /** The blob of a document of a verification. */
  keyOfDocument: (document: store.DocumentFacts) => string
  /** Stores the compressed bytes. If `content` throws, it stores nothing and rethrows. */
  keep: (content: Gzip) => Promise<void>
  signal?: AbortSignal | undefined
}

export interface WrittenSnapshot {
  header: BackupHeader
  counts: readonly SectionCount[]
  /** Null if the files are not part of the backup. */
  files: FileCounts | null
}

export async function writeSnapshot(snapshot: Snapshot): Promise<WrittenSnapshot> {
  const { client, now, key_ids, blobs } = snapshot
  await store.beginSnapshot(client)
  const tables = await store.listSavedTables(client)
  const applied = (await store.listApplied(client)).at(-1)
  if (!applied)
    throw new BackupFault('There is nothing to back up: Homeport has never used this database.')
  await store.lockAgainstMigrations(client, tables)
  const seal_key_ids = await listKeyIds(client, key_ids)
  const header: BackupHeader = {
    homeport_backup: FORMAT,
    version: version(),
    migration: applied.number,
    created_at: now.toISOString(),
    seal_key_id: key_ids[0] ?? null,
    sealed_values: seal_key_ids.length > 0,
    seal_key_ids,
  }
  const counts: SectionCount[] = []
  const files: FileCounts | null = blobs && { count: 0, missing: 0 }
  async function* sections(): AsyncGenerator<BackupSection> {
    yield* sectionsOf(client, tables)
    yield* dumpAppSchemas(snapshot.connection)
    if (blobs && files) yield* filesOf({ ...snapshot, blobs }, files)
  }
  await keepCompressed(
    snapshot,
    writeBackup(header, sections(), (count) => counts.push(count)),
  )
  await client.query('commit')
  return { header, counts, files }
}

async function keepCompressed(
  { keep, signal }: Snapshot,
  content: AsyncIterable<Buffer>,
): Promise<void> {
  const gzip = createGzip({ level: GZIP_LEVEL, chunkSize: CHUNK_BYTES })
  const writing = pipeline(content, gzip, { signal })
  writing.catch(() => {})
  try {
    await keep(gzip)
  } finally {
    gzip.destroy()
    // The generator must have ended before the connection is used again.
    await writing.catch(() => {})
  }
}

/** Ids of those keys of this installation that sealed values in the database. */
async function listKeyIds(client: pg.Client, key_ids: Snapshot['key_ids']): Promise<string[]> {
  const ids: string[] = []
  for (const id of key_ids) {
    if (id && (await store.hasSealedValues(client, id))) ids.push(id)
  }
  return ids
}

/** Each file with its encoded variants, and each document. */
async function* filesOf(
  { client, keysOfFile, keyOfDocument, blobs }: Snapshot & { blobs: Blobs },
  counts: FileCounts,
): AsyncGenerator<SectionBlob> {
  for await (const document of store.listDocuments(client)) {
    const section = await openBlob(blobs, keyOfDocument(document))
    if (section) yield section
    counts[section ? 'count' : 'missing'] += 1
  }
  for await (const file of store.listFiles(client)) {
    const [own, ...copies] = keysOfFile(file)
    for (const blob of [own, ...copies]) {
      const section = blob === undefined ? null : await openBlob(blobs, blob)
      if (section) yield section
      if (section) counts.count += 1
      else if (blob === own) counts.missing += 1
    }
  }
}

/** Null if the blob does not exist. */
export async function openBlob(blobs: Blobs, blob: string): Promise<SectionBlob | null> {
  const bytes = await blobs.size(blob)
  if (bytes === null) return null
  try {
    return { blob, bytes, content: await blobs.open(blob) }
  } catch (error) {
    if (error instanceof BlobMissing) return null
    throw error
  }
}

async function* sectionsOf(
  client: pg.Client,
  tables: readonly store.TableFacts[],
): AsyncGenerator<SectionRows> {
  for (const table of tables) {
    yield { table: table.name, columns: table.columns, rows: store.copyRowsOut(client, table) }
  }
}
