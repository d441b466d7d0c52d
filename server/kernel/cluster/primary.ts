/**
 * The primary process of a cluster. Its workers serve HTTP on one port. The primary holds the
 * database, runs jobs and deliveries, relays wake-ups, aggregates metrics and replaces workers that
 * exit.
 */
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { AggregatorRegistry } from 'prom-client'
import type { Runtime } from '../runtime.ts'
import { trackPendingRequests, type ClusterMessage } from './messages.ts'

/** Delays of the exponential backoff after workers that exit before they listen. */
const AGAIN_MS_FIRST = 100
const AGAIN_MS_MAX = 30_000
const ANSWER_MS_MAX = 2_000

export interface Workers {
  /** The port on which all workers listen. */
  port: number
  /** Stops taking requests, waits for running ones, then ends the workers. */
  stop(): Promise<void>
}

/** The reason that a worker gave for its failed start; the message is for the operator. */
export class WorkerStartFailed extends Error {}

/**
 * Starts `count` workers and waits until all listen. Rejects if a worker exits before that: with
 * WorkerStartFailed if the worker sent a reason.
 */
export async function startCluster(runtime: Runtime, count: number): Promise<Workers> {
  // Workers accept connections themselves: a connection passed to a dying worker would hang.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  const workers = new Set<Worker>()
  const begin = workerStarter(runtime, workers)
  const first = Array.from({ length: count }, begin)
  const [port = 0] = await Promise.all(first.map(portOf)).catch((error: unknown) => {
    for (const worker of workers) worker.process.kill('SIGKILL')
    throw error
  })
  const replacement = replaceExited({ runtime, workers, begin })
  return {
    port,
    async stop() {
      replacement.stop()
      const ending = [...workers].map((worker) => (worker.isDead() ? null : once(worker, 'exit')))
      for (const worker of workers) worker.process.kill('SIGTERM')
      await Promise.all(ending)
    },
  }
}

/** Returns a function that starts a worker and handles its messages. */
function workerStarter({ wakeups, metrics }: Runtime, workers: Set<Worker>): () => Worker {
  const questions = trackPendingRequests(ANSWER_MS_MAX)
  const send = (worker: Worker, message: ClusterMessage) => {
    if (worker.isConnected()) worker.send(message)
  }

  async function aggregateText(): Promise<string> {
    const asked = [...workers].map((worker) => questions.ask((message) => send(worker, message)))
    const own = await metrics.registry.getMetricsAsJSON()
    // Leaves out workers that did not reply in time.
    const answered = (await Promise.all(asked)).filter((one) => one !== null)
    return AggregatorRegistry.aggregate([own, ...answered] as object[]).metrics()
  }

  return () => {
    const worker = cluster.fork()
    workers.add(worker)
    const relay = wakeups.relay((topic) => send(worker, { wake: topic }))
    worker.once('exit', relay.close)
    worker.on('message', async ({ wake, ask, answer }: ClusterMessage) => {
      questions.answer(answer)
      if (ask !== undefined) send(worker, { answer: { ask, what: await aggregateText() } })
      if (wake !== undefined) relay.receive(wake)
    })
    return worker
  }
}

/** Resolves with the port of a worker once it listens. */
function portOf(worker: Worker): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  worker.once('listening', ({ port }) => resolve(port))
  worker.on('message', ({ failed }: ClusterMessage) => {
    if (failed !== undefined) reject(new WorkerStartFailed(failed))
  })
  worker.once('exit', (code) => {
    const exited = () => reject(new Error(`A worker exited with ${code} before it listened.`))
    // The channel may still contain the reason of the worker, unread.
    if (worker.isConnected()) worker.once('disconnect', exited)
    else exited()
  })
  return promise
}

interface ReplaceOptions {
  runtime: Runtime
  workers: Set<Worker>
  begin(): Worker
}

/** Starts a new worker for each that exits, until `stop`. */
function replaceExited({ runtime, workers, begin }: ReplaceOptions): { stop(): void } {
  let stopping = false
  let failed_starts = 0
  cluster.on('listening', () => (failed_starts = 0))
  cluster.on('message', ({ process: { pid } }, { failed }: ClusterMessage) => {
    if (failed !== undefined) runtime.log.error({ pid, reason: failed }, 'a worker cannot start')
  })
  cluster.on('exit', (worker, code, signal) => {
    workers.delete(worker)
    if (stopping) return
    const wait_ms = Math.min(AGAIN_MS_MAX, AGAIN_MS_FIRST * 2 ** failed_starts)
    failed_starts += 1
    const { pid } = worker.process
    runtime.log.error({ pid, code, signal }, 'a worker exited and is replaced')
    setTimeout(() => {
      if (!stopping) begin()
    }, wait_ms)
  })
  return { stop: () => void (stopping = true) }
}
