/**
 * `backup` writes the whole installation into one file. It reads one snapshot, so the server may
 * keep writing; it streams, so memory does not grow with size; the file is renamed to its final
 * name after fsync.
 */
import { createWriteStream, existsSync, rmSync, statSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type pg from 'pg'
import { keysOfFile } from '../../areas/files/service.ts'
import { openBlobs } from '../../kernel/blobs/blobs.ts'
import type { Blobs } from '../../kernel/blobs/blobs-contract.ts'
import { BlobMissing } from '../../kernel/blobs/faults.ts'
import { systemClock } from '../../kernel/clock.ts'
import {
  FORMAT,
  readBackup,
  writeBackup,
  type BackupHeader,
  type BackupSection,
  type SectionBlob,
  type SectionCount,
  type SectionRows,
} from './backup-format.ts'
import { command, type CommandOutput } from '../command.ts'
import {
  findMasterKey,
  hasDatabase,
  openDatabaseAccess,
  withClient,
  type MasterKey,
} from '../database-access.ts'
import { file, flag, required } from '../option-parsers.ts'
import { CommandError } from '../command-error.ts'
import * as store from './store.ts'
import { version } from '../commands/version.ts'
import { formatCount } from '../output.ts'

// Level 3, because higher levels take several times as long for a file that is 10% smaller.
const GZIP_LEVEL = 3
const MODE_OWNER_ONLY = 0o600

export const backup = command({
  name: 'backup',
  about: 'Writes everything into one file, also while the server runs.',
  options: {
    to: required(file, 'The file to write.'),
    overwrite: flag('Replaces an older backup of the same name.'),
  },
  async run({ to, overwrite }, context) {
    const config = context.settings()
    await refuseTarget(to, overwrite)
    if (!hasDatabase(config)) {
      throw new CommandError(`There is nothing to back up: ${config.data_dir} has no database yet.`)
    }
    const key = findMasterKey(config)
    const database = await openDatabaseAccess(config)
    // Objects in a bucket stay there; downloading all of them would take too long.
    const blobs = config.blobs.address === 'disk' ? openBlobs(config) : null
    try {
      return await withClient(database.connection, (client) => write({ client, to, key, blobs }))
    } finally {
      await blobs?.close()
      await database.leave()
    }
  },
})

/** Refuses an existing target, unless it is a backup and `overwrite` is set. */
async function refuseTarget(to: string, overwrite: boolean): Promise<void> {
  if (!statSync(dirname(to), { throwIfNoEntry: false })?.isDirectory()) {
    throw new CommandError(`There is no folder ${dirname(to)} to write the backup to.`)
  }
  if (!existsSync(to)) return
  try {
    await readBackup(to, async () => {})
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    throw new CommandError(`${to} exists and is no Homeport backup: name another file.`)
  }
  if (!overwrite) {
    throw new CommandError(
      `${to} is a backup already: name another file, or replace it with --overwrite.`,
    )
  }
}

interface Writing {
  client: pg.Client
  to: string
  key: MasterKey | null
  /** The file store; null if the files are not part of the backup. */
  blobs: Blobs | null
}

async function write({ client, to, key, blobs }: Writing): Promise<CommandOutput> {
  await store.beginSnapshot(client)
  const tables = await store.listTables(client)
  const applied = (await store.listApplied(client)).at(-1)
  if (!applied)
    throw new CommandError('There is nothing to back up: Homeport has never used this database.')
  await store.lockAgainstMigrations(client, tables)
  const header: BackupHeader = {
    homeport_backup: FORMAT,
    version: version(),
    migration: applied.number,
    created_at: systemClock.now().toISOString(),
    seal_key_id: key?.key_id ?? null,
    sealed_values: key !== null && (await store.hasSealedValues(client, key.key_id)),
  }
  const counts: SectionCount[] = []
  const files: FileCounts | null = blobs && { count: 0, missing: 0 }
  async function* sections(): AsyncGenerator<BackupSection> {
    yield* sectionsOf(client, tables)
    if (blobs && files) yield* filesOf(client, blobs, files)
  }
  await writeFile(
    to,
    writeBackup(header, sections(), (count) => counts.push(count)),
  )
  await client.query('commit')
  return report({ to, header, counts, key, files })
}

interface FileCounts {
  count: number
  /** Number of files whose row exists but whose bytes are missing. */
  missing: number
}

/** Each file with its encoded variants. */
async function* filesOf(
  client: pg.Client,
  blobs: Blobs,
  counts: FileCounts,
): AsyncGenerator<SectionBlob> {
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

async function openBlob(blobs: Blobs, blob: string): Promise<SectionBlob | null> {
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

async function writeFile(to: string, content: AsyncIterable<Buffer>): Promise<void> {
  const part = `${to}.part`
  const removePart = () => rmSync(part, { force: true })
  removePart()
  process.once('exit', removePart)
  try {
    const target = createWriteStream(part, { flags: 'wx', mode: MODE_OWNER_ONLY, flush: true })
    await pipeline(content, createGzip({ level: GZIP_LEVEL }), target)
    await rename(part, to)
    await keepName(dirname(to))
  } finally {
    removePart()
    process.off('exit', removePart)
  }
}

/** Syncs the folder, because it contains the new name of the file. */
async function keepName(folder: string): Promise<void> {
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

interface Written {
  to: string
  header: BackupHeader
  counts: readonly SectionCount[]
  key: MasterKey | null
  files: FileCounts | null
}

function report({ to, header, counts, key, files }: Written): CommandOutput {
  const rows = counts.reduce((sum, count) => sum + count.rows, 0)
  const bytes = statSync(to).size
  const { created_at, migration, seal_key_id, sealed_values } = header
  const keep = key?.kept_in ?? null
  const lines = [
    `Wrote ${formatCount(rows, 'row')} of ${formatCount(counts.length, 'table')} and ${formatCount(files?.count ?? 0, 'file')} to ${to} (${bytes} bytes).`,
    ...(files ? [] : ['It does not contain the files of projects, which stay in the bucket.']),
    ...(files?.missing ? [`The bytes of ${formatCount(files.missing, 'file')} are missing.`] : []),
    ...(keep ? [`It does not contain the master key: keep ${keep} in another place.`] : []),
  ]
  return {
    json: {
      file: to,
      bytes,
      created_at,
      migration,
      seal_key_id,
      sealed_values,
      keep,
      tables: counts,
      files: files?.count ?? null,
      files_missing: files?.missing ?? null,
    },
    text: lines.join('\n'),
  }
}
