/** Check of the file store: writes, reads and deletes a test object. */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openBlobs } from '../../kernel/blobs/blobs.ts'
import type { Blobs } from '../../kernel/blobs/blobs-contract.ts'
import type { Config } from '../../kernel/config/config-types.ts'
import type { DoctorCheck } from './doctor-check.ts'

const name = 'files'

export async function checkFiles(config: Config): Promise<DoctorCheck> {
  const { blobs, data_dir } = config
  const is_disk = blobs.address === 'disk'
  const folder = join(data_dir, 'blobs')
  const place = is_disk ? folder : `the bucket ${new URL(blobs.address).hostname}`
  if (is_disk && !existsSync(folder)) {
    const detail = `No file is stored yet; ${folder} is created with the first.`
    return { name, status: 'ok', detail, next_step: null }
  }
  const store = openBlobs(config)
  try {
    const fault = await tryOut(store)
    if (fault === null)
      return { name, status: 'ok', detail: `Files are stored in ${place}.`, next_step: null }
    const next_step = is_disk
      ? 'Make the folder writable for the user that runs Homeport, and free disk space.'
      : 'Check HOMEPORT_BLOBS and its keys, and their permissions to read, write and delete.'
    return { name, status: 'fail', detail: fault, next_step }
  } finally {
    await store.close()
  }
}

/** Returns a description of the failure; null if everything works. Deletes its test object. */
async function tryOut(store: Blobs): Promise<string | null> {
  const key = `doctor-${randomUUID()}`
  const bytes = Buffer.from(key)
  try {
    await store.put(key, bytes)
    const read = await store.read(key)
    await store.remove([key])
    if ((await store.size(key)) !== null) return 'A deleted file still exists.'
    return read.equals(bytes) ? null : 'A stored file is read with other contents.'
  } catch (error) {
    return `${error instanceof Error ? error.message : String(error)}.`.replace(/\.+$/, '.')
  }
}
