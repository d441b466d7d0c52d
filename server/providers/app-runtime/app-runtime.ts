/**
 * The app processes of this server: started by the first request, shared by all requests of a version,
 * watched while they work, and ended when idle. An app that is stopped again and again pauses.
 */
import { request } from 'node:http'
import { readFileSync } from 'node:fs'
import type { AppHost, StopReason } from './host-servers.ts'
import { isolation, startApp, type AppCode, type AppProcess } from './workerd.ts'

export { AppError, type AppHost, type EgressRequest } from './host-servers.ts'
export { AppStartFailed, startApp } from './workerd.ts'

export interface AppIdentity {
  id: string
  /** Changes with the code and with everything else that a process is started with. */
  revision: string
}

export interface AppUse {
  socket: string
  control: string
  release(): void
}

export interface AppParts {
  code: AppCode
  host: AppHost
}

export interface AppRuntime {
  /**
   * Returns a running process for one request, and starts it if needed. Throws AppUnavailable if none
   * can be had, and AppStartFailed if the code does not load.
   */
  use(app: AppIdentity, load: () => Promise<AppParts>): Promise<AppUse>
  /** Ends the processes of an app once their requests have ended. */
  forget(id: string): void
  /** The number of running processes, for the status page. */
  count(): number
  close(): Promise<void>
}

export class AppUnavailable extends Error {
  override readonly name = 'AppUnavailable'
  readonly retry_after_s: number
  constructor(message: string, retry_after_s: number) {
    super(message)
    this.retry_after_s = retry_after_s
  }
}

const PROCESSES_MAX = 60
const USES_MAX = 50
const IDLE_MS = 5 * 60_000
const DRAIN_MS_MAX = 30_000
const PING_EVERY_MS = 250
const SILENT_MS_MAX = 1_000
const SILENT_CPU_MS_MIN = 300
const RSS_BYTES_MAX = 400_000_000
const STOPS_COUNTED_MS = 60_000
const STOPS_MAX = 5

/** Whether the kernel keeps app processes off the network. */
export const isIsolated = (): boolean => isolation().isolation === 'network_namespace'

interface Entry {
  revision: string
  starting: Promise<AppProcess>
  process: AppProcess | null
  host: AppHost | null
  uses: number
  used_ms: number
  /** Replaced by another version, or ended. */
  is_over: boolean
  watch: NodeJS.Timeout | null
}

