/**
 * Restores a backup into a temporary database, compares rows and checksums with the backup, and drops
 * the database. It changes nothing of the installation, and may run beside it.
 */
import { createHash, randomBytes } from 'node:crypto'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { isAppSection } from './app-sections.ts'
import { migrate, readMigrations } from '../database/migrations.ts'
import { BackupFault } from './backup-fault.ts'
import {
  checkBackup,
  drain,
  readBackup,
  type BackupHeader,
  type BackupSection,
  type BackupSource,
  type SectionRows,
} from './backup-format.ts'
import { withClient } from './connection.ts'
import * as store from './store.ts'

/** Without CREATEDB, PostgreSQL refuses with this code. */
const NO_PRIVILEGE = '42501'

export interface RestoreTest {
  connection: pg.PoolConfig
  from: BackupSource
  progress: (line: string) => void
}

/** Throws a BackupFault if the backup does not restore. */
export async function testRestore({
  connection,
  from,
  progress,
}: RestoreTest): Promise<Tried & { header: BackupHeader }> {
  const header = await checkBackup(from)
  refuseUnknownMigration(header)
  return withTemporaryDatabase(connection, async (temporary) => {
    await migrate(temporary, header.migration)
    const tried = await withClient(temporary, (client) => tryRestore({ client, from, progress }))
    // Later migrations must apply, too, as at a real restore.
    await migrate(temporary)
    return { header, ...tried }
  })
}

export function refuseUnknownMigration({ migration, version }: BackupHeader): void {
  if (readMigrations().some(({ number }) => number === migration)) return
  throw new BackupFault(
    `The backup is at migration ${migration}, which this version of Homeport does not have: ` +
      `restore it with version ${version} or a newer one.`,
  )
}

async function withTemporaryDatabase<T>(
  connection: pg.PoolConfig,
  work: (connection: pg.PoolConfig) => Promise<T>,
): Promise<T> {
  const name = await withClient(connection, async (client) => {
    const unused = (await store.testDatabasePrefix(client)) + randomBytes(6).toString('hex')
    await client.query(`create database ${unused} template template0`).catch(refuseWithoutPrivilege)
    return unused
  })
  try {
    return await work(inDatabase(connection, name))
  } finally {
    await withClient(connection, (client) =>
      client.query(`drop database if exists ${name} with (force)`),
    )
  }
}

function refuseWithoutPrivilege(error: unknown): never {
  if (error instanceof Error && 'code' in error && error.code === NO_PRIVILEGE) {
    throw new BackupFault(
      'The user of DATABASE_URL may not create a temporary database: grant it CREATEDB.',
    )
  }
  throw error
}

function inDatabase(connection: pg.PoolConfig, database: string): pg.PoolConfig {
  const { connectionString } = connection
  if (connectionString === undefined) return { ...connection, database }
  const url = new URL(connectionString)
  url.pathname = `/${database}`
  return { ...connection, connectionString: url.href }
}

interface Trying {
  client: pg.Client
  from: BackupSource
  progress: (line: string) => void
}

export interface Tried {
  tables: number
  rows: number
  files: number
}

/** Restores the rows, and reads them back. Throws a BackupFault at the first difference. */
async function tryRestore({ client, from, progress }: Trying): Promise<Tried> {
  const tables = await store.listTables(client)
  const written = new Map<string, string>()
  let files = 0
  const rows = await readBackup(from, async ({ sections, counts }) => {
    await store.beginRestore(client, tables)
    await store.emptyTables(client, tables)
    for await (const section of sections) {
      files += 'blob' in section ? 1 : 0
      await restoreSection(section, { client, tables, written })
      progress(`Restoring: ${counts.length} tables, ${files} files`)
    }
    await client.query('commit')
    return counts.reduce((sum, count) => sum + count.rows, 0)
  })
  await store.beginSnapshot(client)
  for (const [name, sha256] of written) {
    progress(`Comparing ${name}`)
    const table = tables.find((one) => one.name === name)
    const found = table && (await digestOf(store.copyRowsOut(client, table)))
    if (found === sha256) continue
    throw new BackupFault(`${from.name} does not restore: the table ${name} differs afterwards.`)
  }
  await client.query('commit')
  return { tables: written.size, rows, files }
}

interface Place {
  client: pg.Client
  tables: readonly store.TableFacts[]
  /** Checksums of the rows by table. */
  written: Map<string, string>
}

/** The bytes of files are compared with their checksum while they are read. */
async function restoreSection(
  section: BackupSection,
  { client, tables, written }: Place,
): Promise<void> {
  if ('blob' in section) return drain(section.content)
  // The role of an app belongs to the whole server, so its schema is not restored beside the live one.
  if (isAppSection(section)) return drain(section.rows)
  const table = sameTable(section, tables)
  const hash = createHash('sha256')
  async function* noted(rows: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of rows) {
      hash.update(chunk)
      yield chunk
    }
  }
  await pipeline(noted(section.rows), store.copyRowsIn(client, table))
  written.set(table.name, hash.digest('hex'))
}

async function digestOf(rows: AsyncIterable<Buffer>): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of rows) hash.update(chunk)
  return hash.digest('hex')
}

/**
 * The table of this database for a section. The section's table and columns are untrusted and must
 * match.
 */
export function sameTable(
  { table: name, columns }: SectionRows,
  tables: readonly store.TableFacts[],
): store.TableFacts {
  const table = tables.find((one) => one.name === name)
  const fits =
    table?.columns.length === columns.length &&
    columns.every((column) => table.columns.includes(column))
  if (!table || !fits)
    throw new BackupFault(`The backup does not match this version: the table ${name} differs.`)
  return { name, columns }
}
