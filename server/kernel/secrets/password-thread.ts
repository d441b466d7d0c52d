/**
 * A worker thread of `passwords.ts` that hashes passwords one after the other. On Linux, where
 * niceness is per thread, it has a lower priority than requests; elsewhere that would slow down the
 * whole process.
 */
import { argon2Sync } from 'node:crypto'
import { getPriority, platform, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'

/** Added to the niceness of the process. */
const NICER = 5
const NICENESS_MAX = 19
/** Process id 0 means the calling thread. */
const ITSELF = 0

if (platform() === 'linux') {
  setPriority(ITSELF, Math.min(getPriority(ITSELF) + NICER, NICENESS_MAX))
}

parentPort?.on('message', (order) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(argon2Sync('argon2id', order))
})
