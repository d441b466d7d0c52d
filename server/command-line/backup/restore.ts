/**
 * `restore` loads a backup into an empty installation. It verifies the whole file before it writes,
 * and inserts all rows in one transaction.
 */
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { Config } from '../../kernel/config/config-types.ts'
import { openBlobs } from '../../kernel/blobs/blobs.ts'
import type { Blobs } from '../../kernel/blobs/blobs-contract.ts'
import { migrate, readMigrations } from '../../kernel/database/migrations.ts'
import {
  readBackup,
  type BackupHeader,
  type BackupSection,
  type SectionCount,
  type SectionRows,
} from './backup-format.ts'
import { command } from '../command.ts'
import {
  findMasterKey,
  openDatabaseAccess,
  secretFile,
  withClient,
  type DatabaseAccess,
} from '../database-access.ts'
import { file, required } from '../option-parsers.ts'
import { CommandError } from '../command-error.ts'
import * as store from './store.ts'
import { formatCount } from '../output.ts'

const LOOKS_MAX = 10
const LOOK_AGAIN_MS = 100

export const restoreCommand = command({
  name: 'restore',
  about: 'Restores a backup into an installation without projects.',
  options: { from: required(file, 'The file that "backup" wrote.') },
  async run({ from }, context) {
    const config = context.settings()
    const header = await verify(from)
    refuseUnknownMigration(header)
    refuseOtherKey(header, config)
    const database = await openDatabaseAccess(config)
    try {
      const { tables, files } = await fill(database, config, from)
      const applied = await migrate(database.connection)
      const { created_at, migration, seal_key_id } = header
      const rows = tables.reduce((sum, count) => sum + count.rows, 0)
      return {
        json: { file: from, created_at, migration, seal_key_id, applied, tables, files },
        text: `Restored ${formatCount(rows, 'row')} of ${formatCount(tables.length, 'table')} and ${formatCount(files, 'file')} from the backup of ${created_at}.`,
      }
    } finally {
      await database.leave()
    }
  },
})

/** Reads the whole file once, so that a damaged one is refused before any write. */
function verify(from: string): Promise<BackupHeader> {
  return readBackup(from, async ({ header, sections }) => {
    for await (const section of sections)
      await drain('blob' in section ? section.content : section.rows)
    return header
  })
}

async function drain(rows: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of rows) void chunk
}

function refuseUnknownMigration({ migration, version }: BackupHeader): void {
  if (readMigrations().some(({ number }) => number === migration)) return
  throw new CommandError(
    `The backup is at migration ${migration}, which this version of Homeport does not have: ` +
      `restore it with version ${version} or a newer one.`,
  )
}

function refuseOtherKey({ seal_key_id, sealed_values }: BackupHeader, config: Config): void {
  const key = findMasterKey(config)
  if (!sealed_values || key?.key_id === seal_key_id) return
  const here = key
    ? `this installation has the key ${key.key_id}`
    : 'this installation has none yet'
  throw new CommandError(
    `The backup contains secrets encrypted with the master key ${seal_key_id}, and ${here}: set ` +
      `HOMEPORT_SECRET to the old key, or copy the old file "secret" to ${secretFile(config.data_dir)}.`,
  )
}

interface Filled {
  tables: readonly SectionCount[]
  /** Number of files, encoded variants included. */
  files: number
}

async function fill(database: DatabaseAccess, config: Config, from: string): Promise<Filled> {
  if (database.server_pid > 0) {
    throw new CommandError(
      `A Homeport server (process ${database.server_pid}) runs on ${config.data_dir}: stop it before restoring.`,
    )
  }
  return withClient(database.connection, async (client) => {
    await refuseInUse(client)
    return readBackup(from, async ({ header, sections, counts }) => {
      await refuseUsed(client, header)
      await migrate(database.connection, header.migration)
      const blobs = openBlobs(config)
      const files = await refill(client, sections, blobs).finally(() => blobs.close())
      await store.refreshStatistics(client)
      return { tables: counts, files }
    })
  })
}

async function refuseInUse(client: pg.Client): Promise<void> {
  let others = await store.countOtherConnections(client)
  // PostgreSQL lists a connection for a moment after it was closed.
  for (let look = 1; look < LOOKS_MAX && others > 0; look++) {
    await delay(LOOK_AGAIN_MS)
    others = await store.countOtherConnections(client)
  }
  if (others === 0) return
  throw new CommandError(
    `The database is in use by ${formatCount(others, 'other connection')}: stop the Homeport server that uses it first.`,
  )
}

async function refuseUsed(client: pg.Client, header: BackupHeader): Promise<void> {
  await refuseProjects(client)
  const newest = (await store.listApplied(client)).at(-1)?.number ?? 0
  if (newest > header.migration) {
    throw new CommandError(
      `The database is already at migration ${newest}, and the backup is at migration ${header.migration}: ` +
        'restore into an unused database.',
    )
  }
}

async function refuseProjects(client: pg.Client): Promise<void> {
  const count = await store.countProjects(client)
  if (count === 0) return
  throw new CommandError(
    `The database has ${formatCount(count, 'project')}, and nothing is overwritten: set ` +
      'HOMEPORT_DATA_DIR to a new folder, or DATABASE_URL to an empty database.',
  )
}

/**
 * Inserts all rows in one transaction that locks the tables, and commits after the bytes of every
 * file are stored. Returns the number of files.
 */
async function refill(
  client: pg.Client,
  sections: AsyncIterable<BackupSection>,
  blobs: Blobs,
): Promise<number> {
  let files = 0
  const tables = await store.listTables(client)
  await store.beginRestore(client, tables)
  try {
    await refuseProjects(client)
    await store.emptyTables(client, tables)
    for await (const section of sections) {
      if ('blob' in section) {
        await blobs.put(section.blob, section.content)
        files += 1
      } else {
        await pipeline(section.rows, store.copyRowsIn(client, sameTable(section, tables)))
      }
    }
    await client.query('commit')
    return files
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}

/**
 * The table of this database for a section. The section's table and columns are untrusted and must
 * match.
 */
function sameTable(
  { table: name, columns }: SectionRows,
  tables: readonly store.TableFacts[],
): store.TableFacts {
  const table = tables.find((one) => one.name === name)
  const fits =
    table?.columns.length === columns.length &&
    columns.every((column) => table.columns.includes(column))
  if (!table || !fits)
    throw new CommandError(`The backup does not match this version: the table ${name} differs.`)
  return { name, columns }
}
