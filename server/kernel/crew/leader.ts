/**
 * The process that leads others, which answer HTTP on one port: it holds the database and does the
 * work that nobody waits for, passes wake-ups on, adds up the measurements of all, and starts
 * another one for whichever of them ended.
 */
import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { AggregatorRegistry } from 'prom-client'
import type { House } from '../house.ts'
import { createQuestions, type Message } from './messages.ts'

/** After one that ended before it listened, the next is started later, so that it costs little. */
const AGAIN_MS_FIRST = 100
const AGAIN_MS_MAX = 30_000
const ANSWER_MS_MAX = 2_000

export interface Crew {
  /** Where all of them listen. */
  port: number
  /** No new requests; the running ones finish; then the processes end. */
  stop(): Promise<void>
}

/** Starts so many and waits until all of them listen. Fails when one ends before that. */
export async function leadCrew(house: House, count: number): Promise<Crew> {
  // Each accepts for itself. A connection that was handed to one that is being killed would hang.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  const hands = new Set<Worker>()
  const begin = hearing(house, hands)
  const first = Array.from({ length: count }, begin)
  const [port = 0] = await Promise.all(first.map(portOf)).catch((error: unknown) => {
    for (const hand of hands) hand.process.kill('SIGKILL')
    throw error
  })
  const keepGoing = replacing({ house, hands, begin })
  return {
    port,
    async stop() {
      keepGoing.stop()
      const ending = [...hands].map((hand) => (hand.isDead() ? null : once(hand, 'exit')))
      for (const hand of hands) hand.process.kill('SIGTERM')
      await Promise.all(ending)
    },
  }
}

/** Gives what starts a process and listens to it from then on. */
function hearing({ wakeups, metrics }: House, hands: Set<Worker>): () => Worker {
  const questions = createQuestions(ANSWER_MS_MAX)
  const tell = (hand: Worker, message: Message) => {
    if (hand.isConnected()) hand.send(message)
  }

  async function textOfAll(): Promise<string> {
    const asked = [...hands].map((hand) => questions.ask((message) => tell(hand, message)))
    const own = await metrics.registry.getMetricsAsJSON()
    // One that did not answer in time is left out.
    const told = (await Promise.all(asked)).filter((one) => one !== null)
    return AggregatorRegistry.aggregate([own, ...told] as object[]).metrics()
  }

  return () => {
    const hand = cluster.fork()
    hands.add(hand)
    const relay = wakeups.relay((topic) => tell(hand, { wake: topic }))
    hand.once('exit', relay.close)
    hand.on('message', async ({ wake, ask, told }: Message) => {
      questions.answer(told)
      if (ask !== undefined) tell(hand, { told: { ask, what: await textOfAll() } })
      if (wake !== undefined) relay.receive(wake)
    })
    return hand
  }
}

/** Where one listens, once it does. */
function portOf(hand: Worker): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  hand.once('listening', ({ port }) => resolve(port))
  hand.once('exit', (code) => {
    reject(new Error(`A process that was to answer ended with ${code} before it could.`))
  })
  return promise
}

interface Replacing {
  house: House
  hands: Set<Worker>
  begin(): Worker
}

/** Starts another one for each that ends, until it is told to stop. */
function replacing({ house, hands, begin }: Replacing): { stop(): void } {
  let stopping = false
  let in_vain = 0
  cluster.on('listening', () => (in_vain = 0))
  cluster.on('exit', (hand, code, signal) => {
    hands.delete(hand)
    if (stopping) return
    const wait_ms = Math.min(AGAIN_MS_MAX, AGAIN_MS_FIRST * 2 ** in_vain)
    in_vain += 1
    const { pid } = hand.process
    house.log.error({ pid, code, signal }, 'a process that answers ended, and another is started')
    setTimeout(() => {
      if (!stopping) begin()
    }, wait_ms)
  })
  return { stop: () => void (stopping = true) }
}
