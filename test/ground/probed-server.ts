/**
 * A server in a process of its own that measures how long its event loop is kept busy at a stretch.
 * It counts processor time of the main thread and not time on the clock, so that a busy machine
 * makes no difference.
 */
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { after } from 'node:test'
import { openTestHouse } from './house.ts'
import { newCrew } from './sessions.ts'

const PROBE_MS = 2

export interface Place {
  url: string
  /** A test key of the project. */
  key: string
  project_id: string
  /** Of the owner of the project, who is signed in. */
  cookie: string
}

export interface ProbedServer extends Place {
  /** Runs work, and gives the longest stretch of processor time of the server meanwhile. */
  measure(work: () => Promise<unknown>): Promise<number>
}

/**
 * Processor time at a stretch. It is 50 ms or less on a machine that does nothing else; processor
 * time grows when several processes share a core and its caches.
 */
export const BUSY_MS_MAX = 100
/** The lowest of several tries: a garbage collection may fall into one. */
const TRIES = 5

/** Fails if work keeps the event loop of the server busy for longer. */
// oxlint-disable-next-line max-params -- where, what it is called, and the work
export async function requireShort(
  server: ProbedServer,
  what: string,
  send: () => Promise<unknown>,
): Promise<void> {
  let least_ms = Infinity
  for (let count = 0; count < TRIES && least_ms > BUSY_MS_MAX; count += 1)
    least_ms = Math.min(least_ms, await server.measure(send))
  assert.ok(least_ms <= BUSY_MS_MAX, `${what}: ${Math.round(least_ms)} ms`)
}

/** Starts it, and ends it when the test file ends. */
export async function startProbedServer(): Promise<ProbedServer> {
  const child = fork(import.meta.filename, [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  after(async () => {
    const exit = once(child, 'exit')
    child.disconnect()
    await exit
  })
  const [place] = await once(child, 'message')
  const ask = async (what: 'begin' | 'end'): Promise<number> => {
    const answer = once(child, 'message')
    child.send(what)
    return Number((await answer)[0])
  }
  return {
    ...place,
    async measure(work) {
      await ask('begin')
      await work()
      return ask('end')
    },
  }
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

async function serve(): Promise<void> {
  const closings: (() => Promise<void>)[] = []
  const house = await openTestHouse({
    work: false,
    atEnd: (close) => void closings.push(close),
  })
  const { project_id, owner } = await newCrew(house)
  const key = await house.newKey({ project_id })
  const cookie = [...owner.visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  let longest_ms = 0
  let last_ms = cpuMs()
  setInterval(() => {
    const now_ms = cpuMs()
    longest_ms = Math.max(longest_ms, now_ms - last_ms)
    last_ms = now_ms
  }, PROBE_MS)
  process.on('message', (what) => {
    // A key may ask 120 times a minute.
    if (what === 'begin') house.passes('5 seconds')
    // After what is under way in this turn.
    setTimeout(() => {
      process.send?.(longest_ms)
      longest_ms = 0
    }, PROBE_MS * 2)
  })
  process.on('disconnect', () => {
    void Promise.all(closings.map((close) => close())).finally(() => process.exit())
  })
  process.send?.({ url: house.url, key, project_id, cookie } satisfies Place)
}

if (process.argv[1] === import.meta.filename) await serve()
