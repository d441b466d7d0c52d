/** How many files and connections this process may have open. */
import { readFileSync } from 'node:fs'

/** Infinity where the system does not tell or has no limit. */
export function readOpenFilesMax(): number {
  try {
    const [, soft] =
      /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1')) ?? []
    return Number(soft ?? Infinity)
  } catch {
    return Infinity
  }
}
