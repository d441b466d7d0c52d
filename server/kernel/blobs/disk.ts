/**
 * Blobs as files below the data folder. A blob is written to a temporary file, synced and renamed,
 * so a file name always stands for complete contents, even after a power failure.
 */
import { randomUUID } from 'node:crypto'
import type { Dirent } from 'node:fs'
import { mkdir, open, opendir, readFile, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { Readable } from 'node:stream'
import { batchCalls } from '../process/batch-calls.ts'
import type { Blobs, BlobSource, ByteRange } from './blobs-contract.ts'
import { BlobMissing, BlobsUnavailable, checkKey } from './faults.ts'

const UNFINISHED = '.unfinished'
const FOLDERS_AT_ONCE = 1000
const MODE_OWNER_ONLY = 0o700

/**
 * Opens the folder `root`. A temporary file that was not written for `unfinished_ms_max` counts as left
 * by a dead process, and is deleted before the first write.
 */
export function openDisk(root: string, unfinished_ms_max: number): Blobs {
  const fileOf = (key: string) => {
    checkKey(key)
    return join(root, key)
  }
  let swept: Promise<void> | null = null
  const makeOnce = sharing(makeFolder)
  const syncTogether = batchCalls(syncFolders, { items_max: FOLDERS_AT_ONCE })
  return {
    async put(key, source) {
      const file = fileOf(key)
      await (swept ??= sweepUnfinished(root, unfinished_ms_max))
      await asAway('keep', () =>
        Promise.all([makeOnce(join(root, UNFINISHED)), makeOnce(dirname(file))]),
      )
      await keep(root, file, source)
      await asAway('keep', () => syncTogether(dirname(file)))
    },
    async open(key, range) {
      const file = fileOf(key)
      return reading(key, () => openFile(file, range))
    },
    async read(key) {
      const file = fileOf(key)
      return reading(key, () => readFile(file))
    },
    size: async (key) => sizeOf(fileOf(key)),
    async remove(keys) {
      const files = keys.map(fileOf)
      await asAway('remove', () => Promise.all(files.map((file) => rm(file, { force: true }))))
    },
    async removeFolder(folder) {
      const path = fileOf(folder)
      await asAway('remove', () => rm(path, { recursive: true, force: true }))
    },
    list: (prefix) => list(root, prefix),
    abortUploads: async () => 0,
    uploadLink: null,
    close: async () => {},
  }
}

async function keep(root: string, file: string, source: BlobSource): Promise<void> {
  const part = join(root, UNFINISHED, randomUUID())
  try {
    const handle = await asAway('keep', () => open(part, 'wx', 0o600))
    try {
      for await (const chunk of source instanceof Uint8Array ? [source] : source)
        await asAway('keep', () => writeAll(handle, chunk))
      await asAway('keep', () => handle.datasync())
    } finally {
      await handle.close()
    }
    await asAway('keep', () => rename(part, file))
  } catch (error) {
    await rm(part, { force: true }).catch(() => {})
    throw error
  }
}

async function writeAll(handle: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.length;) at += (await handle.write(chunk, at)).bytesWritten
}

/** Syncs each folder once for concurrent renames. */
async function syncFolders(folders: readonly string[]): Promise<void[]> {
  await Promise.all([...new Set(folders)].map(syncFolder))
  return folders.map(() => {})
}

/** Concurrent calls with the same name share one run of `work`. */
function sharing(work: (name: string) => Promise<void>): (name: string) => Promise<void> {
  const running = new Map<string, Promise<void>>()
  return (name) => {
    const begun = running.get(name) ?? work(name).finally(() => running.delete(name))
    running.set(name, begun)
    return begun
  }
}

/** Creates a folder durably: also syncs the parent of each created folder. */
async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: MODE_OWNER_ONLY })
  if (first === undefined) return
  for (let made = folder; made.length >= first.length; made = dirname(made))
    await syncFolder(dirname(made))
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function openFile(file: string, range?: ByteRange): Promise<Readable> {
  const handle = await open(file)
  return handle.createReadStream(range)
}

async function sizeOf(file: string): Promise<number | null> {
  try {
    return (await stat(file)).size
  } catch (error) {
    if (isMissing(error)) return null
    throw away('read', error)
  }
}

async function* list(root: string, prefix: string): AsyncGenerator<{ key: string; bytes: number }> {
  for await (const file of filesBelow(root)) {
    const key = relative(root, file).replaceAll('\\', '/')
    if (!key.startsWith(prefix)) continue
    const bytes = await sizeOf(file)
    if (bytes !== null) yield { key, bytes }
  }
}

async function* filesBelow(folder: string): AsyncGenerator<string> {
  for (const entry of await entriesOf(folder)) {
    const path = join(folder, entry.name)
    if (entry.isFile()) yield path
    else if (entry.isDirectory() && entry.name !== UNFINISHED) yield* filesBelow(path)
  }
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await Array.fromAsync(await opendir(folder))
  } catch (error) {
    if (isMissing(error)) return []
    throw away('read', error)
  }
}

/**
 * Deletes expired temporary files. Compares their age with the clock of the file system, which may
 * differ from the clock of the server.
 */
async function sweepUnfinished(root: string, unfinished_ms_max: number): Promise<void> {
  const folder = join(root, UNFINISHED)
  const now = join(folder, randomUUID())
  try {
    await makeFolder(folder)
    await (await open(now, 'wx')).close()
    const { mtimeMs: now_ms } = await stat(now)
    for (const { name } of await entriesOf(folder)) {
      const file = join(folder, name)
      const { mtimeMs } = await stat(file)
      if (now_ms - mtimeMs > unfinished_ms_max) await rm(file, { force: true })
    }
  } catch {
    // Cleanup is optional. A broken disk makes the write itself fail.
  } finally {
    await rm(now, { force: true }).catch(() => {})
  }
}

async function reading<T>(key: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw isMissing(error) ? new BlobMissing(key, { cause: error }) : away('read', error)
  }
}

async function asAway<T>(verb: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw away(verb, error)
  }
}

function away(verb: string, error: unknown): BlobsUnavailable {
  const why = error instanceof Error ? error.message : String(error)
  return new BlobsUnavailable(`The disk does not ${verb} files: ${why}`, { cause: error })
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
