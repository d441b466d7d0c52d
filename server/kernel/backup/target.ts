/**
 * Where scheduled backups are stored: a folder or a prefix of an S3 bucket. Both write atomically: an
 * interrupted backup is not listed.
 */
import type { Readable } from 'node:stream'
import type { Gzip } from 'node:zlib'
import { openDisk } from '../blobs/disk.ts'
import { openS3 } from '../blobs/s3.ts'
import type { BackupsConfig } from '../config/config-types.ts'
import { readBackupsAddress } from '../config/storage-addresses.ts'
import { BackupFault } from './backup-fault.ts'
import type { BackupSource } from './backup-format.ts'

/** A running backup writes more often. */
const UNFINISHED_MS_MAX = 600_000
const namePattern =
  /^homeport-(\d{4})(\d\d)(\d\d)t(\d\d)(\d\d)(\d\d)(\d{3})z-[0-9a-f]{6}\.backup\.gz$/

export interface StoredBackup {
  name: string
  bytes: number
  created_at: Date
}

export interface BackupTarget {
  /** Without credentials. */
  address: string
  put(name: string, content: Gzip): Promise<void>
  open(name: string): Promise<Readable>
  /** Newest first. Other files are ignored. */
  list(): Promise<StoredBackup[]>
  remove(names: readonly string[]): Promise<void>
  /** Removes the parts of backups in a bucket that a killed process began before a time. */
  abortUploads(before: Date): Promise<number>
  close(): Promise<void>
}

/** Throws a BackupFault if no scheduled backups are configured. */
export function openTarget({ backups }: { backups: BackupsConfig }): BackupTarget {
  const place = readBackupsAddress(backups.address)
  if (place === null) {
    throw new BackupFault(
      'No scheduled backups are configured: set HOMEPORT_BACKUPS to disk:/folder or s3://bucket/prefix.',
    )
  }
  const prefix = 'folder' in place ? '' : place.prefix
  const blobs =
    'folder' in place
      ? openDisk(place.folder, UNFINISHED_MS_MAX)
      : openS3({ ...backups, address: place.bucket_address })
  return {
    address: backups.address,
    put: (name, content) => blobs.put(prefix + name, content),
    open: (name) => blobs.open(prefix + name),
    async list() {
      const found: StoredBackup[] = []
      for await (const { key, bytes } of blobs.list(`${prefix}homeport-`)) {
        const name = key.slice(prefix.length)
        const created_at = timeOfName(name)
        if (created_at) found.push({ name, bytes, created_at })
      }
      return found.sort((one, other) => (one.name < other.name ? 1 : -1))
    },
    remove: (names) => blobs.remove(names.map((name) => prefix + name)),
    abortUploads: (before) => blobs.abortUploads(`${prefix}homeport-`, before),
    close: () => blobs.close(),
  }
}

/** `homeport-20261127t030000000z-<random>.backup.gz`, to the millisecond; names sort by time. */
export function nameAt(time: Date, random: string): string {
  const digits = time.toISOString().replaceAll(/[-:.]/g, '').toLowerCase()
  return `homeport-${digits}-${random}.backup.gz`
}

function timeOfName(name: string): Date | null {
  const [, year, month, day, hour, minute, second, ms] = namePattern.exec(name) ?? []
  if (year === undefined) return null
  const time = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}.${ms}Z`)
  return Number.isNaN(time.getTime()) ? null : time
}

export function sourceOf(target: BackupTarget, name: string): BackupSource {
  return { name, open: () => target.open(name) }
}

/** Throws a BackupFault if there is none. */
export async function latestSource(target: BackupTarget): Promise<BackupSource> {
  const [newest] = await target.list()
  if (newest) return sourceOf(target, newest.name)
  throw new BackupFault(
    `There is no backup in ${target.address}: "homeport backup now" writes one.`,
  )
}
