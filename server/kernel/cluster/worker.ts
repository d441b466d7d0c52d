/** One of several processes that answer HTTP on one port, started by the one that leads them. */
import cluster from 'node:cluster'
import type { Runtime } from '../runtime.ts'
import { createQuestions, type Message } from './messages.ts'

export const isClusterWorker = cluster.isWorker

/** Longer than the leader waits for the others. */
const ANSWER_MS_MAX = 4_000

/** Its wake-ups are heard by all, and its measurements are those of all. */
export function joinCluster({ wakeups, metrics }: Runtime): void {
  const questions = createQuestions(ANSWER_MS_MAX)
  const tell = (message: Message) => {
    if (process.connected) process.send?.(message)
  }
  const leader = wakeups.relay((topic) => tell({ wake: topic }))
  metrics.text = async () => {
    const text = await questions.ask(tell)
    return typeof text === 'string' ? text : metrics.registry.metrics()
  }
  process.on('message', async ({ wake, ask, told }: Message) => {
    if (wake !== undefined) leader.receive(wake)
    questions.answer(told)
    if (ask !== undefined) tell({ told: { ask, what: await metrics.registry.getMetricsAsJSON() } })
  })
}
