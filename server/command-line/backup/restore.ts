/**
 * `restore` loads a backup into an empty installation. It verifies the whole file before it writes,
 * and inserts all rows in one transaction.
 */
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { Config } from '../../kernel/config/config-types.ts'
import { secretFile } from '../../kernel/secrets/master-secrets.ts'
import { openBlobs } from '../../kernel/blobs/blobs.ts'
import type { Blobs } from '../../kernel/blobs/blobs-contract.ts'
import { migrate } from '../../kernel/database/migrations.ts'
import {
  checkBackup,
  keyIdsOf,
  readBackup,
  type BackupHeader,
  type BackupSection,
  type BackupSource,
  type SectionCount,
} from '../../kernel/backup/backup-format.ts'
import { AppLoader, isAppSection, type AppFault } from '../../kernel/backup/app-sections.ts'
import { withClient } from '../../kernel/backup/connection.ts'
import * as store from '../../kernel/backup/store.ts'
import { refuseUnknownMigration, sameTable } from '../../kernel/backup/test-restore.ts'
import { command, type CommandOutput } from '../command.ts'
import { findMasterKey, openDatabaseAccess, type DatabaseAccess } from '../database-access.ts'
import { file, flag, optional } from '../option-parsers.ts'
import { CommandError } from '../command-error.ts'
import { formatCount } from '../output.ts'
import { requireOneSource, withSource } from './source.ts'

const LOOKS_MAX = 10
const LOOK_AGAIN_MS = 100

export const restoreCommand = command({
  name: 'restore',
  about: 'Restores a backup into an installation without projects.',
  options: {
    from: optional(file, 'The file that "backup" wrote.'),
    latest: flag('Restores the newest backup in HOMEPORT_BACKUPS.'),
  },
  check: requireOneSource,
  run(values, context) {
    const config = context.settings()
    return withSource(config, values, (from) => restore(config, from))
  },
})

async function restore(config: Config, from: BackupSource): Promise<CommandOutput> {
  const header = await checkBackup(from)
  refuseUnknownMigration(header)
  refuseOtherKey(header, config)
  const database = await openDatabaseAccess(config)
  try {
    const { tables, files, faults } = await fill(database, config, from)
    const applied = await migrate(database.connection)
    const { created_at, migration, seal_key_id } = header
    const rows = tables.reduce((sum, count) => sum + count.rows, 0)
    return {
      json: { file: from.name, created_at, migration, seal_key_id, applied, tables, files, faults },
      ...(faults.length > 0 && { fault: describeFaults(faults) }),
      text: `Restored ${formatCount(rows, 'row')} of ${formatCount(tables.length, 'table')} and ${formatCount(files, 'file')} from the backup of ${created_at}.`,
    }
  } finally {
    await database.leave()
  }
}

function describeFaults(faults: readonly AppFault[]): string {
  const lines = faults.map(({ app_id, fault }) => `${app_id}: ${fault.replaceAll('\n', ' ')}`)
  return ['Databases of apps that are not as they were:', ...lines].join(' ')
}

function refuseOtherKey(header: BackupHeader, config: Config): void {
  const key = findMasterKey(config)
  const known = [key?.key_id, key?.previous_key_id]
  const missing = keyIdsOf(header).filter((id) => !known.includes(id))
  if (missing.length === 0) return
  const here = key
    ? `this installation has the key ${key.key_id}`
    : 'this installation has none yet'
  throw new CommandError(
    `The backup contains secrets encrypted with the master key ${missing.join(' and ')}, and ${here}: set ` +
      `HOMEPORT_SECRET to the old key, or copy the old file "secret" to ${secretFile(config.data_dir)}.`,
  )
}

interface Filled {
  tables: readonly SectionCount[]
  /** Number of files, encoded variants included. */
  files: number
  faults: readonly AppFault[]
}

async function fill(database: DatabaseAccess, config: Config, from: BackupSource): Promise<Filled> {
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
      const apps = new AppLoader(database.connection)
      const files = await refill(client, sections, { blobs, apps }).finally(() => blobs.close())
      await store.refreshStatistics(client)
      return { tables: counts, files, faults: apps.faults }
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
  { blobs, apps }: { blobs: Blobs; apps: AppLoader },
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
      } else if (isAppSection(section)) {
        await apps.take(section)
      } else {
        await pipeline(section.rows, store.copyRowsIn(client, sameTable(section, tables)))
      }
    }
    await apps.end()
    // The roles have other passwords than the backup; the first use sets one.
    if (tables.some(({ name }) => name === 'apps'))
      await client.query('update apps set sealed_database_password = null')
    await client.query('commit')
    return files
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  }
}
