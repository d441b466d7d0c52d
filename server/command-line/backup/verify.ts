/** `backup verify` restores a backup into a temporary database, and compares it. */
import { keyIdsOf, type BackupHeader } from '../../kernel/backup/backup-format.ts'
import { testRestore, type Tried } from '../../kernel/backup/test-restore.ts'
import { command, type CommandOutput } from '../command.ts'
import { findMasterKey, openDatabaseAccess } from '../database-access.ts'
import { file, flag, optional } from '../option-parsers.ts'
import { formatCount } from '../output.ts'
import { requireOneSource, withSource } from './source.ts'

export const verifyCommand = command({
  name: 'backup verify',
  about: 'Restores a backup into a temporary database, compares it, and drops the database.',
  bare: 'from',
  options: {
    from: optional(file, 'The file that "backup" wrote.'),
    latest: flag('Verifies the newest backup in HOMEPORT_BACKUPS.'),
  },
  check: requireOneSource,
  async run(values, context) {
    const config = context.settings()
    return withSource(config, values, async (from) => {
      const access = await openDatabaseAccess(config)
      try {
        const { progress } = context
        const tested = await testRestore({ connection: access.connection, from, progress })
        const key = findMasterKey(config)
        const known = [key?.key_id, key?.previous_key_id]
        const missing_keys = keyIdsOf(tested.header).filter((id) => !known.includes(id))
        return report({ ...tested, from: from.name, missing_keys })
      } finally {
        await access.leave()
      }
    })
  },
})

interface Verified extends Tried {
  from: string
  header: BackupHeader
  missing_keys: string[]
}

function report({ from, header, missing_keys, tables, rows, files }: Verified): CommandOutput {
  const { created_at, migration } = header
  const json = { file: from, created_at, migration, tables, rows, files, missing_keys }
  const text =
    `The backup of ${created_at} restores: ${formatCount(rows, 'row')} of ` +
    `${formatCount(tables, 'table')} and ${formatCount(files, 'file')} are as they were written.`
  if (missing_keys.length === 0) return { json, text }
  const fault = `Its secrets need the master key ${missing_keys.join(' and ')}, which is not here.`
  return { json, text, fault }
}
