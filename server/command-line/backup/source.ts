/** The backup that a command reads: a file, or the newest one in HOMEPORT_BACKUPS. */
import { latestSource, openTarget } from '../../kernel/backup/target.ts'
import { fileSource, type BackupSource } from '../../kernel/backup/backup-format.ts'
import type { Config } from '../../kernel/config/config-types.ts'
import { CommandError } from '../command-error.ts'

interface Chosen {
  from: string | undefined
  latest: boolean
}

export function requireOneSource({ from, latest }: Chosen): void {
  if ((from !== undefined) !== latest) return
  throw new CommandError('Name a file with --from FILE, or choose the newest backup with --latest.')
}

export async function withSource<T>(
  config: Config,
  { from }: Chosen,
  work: (source: BackupSource) => Promise<T>,
): Promise<T> {
  if (from !== undefined) return work(fileSource(from))
  const target = openTarget(config)
  try {
    return await work(await latestSource(target))
  } finally {
    await target.close()
  }
}
