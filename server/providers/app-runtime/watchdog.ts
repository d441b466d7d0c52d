/**
 * Watches a process: it must answer pings unless it waits, and must not outgrow its processor time and
 * memory.
 */
import { readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { request } from '../../kernel/process/node-http.ts'
import { readResidentBytes } from '../../kernel/process/resident-bytes.ts'
import type { AppProcess } from './workerd.ts'

const { PRIORITY_BELOW_NORMAL: BELOW_NORMAL, PRIORITY_NORMAL: NORMAL } = constants.priority
/** Processor time of the time between two pings. */
const BUSY_SHARE = 0.2
const PING_EVERY_MS = 250
const SILENT_MS_MAX = 1_000
const SILENT_CPU_MS_MIN = 300
/** Processor time in a minute. */
const CPU_MS_MAX = 40_000
const WINDOW_MS = 60_000
const RSS_BYTES_MAX = 300_000_000

/**
 * Calls `onFault` once if the process misbehaves, also between requests, because its code may go on.
 * Returns the function that ends the watch.
 */
export function watch(
  { pid, control }: AppProcess,
  onFault: (reason: 'loop' | 'memory') => void,
): () => void {
  let answered_ms = performance.now()
  let cpu_ms = cpuOf(pid)
  let is_asking = false
  let window = { start_ms: answered_ms, cpu_ms }
  let asked_ms = answered_ms
  let asked_cpu_ms = cpu_ms
  let is_low = true
  const timer = setInterval(() => {
    const now_ms = performance.now()
    const now_cpu_ms = cpuOf(pid)
    yieldIfBusy((now_cpu_ms - asked_cpu_ms) / (now_ms - asked_ms))
    asked_ms = now_ms
    asked_cpu_ms = now_cpu_ms
    if (now_ms - window.start_ms > WINDOW_MS) window = { start_ms: now_ms, cpu_ms: now_cpu_ms }
    if (now_cpu_ms - window.cpu_ms > CPU_MS_MAX) return end('loop')
    const is_silent = is_asking && now_ms - answered_ms > SILENT_MS_MAX
    if (is_silent && now_cpu_ms - cpu_ms >= SILENT_CPU_MS_MIN) return end('loop')
    if (readResidentBytes(pid) > RSS_BYTES_MAX) return end('memory')
    if (is_asking) return
    if (now_cpu_ms > cpu_ms) void ask()
    else answered_ms = now_ms
  }, PING_EVERY_MS)
  timer.unref()

  /** An app that works a lot gives way to the server and to apps that work little. */
  function yieldIfBusy(share: number): void {
    if (share > BUSY_SHARE === is_low) return
    is_low = !is_low
    try {
      setPriority(pid, is_low ? BELOW_NORMAL : NORMAL)
    } catch {
      // The process has ended, or the server is not root and may not raise a priority.
    }
  }

  function end(reason: 'loop' | 'memory'): void {
    clearInterval(timer)
    onFault(reason)
  }

  async function ask(): Promise<void> {
    is_asking = true
    if (await ping(control)) {
      answered_ms = performance.now()
      cpu_ms = cpuOf(pid)
    }
    is_asking = false
  }

  return () => clearInterval(timer)
}

function ping(socketPath: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const asked = request({ socketPath, path: '/ping', agent: false }, (reply) => {
    reply.resume().once('end', () => resolve(true))
    reply.once('error', () => resolve(false))
  })
  asked.once('error', () => resolve(false)).end()
  return promise
}

const TICK_MS = 10

/** The processor time of a process in milliseconds; 0 if it has ended. */
function cpuOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * TICK_MS
  } catch {
    return 0
  }
}
