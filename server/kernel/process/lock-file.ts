/**
 * The lock of a folder that is shared by containers: a file whose holder touches it every second.
 * Process ids and sockets mean nothing across containers, so whether a holder of another one lives
 * is seen by whether the file is touched. No clocks are compared: a holder that has died is
 * noticed after a few seconds of watching.
 */
import { randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const TOUCH_MS = 1_000
/** A holder may be busy for this long without touching the file. */
const WATCH_MS = 5_000
const LOOK_MS = 100
/** Two that take over the same dead lock at once: the later one is seen within this time. */
const SETTLE_MS = 300

export interface LockFile {
  release(): Promise<void>
}

interface Holder {
  token: string
  pid: number
  namespace: string
}

interface LockOptions {
  /** Where sockets are seen by each other; another one in tests. */
  namespace?: string
  /** Called if somebody took the lock over because this process did not touch it for too long. */
  lost(): void
}

/**
 * Takes the lock, or gives the process id of its holder. The caller holds the socket lock of its
 * own namespace, so a holder that the file names in the same namespace has ended.
 */
export async function takeLockFile(
  folder: string,
  { namespace = ownNamespace(), lost }: LockOptions,
): Promise<LockFile | { held_by: number }> {
  const file = join(folder, 'homeport.lock')
  const mine: Holder = { token: randomUUID(), pid: process.pid, namespace }
  const found = await readHolder(file)
  if (found && found.namespace !== namespace && (await isTouched(file))) {
    return { held_by: found.pid }
  }
  await place(file, mine)
  if (found && found.namespace !== namespace) await delay(SETTLE_MS)
  const winner = await readHolder(file)
  if (winner && winner.token !== mine.token) return { held_by: winner.pid }
  return keepTouching(file, mine, lost)
}

/** Written beside its place and moved there whole; a holder that is there is replaced. */
async function place(file: string, holder: Holder): Promise<void> {
  const fresh = `${file}.${holder.token}`
  await writeFile(fresh, `${JSON.stringify(holder)}\n`, { mode: 0o600 })
  await rename(fresh, file)
}

function keepTouching(file: string, { token }: Holder, lost: () => void): LockFile {
  let ended = false
  let touches = 0
  const touch = async () => {
    const found = await readHolder(file)
    if (ended) return
    if (found && found.token !== token) {
      clearInterval(timer)
      lost()
      return
    }
    // A count instead of the time: only that it changes matters.
    touches += 1
    await utimes(file, touches, touches)
  }
  // A disk that fails for a moment is not a lock that is lost: the next touch tries again.
  const timer = setInterval(() => void touch().catch(() => {}), TOUCH_MS)
  timer.unref()
  return {
    async release() {
      ended = true
      clearInterval(timer)
      if ((await readHolder(file))?.token === token) await rm(file, { force: true })
    },
  }
}

/** Whether the file is touched or replaced while it is watched. */
async function isTouched(file: string): Promise<boolean> {
  const signature = async () => {
    const found = await stat(file).catch(() => null)
    return found && `${found.ino} ${found.mtimeMs}`
  }
  const before = await signature()
  for (let waited_ms = 0; waited_ms < WATCH_MS; waited_ms += LOOK_MS) {
    await delay(LOOK_MS)
    const now = await signature()
    if (now === null) return false
    if (now !== before) return true
  }
  return false
}

/** The holder that the file names; null if there is none, or half of one. */
async function readHolder(file: string): Promise<Holder | null> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const [, token, pid, namespace] =
    /^\{"token":"([^"]+)","pid":(\d+),"namespace":"([^"]*)"\}\n$/.exec(text) ?? []
  if (token === undefined || namespace === undefined) return null
  return { token, pid: Number(pid), namespace }
}

/** The network namespace of this boot: within it the sockets of folder-lock.ts see each other. */
function ownNamespace(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot} ${readlinkSync('/proc/self/ns/net')}`
  } catch {
    return hostname().replaceAll(/["\\]/g, '')
  }
}
