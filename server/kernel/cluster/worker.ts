/** A cluster worker: one of several processes that serve HTTP on one port. */
import cluster from 'node:cluster'
import type { Runtime } from '../runtime.ts'
import { trackPendingRequests, type ClusterMessage } from './messages.ts'

export const isClusterWorker = cluster.isWorker

/** Longer than the primary waits for the other workers. */
const ANSWER_MS_MAX = 4_000

/** Relays wake-ups to and from all processes. Its metrics text covers the whole cluster. */
export function joinCluster({ wakeups, metrics }: Runtime): void {
  const questions = trackPendingRequests(ANSWER_MS_MAX)
  const send = (message: ClusterMessage) => {
    if (process.connected) process.send?.(message)
  }
  const primary = wakeups.relay((topic) => send({ wake: topic }))
  metrics.text = async () => {
    const text = await questions.ask(send)
    return typeof text === 'string' ? text : metrics.registry.metrics()
  }
  process.on('message', async ({ wake, ask, answer }: ClusterMessage) => {
    if (wake !== undefined) primary.receive(wake)
    questions.answer(answer)
    if (ask !== undefined)
      send({ answer: { ask, what: await metrics.registry.getMetricsAsJSON() } })
  })
}

/** Sends the reason why this worker cannot start to the primary process, which prints it. */
export function reportFailedStart(failed: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (process.connected) process.send?.({ failed } satisfies ClusterMessage, () => resolve())
  else resolve()
  return promise
}
