/** `backup` writes the whole installation into one file. */
import { existsSync, statSync } from 'node:fs'
import { keysOfFile } from '../../areas/files/service.ts'
import { toDocumentKey } from '../../areas/verification/service.ts'
import { fileSource, readBackup } from '../../kernel/backup/backup-format.ts'
import { BackupFault } from '../../kernel/backup/backup-fault.ts'
import { withClient } from '../../kernel/backup/connection.ts'
import { writeSnapshot, type WrittenSnapshot } from '../../kernel/backup/write-snapshot.ts'
import { openBlobs } from '../../kernel/blobs/blobs.ts'
import { systemClock } from '../../kernel/clock.ts'
import { command, type CommandOutput } from '../command.ts'
import {
  findMasterKey,
  hasDatabase,
  openDatabaseAccess,
  type MasterKey,
} from '../database-access.ts'
import { file, flag, required } from '../option-parsers.ts'
import { CommandError } from '../command-error.ts'
import { formatCount } from '../output.ts'
import { requireFolderOf, writeWholeFile } from '../write-whole-file.ts'

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
      const written = await withClient(database.connection, (client) =>
        writeSnapshot({
          client,
          connection: database.connection,
          now: systemClock.now(),
          key_ids: [key?.key_id, key?.previous_key_id],
          blobs,
          keysOfFile,
          keyOfDocument: toDocumentKey,
          keep: (content) => writeWholeFile(to, content),
        }),
      )
      return report({ ...written, to, key })
    } finally {
      await blobs?.close()
      await database.leave()
    }
  },
})

/** Refuses an existing target, unless it is a backup and `overwrite` is set. */
async function refuseTarget(to: string, overwrite: boolean): Promise<void> {
  requireFolderOf(to)
  if (!existsSync(to)) return
  try {
    await readBackup(fileSource(to), async () => {})
  } catch (error) {
    if (!(error instanceof BackupFault)) throw error
    throw new CommandError(`${to} exists and is no Homeport backup: name another file.`)
  }
  if (!overwrite) {
    throw new CommandError(
      `${to} is a backup already: name another file, or replace it with --overwrite.`,
    )
  }
}

interface Written extends WrittenSnapshot {
  to: string
  key: MasterKey | null
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
