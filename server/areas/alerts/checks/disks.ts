/** Disks that are nearly full: of the data folder and of the backups, on this machine. */
import { hostname } from 'node:os'
import { readDisk } from '../../../kernel/process/disk-space.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import type { Condition } from '../condition.ts'

/** The subject names the machine, because each one sees its own disks only. */
export const onThisMachine = (place: string): string => `${place}@${hostname()}`

export async function checkDisks({ config }: Runtime): Promise<Condition[]> {
  const { disk_percent } = config.alerts
  if (disk_percent === 0) return []
  const [, backups] = /^disk:(.+)/.exec(config.backups.address) ?? []
  const data = await readDisk(config.data_dir)
  const other = backups === undefined ? null : await readDisk(backups)
  const disks = [
    { place: 'data', folder: config.data_dir, disk: data },
    {
      place: 'backups',
      folder: backups ?? '',
      disk: other?.device === data?.device ? null : other,
    },
  ]
  return disks.flatMap(({ place, folder, disk }): Condition[] => {
    if (disk === null || disk.percent < disk_percent) return []
    const { percent, free_bytes } = disk
    const detail = { folder, percent, free_bytes, machine: hostname() }
    return [{ kind: 'disk', subject: onThisMachine(place), detail }]
  })
}
