/** Writes a file that only its owner may read, and renames it to its final name after fsync. */
import { createWriteStream, rmSync, statSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'

import { CommandError } from './command-error.ts'

const MODE_OWNER_ONLY = 0o600

export function requireFolderOf(to: string): void {
  if (statSync(dirname(to), { throwIfNoEntry: false })?.isDirectory()) return
  throw new CommandError(`There is no folder ${dirname(to)} to write the file to.`)
}

/** Replaces an existing file. If `content` throws, it writes nothing and rethrows. */
export async function writeWholeFile(
  to: string,
  content: AsyncIterable<Uint8Array>,
): Promise<void> {
  const part = `${to}.part`
  const removePart = () => rmSync(part, { force: true })
  removePart()
  process.once('exit', removePart)
  try {
    const target = createWriteStream(part, { flags: 'wx', mode: MODE_OWNER_ONLY, flush: true })
    await pipeline(content, target)
    await rename(part, to)
    await keepName(dirname(to))
  } finally {
    removePart()
    process.off('exit', removePart)
  }
}

/** Syncs the folder, because it contains the new name of the file. */
async function keepName(folder: string): Promise<void> {
  const handle = await open(folder)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
