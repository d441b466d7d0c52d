/** One of several processes that answer HTTP on one port, started by the one that leads them. */
import cluster from 'node:cluster'
import type { House } from '../house.ts'
import { createQuestions, type Message } from './messages.ts'

export const isHand = cluster.isWorker

/** Longer than the leader waits for the others. */
const ANSWER_MS_MAX = 4_000

/** Its wake-ups are heard by all, and its measurements are those of all. */
export function joinCrew({ bell, metrics }: House): void {
  const questions = createQuestions(ANSWER_MS_MAX)
  const tell = (message: Message) => {
    if (process.connected) process.send?.(message)
  }
  const ringHere = bell.ring
  bell.ring = (topic) => {
    ringHere(topic)
    tell({ ring: topic })
  }
  metrics.text = async () => {
    const text = await questions.ask(tell)
    return typeof text === 'string' ? text : metrics.registry.metrics()
  }
  process.on('message', async ({ ring, ask, told }: Message) => {
    if (ring !== undefined) ringHere(ring)
    questions.answer(told)
    if (ask !== undefined) tell({ told: { ask, what: await metrics.registry.getMetricsAsJSON() } })
  })
}
