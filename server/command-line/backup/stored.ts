/** The commands on the backups in HOMEPORT_BACKUPS. */
import { backUp, listBackups, type ListedBackup } from '../../areas/backups/service.ts'
import { runtimeCommand } from '../command.ts'

export const now = runtimeCommand({
  name: 'backup now',
  about: 'Writes a backup to HOMEPORT_BACKUPS, checks it, and deletes expired ones.',
  options: {},
  async run(_values, runtime) {
    const { name, bytes, started_at, finished_at, deleted } = await backUp(runtime, {
      scheduled_for: null,
    })
    const duration_ms = finished_at.getTime() - started_at.getTime()
    return {
      json: { name, bytes, created_at: started_at.toISOString(), duration_ms, deleted },
      text: [
        `Wrote ${name} (${bytes} bytes) to ${runtime.config.backups.address}.`,
        ...deleted.map((one) => `Deleted ${one}.`),
      ].join('\n'),
    }
  },
})

export const list = runtimeCommand({
  name: 'backup list',
  about: 'Lists the backups in HOMEPORT_BACKUPS, newest first, with size and last restore test.',
  options: {},
  async run(_values, runtime) {
    const found = await listBackups(runtime)
    const text = found.map(lineOf).join('\n')
    return { json: found.map(documentOf), text: text || 'There are no backups yet.' }
  },
})

function documentOf(backup: ListedBackup): unknown {
  const { started_at, finished_at, tested_at, ...rest } = backup
  return {
    ...rest,
    created_at: started_at.toISOString(),
    finished_at: finished_at?.toISOString() ?? null,
    tested_at: tested_at?.toISOString() ?? null,
  }
}

function lineOf({ name, state, bytes, error, tested_at, test_error }: ListedBackup): string {
  const size = bytes === null ? '-' : `${bytes} bytes`
  const test = tested_at
    ? `${test_error === null ? 'restores' : `does not restore: ${test_error}`} (${tested_at.toISOString()})`
    : 'not tested'
  return [name, state, size, error ?? test].join('  ')
}
