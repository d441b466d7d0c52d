/**
 * Passwords as argon2id hashes in the PHC format, which contains its costs, so that they can be
 * raised while old hashes still verify. Hashing is slow and memory-intensive by design, so a few
 * worker threads compute it. Further calls wait; above the limit they get `NoSlot`. Callers name an
 * owner (a project, an address), and owners take turns. Sites and people wait in separate rooms, so
 * that visitors of sites cannot keep people from signing in.
 */
import { randomBytes, timingSafeEqual, type Argon2Parameters } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { createSlots, type SlotOptions } from '../limits/slots.ts'

/** Minimum of the OWASP Password Storage Cheat Sheet: 19 MiB, two passes, one lane. */
const MEMORY_KIB = 19_456
const PASSES = 2
const LANES = 1
const SALT_BYTES = 16
const TAG_BYTES = 32

/** Maximum costs of an imported hash; more expensive ones are refused. */
const MEMORY_KIB_MAX = 262_144
const PASSES_MAX = 16
const LANES_MAX = 8

const room: SlotOptions = {
  name: 'passwords are checked',
  // Leaves one processor to requests.
  units: Math.max(1, availableParallelism() - 1),
  units_each: Math.max(1, availableParallelism() - 2),
  waiting_max: 64,
  waiting_each_max: 16,
  retry_after_s: 2,
}
const rooms = { sites: createSlots(room), people: createSlots(room) }

export interface PasswordOwner {
  room: keyof typeof rooms
  /** The project of a site, or the person or address of a sign-in. */
  id: string
}

export async function hashPassword(text: string, owner: PasswordOwner): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const costs = { memory: MEMORY_KIB, passes: PASSES, parallelism: LANES }
  const order = { ...costs, nonce: salt, tagLength: TAG_BYTES, message: messageOf(text) }
  const tag = await rooms[owner.room].run(owner.id, () => hashInThread(order))
  const written = `m=${MEMORY_KIB},t=${PASSES},p=${LANES}`
  return `$argon2id$v=19$${written}$${unpadded(salt)}$${unpadded(tag)}`
}

/** The hash of a random text, so that an account without a password takes as long as one with it. */
let dummyHash: Promise<string> | null = null

/**
 * Also returns false for an unreadable hash, and for null: an account without a password, or none. A wrong
 * password takes as long as the right one.
 */
export async function verifyPassword(
  text: string,
  phc: string | null,
  owner: PasswordOwner,
): Promise<boolean> {
  if (phc === null) {
    dummyHash ??= hashPassword(randomBytes(SALT_BYTES).toString('hex'), owner)
    dummyHash.catch(() => (dummyHash = null))
    await verifyPassword(text, await dummyHash, owner)
    return false
  }
  const read = readPhc(phc)
  if (read === null) return false
  const { tag, ...costs } = read
  const order = { ...costs, tagLength: tag.length, message: messageOf(text) }
  return timingSafeEqual(await rooms[owner.room].run(owner.id, () => hashInThread(order)), tag)
}

type Costs = Omit<Argon2Parameters, 'message' | 'tagLength'>

const phcPattern =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,3})\$([\w+/]{11,86})\$([\w+/]{16,86})$/

function readPhc(phc: string): (Costs & { tag: Buffer }) | null {
  const [, memory, passes, parallelism, salt, tag] = phcPattern.exec(phc) ?? []
  if (salt === undefined || tag === undefined) return null
  const costs = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) }
  const within =
    inRange(costs.parallelism, 1, LANES_MAX) &&
    inRange(costs.passes, 1, PASSES_MAX) &&
    inRange(costs.memory, 8 * costs.parallelism, MEMORY_KIB_MAX)
  if (!within) return null
  return { ...costs, nonce: Buffer.from(salt, 'base64'), tag: Buffer.from(tag, 'base64') }
}

function inRange(value: number, least: number, most: number): boolean {
  return value >= least && value <= most
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}

/** Idle threads. They do not keep the process alive. */
const idle: Worker[] = []

/**
 * Normalizes by NFKC, as NIST 800-63B recommends, because equal characters have several encodings.
 */
function messageOf(text: string): Buffer {
  return Buffer.from(text.normalize('NFKC'))
}

async function hashInThread(order: Argon2Parameters): Promise<Buffer> {
  const thread = idle.pop() ?? new Worker(join(import.meta.dirname, 'password-thread.ts'))
  thread.ref()
  const hashed = once(thread, 'message')
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  thread.postMessage(order)
  try {
    const [tag] = await hashed
    return Buffer.from(tag)
  } catch (error) {
    await thread.terminate()
    throw error
  } finally {
    if (thread.threadId > 0) idle.push(thread)
    thread.unref()
  }
}
