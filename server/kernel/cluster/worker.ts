/** One of several processes that answer HTTP on one port, started by the primary. */
import cluster from 'node:cluster'
import type { Runtime } from '../runtime.ts'
import { createQuestions, type Message } from './messages.ts'

export const isClusterWorker = cluster.isWorker

/** Longer than the primary waits for the others. */
const ANSWER_MS_MAX = 4_000

/** Its wake-ups are heard by all, and its measurements are those of all. */
export function joinCluster({ wakeups, metrics }: Runtime): void {
  const questions = createQuestions(ANSWER_MS_MAX)
  const send = (message: Message) => {
    if (process.connected) process.send?.(message)
  }
  const primary = wakeups.relay((topic) => send({ wake: topic }))
  metrics.text = async () => {
    const text = await questions.ask(send)
    return typeof text === 'string' ? text : metrics.registry.metrics()
  }
  process.on('message', async ({ wake, ask, answer }: Message) => {
    if (wake !== undefined) primary.receive(wake)
    questions.answer(answer)
    if (ask !== undefined)
      send({ answer: { ask, what: await metrics.registry.getMetricsAsJSON() } })
  })
}
