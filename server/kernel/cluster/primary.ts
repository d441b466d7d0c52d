/**
 * The process that leads others, which answer HTTP on one port: it holds the database and does the
 * work that nobody waits for, passes wake-ups on, adds up the measurements of all, and starts
 * another one for whichever of them ended.
 */
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { AggregatorRegistry } from 'prom-client'
import type { Runtime } from '../runtime.ts'
import { createQuestions, type Message } from './messages.ts'

/** After one that ended before it listened, the next is started later, so that it costs little. */
const AGAIN_MS_FIRST = 100
const AGAIN_MS_MAX = 30_000
const ANSWER_MS_MAX = 2_000

export interface Workers {
  /** Where all of them listen. */
  port: number
  /** No new requests; the running ones finish; then the processes end. */
  stop(): Promise<void>
}

/** Starts so many and waits until all of them listen. Fails when one ends before that. */
export async function startCluster(runtime: Runtime, count: number): Promise<Workers> {
  // Each accepts for itself. A connection that was handed to one that is being killed would hang.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  const workers = new Set<Worker>()
  const begin = hearing(runtime, workers)
  const first = Array.from({ length: count }, begin)
  const [port = 0] = await Promise.all(first.map(portOf)).catch((error: unknown) => {
    for (const worker of workers) worker.process.kill('SIGKILL')
    throw error
  })
  const keepGoing = replacing({ runtime, workers, begin })
  return {
    port,
    async stop() {
      keepGoing.stop()
      const ending = [...workers].map((worker) => (worker.isDead() ? null : once(worker, 'exit')))
      for (const worker of workers) worker.process.kill('SIGTERM')
      await Promise.all(ending)
    },
  }
}

/** Gives what starts a process and listens to it from then on. */
function hearing({ wakeups, metrics }: Runtime, workers: Set<Worker>): () => Worker {
  const questions = createQuestions(ANSWER_MS_MAX)
  const send = (worker: Worker, message: Message) => {
    if (worker.isConnected()) worker.send(message)
  }

  async function textOfAll(): Promise<string> {
    const asked = [...workers].map((worker) => questions.ask((message) => send(worker, message)))
    const own = await metrics.registry.getMetricsAsJSON()
    // One that did not answer in time is left out.
    const answered = (await Promise.all(asked)).filter((one) => one !== null)
    return AggregatorRegistry.aggregate([own, ...answered] as object[]).metrics()
  }

  return () => {
    const worker = cluster.fork()
    workers.add(worker)
    const relay = wakeups.relay((topic) => send(worker, { wake: topic }))
    worker.once('exit', relay.close)
    worker.on('message', async ({ wake, ask, answer }: Message) => {
      questions.answer(answer)
      if (ask !== undefined) send(worker, { answer: { ask, what: await textOfAll() } })
      if (wake !== undefined) relay.receive(wake)
    })
    return worker
  }
}

/** Where one listens, once it does. */
function portOf(worker: Worker): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  worker.once('listening', ({ port }) => resolve(port))
  worker.once('exit', (code) => {
    reject(new Error(`A process that was to answer ended with ${code} before it could.`))
  })
  return promise
}

interface Replacing {
  runtime: Runtime
  workers: Set<Worker>
  begin(): Worker
}

/** Starts another one for each that ends, until it is stopped. */
function replacing({ runtime, workers, begin }: Replacing): { stop(): void } {
  let stopping = false
  let in_vain = 0
  cluster.on('listening', () => (in_vain = 0))
  cluster.on('exit', (worker, code, signal) => {
    workers.delete(worker)
    if (stopping) return
    const wait_ms = Math.min(AGAIN_MS_MAX, AGAIN_MS_FIRST * 2 ** in_vain)
    in_vain += 1
    const { pid } = worker.process
    runtime.log.error({ pid, code, signal }, 'a process that answers ended, and another is started')
    setTimeout(() => {
      if (!stopping) begin()
    }, wait_ms)
  })
  return { stop: () => void (stopping = true) }
}