export function createAppRuntime(): AppRuntime {
  const entries = new Map<string, Entry>()
  const draining = new Set<Entry>()
  const stops = new Map<string, number[]>()
  let is_closed = false
  const reaper = setInterval(reap, 30_000)
  reaper.unref()

  function reap(): void {
    const now = performance.now()
    for (const [id, entry] of entries) {
      if (entry.uses === 0 && entry.process && now - entry.used_ms > IDLE_MS) retire(id, entry)
    }
    for (const [id, times] of stops) if (now - times.at(-1)! > STOPS_COUNTED_MS) stops.delete(id)
  }

  /** Ends a process when its requests have ended. */
  function retire(id: string, entry: Entry): void {
    if (entries.get(id) === entry) entries.delete(id)
    if (entry.is_over) return
    entry.is_over = true
    draining.add(entry)
    setTimeout(() => entry.process?.kill(), DRAIN_MS_MAX).unref()
    entry.starting.then(
      () => endIfUnused(entry),
      () => draining.delete(entry),
    )
  }

  function endIfUnused(entry: Entry): void {
    if (!entry.is_over || entry.uses > 0 || !entry.process) return
    entry.process.kill()
  }

  function makeRoom(): void {
    if (entries.size < PROCESSES_MAX) return
    const idle = [...entries].filter(([, { uses, process }]) => uses === 0 && process !== null)
    const [oldest] = idle.toSorted(([, one], [, other]) => one.used_ms - other.used_ms)
    if (!oldest) throw new AppUnavailable('Too many apps are working at the same time.', 2)
    retire(...oldest)
  }

  function start({ id, revision }: AppIdentity, load: () => Promise<AppParts>): Entry {
    const paused_s = pauseOf(id)
    if (paused_s > 0) throw new AppUnavailable('The app was stopped several times.', paused_s)
    makeRoom()
    const entry: Entry = {
      revision,
      starting: launch(),
      process: null,
      host: null,
      uses: 0,
      used_ms: performance.now(),
      is_over: false,
      watch: null,
    }
    async function launch(): Promise<AppProcess> {
      const { code, host } = await load()
      const process = await startApp(code, host)
      entry.process = process
      entry.host = host
      void process.ended.then(() => onEnd(id, entry))
      return process
    }
    entry.starting.catch(() => {
      if (entries.get(id) === entry) entries.delete(id)
    })
    entries.set(id, entry)
    return entry
  }

  function onEnd(id: string, entry: Entry): void {
    if (entry.watch) clearInterval(entry.watch)
    draining.delete(entry)
    if (entries.get(id) === entry) entries.delete(id)
    if (!entry.is_over) stop(id, entry, 'ended')
  }

  /** Kills a process that does not behave, and counts it. */
  function stop(id: string, entry: Entry, reason: StopReason): void {
    if (entry.is_over) return
    entry.is_over = true
    if (entries.get(id) === entry) entries.delete(id)
    stops.set(id, [...(stops.get(id) ?? []), performance.now()].slice(-STOPS_MAX))
    entry.process?.kill()
    entry.host?.stopped(reason)
  }

  function pauseOf(id: string): number {
    const times = stops.get(id) ?? []
    if (times.length < STOPS_MAX) return 0
    return Math.max(0, Math.ceil((times[0]! + STOPS_COUNTED_MS - performance.now()) / 1000))
  }

  async function use(app: AppIdentity, load: () => Promise<AppParts>): Promise<AppUse> {
    if (is_closed) throw new AppUnavailable('The server is stopping.', 2)
    let entry = entries.get(app.id)
    if (entry && entry.revision !== app.revision) {
      retire(app.id, entry)
      entry = undefined
    }
    entry ??= start(app, load)
    if (entry.uses >= USES_MAX)
      throw new AppUnavailable('The app has too many requests at the same time.', 1)
    entry.uses += 1
    const release = releaseOf(entry)
    try {
      const { socket, control } = await entry.starting
      entry.watch ??= watch(app.id, entry)
      return { socket, control, release }
    } catch (error) {
      release()
      throw error
    }
  }

  function releaseOf(entry: Entry): () => void {
    let released = false
    return () => {
      if (released) return
      released = true
      entry.uses -= 1
      entry.used_ms = performance.now()
      endIfUnused(entry)
    }
  }

  /** Pings a process while it has requests. */
  function watch(id: string, entry: Entry): NodeJS.Timeout {
    let answered_ms = performance.now()
    let cpu_ms = cpuOf(entry.process!.pid)
    let is_asking = false
    const timer = setInterval(() => {
      const { process, uses } = entry
      if (!process || uses === 0) {
        if (entry.watch) clearInterval(entry.watch)
        entry.watch = null
        return
      }
      const cpu_used_ms = cpuOf(process.pid) - cpu_ms
      const is_silent = performance.now() - answered_ms > SILENT_MS_MAX
      if (is_silent && cpu_used_ms >= SILENT_CPU_MS_MIN) return stop(id, entry, 'loop')
      if (rssOf(process.pid) > RSS_BYTES_MAX) return stop(id, entry, 'memory')
      if (is_asking) return
      is_asking = true
      ping(process.control).then(
        () => {
          answered_ms = performance.now()
          cpu_ms = cpuOf(process.pid)
          is_asking = false
        },
        () => (is_asking = false),
      )
    }, PING_EVERY_MS)
    timer.unref()
    return timer
  }

  return {
    use,
    forget(id) {
      const entry = entries.get(id)
      if (entry) retire(id, entry)
    },
    count: () => entries.size,
    async close() {
      is_closed = true
      clearInterval(reaper)
      const open = [...entries.values(), ...draining]
      entries.clear()
      for (const entry of open) entry.is_over = true
      await Promise.allSettled(
        open.map(async (entry) => {
          const process = await entry.starting
          process.kill()
          await process.ended
        }),
      )
    },
  }
}

function ping(socketPath: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const asked = request({ socketPath, path: '/ping', agent: false }, (reply) => {
    reply.resume().once('end', resolve).once('error', reject)
  })
  asked.once('error', reject).end()
  return promise
}

const TICK_MS = 10
const PAGE_BYTES = 4096

/** The processor time of a process in milliseconds; 0 if it has ended. */
function cpuOf(pid: number): number {
  const fields = readProcess(pid, 'stat').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * TICK_MS
}

function rssOf(pid: number): number {
  return Number(readProcess(pid, 'statm').split(' ')[1] ?? 0) * PAGE_BYTES
}

function readProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return ''
  }
}
