/**
 * A thread of `passwords.ts`: hashes what it is given, one after the other. Hashing is made to keep a
 * processor busy, so on Linux, where niceness is of each thread, it gives way to whoever answers
 * requests; elsewhere it would slow the whole process down, and is left.
 */
import { argon2Sync } from 'node:crypto'
import { getPriority, platform, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'

/** How much nicer than the process it is. */
const NICER = 5
const NICENESS_MAX = 19
/** The thread that asks. */
const ITSELF = 0

if (platform() === 'linux') {
  setPriority(ITSELF, Math.min(getPriority(ITSELF) + NICER, NICENESS_MAX))
}

parentPort?.on('message', (order) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(argon2Sync('argon2id', order))
})
