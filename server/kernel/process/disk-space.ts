/** How full the disk of a folder is. */
import { stat, statfs } from 'node:fs/promises'

export interface Disk {
  device: number
  /** As `df` prints it: without the blocks that are reserved for root. */
  percent: number
  free_bytes: number
}

/** Null if the folder does not exist. */
export async function readDisk(folder: string): Promise<Disk | null> {
  try {
    const { dev: device } = await stat(folder)
    const { blocks, bfree, bavail, bsize } = await statfs(folder)
    const used = blocks - bfree
    const percent = Math.floor((100 * used) / Math.max(1, used + bavail))
    return { device, percent, free_bytes: bavail * bsize }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}
