/**
 * Limits of a connection of an app that PostgreSQL itself lacks: the memory of its backend, without which one
 * statement could use up that of the machine, and its share of the processor. They hold for the PostgreSQL
 * of this machine only.
 */
import { execFile } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import type { Log } from '../log.ts'

/** RLIMIT_DATA, which does not count the memory that backends share. */
const DATA_BYTES_MAX = 256_000_000

type Limit = 'memory' | 'priority'

const reported = new Set<Limit>()

/** Does nothing unless the process is a backend of the role, because it may be on another machine. */
export function limitBackend(pid: number, { role, log }: { role: string; log: Log }): void {
  if (!isBackend(pid, role)) return
  // Once, because every connection would repeat it.
  const report = (limit: Limit, error: unknown) => {
    if (reported.has(limit) || !isBackend(pid, role)) return
    reported.add(limit)
    log.warn({ err: error, limit }, 'a limit of the connections of apps could not be set')
  }
  try {
    // As the user of PostgreSQL, because root in a container may not limit processes of others.
    const { uid, gid } = statSync(`/proc/${pid}`)
    const user = process.getuid?.() === 0 ? { uid, gid } : {}
    const flags = ['--pid', String(pid), `--data=${DATA_BYTES_MAX}`]
    execFile('prlimit', flags, user, (error) => error && report('memory', error))
  } catch (error) {
    report('memory', error)
  }
  try {
    setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch (error) {
    report('priority', error)
  }
}

/** False also if the process has ended. A cluster with a name has it before the role. */
function isBackend(pid: number, role: string): boolean {
  try {
    const title = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    return title.startsWith('postgres: ') && title.includes(`: ${role} `)
  } catch {
    return false
  }
}
