/**
 * The lock of a data folder that containers share: a file whose holder touches it every second.
 * Process ids and sockets are invalid across containers, so only touching shows that a holder is
 * alive. Clocks are not compared: taking over watches the file for a few seconds.
 */
import { randomUUID } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const TOUCH_MS = 1_000
/** A holder may be blocked for this long without losing the lock. */
const WATCH_MS = 5_000
const LOOK_MS = 100
/**
 * Time in which concurrent takeovers of an expired lock overwrite each other; the last one wins.
 */
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
  /** The namespace in which sockets are visible; tests pass their own. */
  namespace?: string
  /** Called if another process took the lock, because this one did not touch it in time. */
  lost(): void
}

/**
 * Takes the lock, or returns the process id of its holder. The caller holds the socket lock of its
 * namespace, so a holder in the same namespace is dead.
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

/** Writes the file atomically; replaces an existing holder. */
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
    // A counter instead of the time, because only a change matters.
    touches += 1
    await utimes(file, touches, touches)
  }
  // A temporary disk error does not lose the lock: the next touch tries again.
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

/** Whether a holder touches or replaces the file within WATCH_MS. */
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

/** The holder in the file; null if the file is missing or incomplete. */
async function readHolder(file: string): Promise<Holder | null> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const [, token, pid, namespace] =
    /^\{"token":"([^"]+)","pid":(\d+),"namespace":"([^"]*)"\}\n$/.exec(text) ?? []
  if (token === undefined || namespace === undefined) return null
  return { token, pid: Number(pid), namespace }
}

/** The network namespace of this boot, within which the sockets of folder-lock.ts are visible. */
function ownNamespace(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot} ${readlinkSync('/proc/self/ns/net')}`
  } catch {
    return hostname().replaceAll(/["\\]/g, '')
  }
}
