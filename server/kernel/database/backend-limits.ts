/**
 * Limits of a connection of an app that PostgreSQL itself lacks: the memory of its backend, without which one
 * statement could use up that of the machine, and its share of the processor. They hold for the PostgreSQL
 * of this machine only.
 */
import { execFile } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { constants, setPriority } from 'node:os'

/** RLIMIT_DATA, which does not count the memory that backends share. */
const DATA_BYTES_MAX = 256_000_000

/** Does nothing unless the process is a backend of the role, because it may be on another machine. */
export function limitBackend(pid: number, role: string): void {
  try {
    if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith(`postgres: ${role} `)) return
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
    // As the user of PostgreSQL, because root in a container may not limit processes of others.
    const { uid, gid } = statSync(`/proc/${pid}`)
    const user = process.getuid?.() === 0 ? { uid, gid } : {}
    execFile('prlimit', ['--pid', String(pid), `--data=${DATA_BYTES_MAX}`], user, () => {})
  } catch {
    // The process has ended, or belongs to another user.
  }
}
