/**
 * The app processes of this server: started by the first request, shared by all requests of a version,
 * watched while they work, and ended when idle. An app that is stopped again and again pauses.
 */
import { sharerOf } from '../../kernel/limits/slots.ts'
import type { AppHost, StopReason } from './host-servers.ts'
import { watch } from './watchdog.ts'
import { AppStartFailed, startApp, type AppCode, type AppProcess } from './workerd.ts'

export { AppError, type AppHost, type EgressRequest } from './host-servers.ts'
export { AppStartFailed, isIsolated, startApp } from './workerd.ts'

export interface AppIdentity {
  project_id: string
  id: string
  /** Grows with each change of the code and of everything else that a process is started with. */
  revision: number
}

export interface AppUse {
  socket: string
  control: string
  release(): void
}

export interface AppParts {
  /** The current one, which may be newer than that of the request. */
  revision: number
  code: AppCode
  host: AppHost
}

export interface AppRuntime {
  /**
   * Returns a running process for one request, and starts it if needed. Throws AppUnavailable if none
   * can be had, and AppStartFailed if the code does not load.
   */
  use(app: AppIdentity, load: () => Promise<AppParts>): Promise<AppUse>
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
/** Processes of the apps of one person, because each may be kept busy by a response without an end. */
const PROCESSES_EACH_MAX = 20
const USES_MAX = 50
const IDLE_MS = 5 * 60_000
const REAP_EVERY_MS = 30_000
const DRAIN_MS_MAX = 30_000
const STOPS_COUNTED_MS = 60_000
const STOPS_MAX = 5

interface Entry extends AppIdentity {
  starting: Promise<AppProcess>
  /** Set by the start. */
  running: (AppParts & { process: AppProcess }) | null
  uses: number
  used_ms: number
  /** Replaced by another version, stopped or ended. */
  is_over: boolean
  endWatch: (() => void) | null
}

export function createAppRuntime(): AppRuntime {
  return new AppProcesses()
}

class AppProcesses implements AppRuntime {
  private readonly entries = new Map<string, Entry>()
  private readonly draining = new Set<Entry>()
  private readonly stops = new Map<string, number[]>()
  private readonly reaper = setInterval(() => this.reap(), REAP_EVERY_MS).unref()
  private is_closed = false

  async use(app: AppIdentity, load: () => Promise<AppParts>): Promise<AppUse> {
    if (this.is_closed) throw new AppUnavailable('The server is stopping.', 2)
    const known = this.entries.get(app.id)
    if (known && known.revision < app.revision) this.retire(known)
    const entry = this.entries.get(app.id) ?? this.start(app, load)
    if (entry.uses >= USES_MAX)
      throw new AppUnavailable('The app has too many requests at the same time.', 1)
    entry.uses += 1
    const release = this.releaseOf(entry)
    try {
      const process = await entry.starting
      return { socket: process.socket, control: process.control, release }
    } catch (error) {
      release()
      throw error
    }
  }

  async close(): Promise<void> {
    this.is_closed = true
    clearInterval(this.reaper)
    const open = [...this.entries.values(), ...this.draining]
    this.entries.clear()
    for (const entry of open) entry.is_over = true
    const ends = open.map(async ({ starting }) => {
      const process = await starting
      process.kill()
      await process.ended
    })
    await Promise.allSettled(ends)
  }

  private start(app: AppIdentity, load: () => Promise<AppParts>): Entry {
    const paused_s = this.pauseOf(app.id)
    if (paused_s > 0) throw new AppUnavailable('The app was stopped several times.', paused_s)
    this.makeRoom(app.project_id)
    const launched = Promise.withResolvers<AppProcess>()
    const entry: Entry = {
      ...app,
      starting: launched.promise,
      running: null,
      uses: 0,
      used_ms: performance.now(),
      is_over: false,
      endWatch: null,
    }
    this.entries.set(app.id, entry)
    this.launch(entry, load).then(launched.resolve, (error: unknown) => {
      this.remove(entry)
      if (error instanceof AppStartFailed) this.countStop(app.id)
      launched.reject(error)
    })
    return entry
  }

  private async launch(entry: Entry, load: () => Promise<AppParts>): Promise<AppProcess> {
    const parts = await load()
    entry.revision = parts.revision
    const process = await startApp(parts.code, parts.host)
    entry.running = { ...parts, process }
    entry.endWatch = watch(process, (reason) => this.stop(entry, reason))
    void this.follow(entry, process)
    return process
  }

  private async follow(entry: Entry, process: AppProcess): Promise<void> {
    await process.ended
    entry.endWatch?.()
    this.draining.delete(entry)
    this.stop(entry, 'ended')
  }

  /** Kills a process that does not behave, and counts it. Does nothing if its end was intended. */
  private stop(entry: Entry, reason: StopReason): void {
    const { is_over, running } = entry
    if (!is_over || reason !== 'ended') running?.process.kill()
    if (is_over) return
    this.remove(entry)
    this.countStop(entry.id)
    running?.host.stopped(reason)
  }

  private countStop(id: string): void {
    const times = [...(this.stops.get(id) ?? []), performance.now()]
    this.stops.set(id, times.slice(-STOPS_MAX))
  }

  /** Ends a process when its requests have ended. */
  private retire(entry: Entry): void {
    if (entry.is_over) return
    this.remove(entry)
    // Changes in a row do not pile up processes.
    for (const older of this.draining) if (older.id === entry.id) older.running?.process.kill()
    this.draining.add(entry)
    setTimeout(() => entry.running?.process.kill(), DRAIN_MS_MAX).unref()
    entry.starting.then(
      () => this.endIfUnused(entry),
      () => this.draining.delete(entry),
    )
  }

  private remove(entry: Entry): void {
    entry.is_over = true
    if (this.entries.get(entry.id) === entry) this.entries.delete(entry.id)
  }

  private endIfUnused({ is_over, uses, running }: Entry): void {
    if (is_over && uses === 0) running?.process.kill()
  }

  private releaseOf(entry: Entry): () => void {
    let released = false
    return () => {
      if (released) return
      released = true
      entry.uses -= 1
      entry.used_ms = performance.now()
      this.endIfUnused(entry)
    }
  }

  private makeRoom(project_id: string): void {
    const sharer = sharerOf(project_id)
    const open = [...this.entries.values(), ...this.draining]
    const own = open.filter((entry) => sharerOf(entry.project_id) === sharer)
    if (own.length >= PROCESSES_EACH_MAX) this.retireIdle(own)
    else if (open.length >= PROCESSES_MAX) this.retireIdle(open)
  }

  private retireIdle(among: readonly Entry[]): void {
    const idle = among.filter(({ is_over, uses, running }) => !is_over && uses === 0 && running)
    const [oldest] = idle.toSorted((one, other) => one.used_ms - other.used_ms)
    if (!oldest) throw new AppUnavailable('Too many apps are working at the same time.', 2)
    this.retire(oldest)
  }

  private reap(): void {
    const now = performance.now()
    for (const entry of this.entries.values())
      if (entry.uses === 0 && entry.running && now - entry.used_ms > IDLE_MS) this.retire(entry)
    for (const [id, times] of this.stops)
      if (now - times.at(-1)! > STOPS_COUNTED_MS) this.stops.delete(id)
  }

  /** Seconds until an app that was stopped several times may start again. */
  private pauseOf(id: string): number {
    const times = this.stops.get(id) ?? []
    if (times.length < STOPS_MAX) return 0
    return Math.max(0, Math.ceil((times[0]! + STOPS_COUNTED_MS - performance.now()) / 1000))
  }
}
