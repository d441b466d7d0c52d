/** Processor time and memory of process trees, as counted by Linux. */
import { readdirSync, readFileSync } from 'node:fs'
import { cpus } from 'node:os'

/** Unit in which Linux counts processor time. */
const TICK_MS = 10
const KILOBYTES_PER_MB = 1024

interface Process {
  parent: number
  ticks: number
}

function processes(): Map<number, Process> {
  const all = new Map<number, Process>()
  for (const pid of readdirSync('/proc').map(Number).filter(Number.isInteger)) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
      // Includes ended children, which Linux counts with their parent.
      const ticks = stat.slice(11, 15).reduce((sum, one) => sum + Number(one), 0)
      all.set(pid, { parent: Number(stat[1]), ticks })
    } catch {
      // The process has ended meanwhile.
    }
  }
  return all
}

/** Processor time so far of each process tree. */
export function processorMs(roots: readonly number[]): number[] {
  const all = processes()
  return roots.map((root) =>
    [...all].reduce(
      (ms, [pid, { ticks }]) => ms + (belongs(all, root, pid) ? ticks * TICK_MS : 0),
      0,
    ),
  )
}

function belongs(all: ReadonlyMap<number, Process>, root: number, pid: number): boolean {
  if (pid === root) return true
  const known = all.get(pid)
  return known !== undefined && belongs(all, root, known.parent)
}

/** Processor time of ended children of this process, such as a load generator. */
export function endedChildrenMs(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? []
  return (Number(stat[13]) + Number(stat[14])) * TICK_MS
}

/** Memory of a process tree; shared pages count once. */
export function residentMb(root: number): number {
  const all = processes()
  const mine = [...all.keys()].filter((pid) => belongs(all, root, pid))
  return mine.reduce((sum, pid) => sum + memoryOf(pid), 0)
}

/** The proportional set size if it is readable, otherwise the resident set size. */
function memoryOf(pid: number): number {
  return (
    readMb(pid, 'smaps_rollup', /^Pss:\s+(\d+)/m) ?? readMb(pid, 'status', /VmRSS:\s+(\d+)/) ?? 0
  )
}

function readMb(pid: number, file: string, pattern: RegExp): number | null {
  try {
    const kilobytes = pattern.exec(readFileSync(`/proc/${pid}/${file}`, 'utf8'))?.[1]
    return kilobytes === undefined ? null : Number(kilobytes) / KILOBYTES_PER_MB
  } catch {
    return null
  }
}

/** The used share of all processors during this time, in which this process blocks. */
export function shareInUse(look_ms: number): number {
  const before = processorTimes()
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, look_ms)
  const after = processorTimes()
  return 1 - (after.idle_ms - before.idle_ms) / (after.all_ms - before.all_ms || 1)
}

function processorTimes(): { idle_ms: number; all_ms: number } {
  const sums = cpus().map(({ times }) => Object.values(times).reduce((sum, ms) => sum + ms, 0))
  return {
    idle_ms: cpus().reduce((sum, { times }) => sum + times.idle, 0),
    all_ms: sums.reduce((sum, ms) => sum + ms, 0),
  }
}

/** Kills all remaining child processes, so that a failed area leaves none. */
export function endDescendants(): void {
  const all = processes()
  for (const pid of all.keys()) {
    if (pid === process.pid || !belongs(all, process.pid, pid)) continue
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // The process has ended meanwhile.
    }
  }
}
