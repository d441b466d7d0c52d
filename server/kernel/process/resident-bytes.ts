/** Reads the memory of another process. */
import { readFileSync } from 'node:fs'

const PAGE_BYTES = 4096

/** Resident bytes of a process; 0 where the system does not tell. */
export function readResidentBytes(pid: number | undefined): number {
  try {
    const [, pages] = readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')
    return Number(pages) * PAGE_BYTES
  } catch {
    return 0
  }
}
