/**
 * Messages between the processes of a cluster: wake-ups, requests for metrics with replies, and
 * failed starts of workers.
 */

export interface ClusterMessage {
  /** Topic of a wake-up. */
  wake?: string
  /** Id of a request for metrics. */
  ask?: number
  /** The reply: the metrics of a worker, or from the primary the exposition text of all processes. */
  answer?: { ask: number; what: unknown }
  /** Why a worker could not start, in a sentence for the operator. */
  failed?: string
}

export interface PendingRequests {
  /** Sends a request and resolves with the reply, or with null after a timeout. */
  ask(send: (message: ClusterMessage) => void): Promise<unknown>
  answer(answer: ClusterMessage['answer']): void
}

export function trackPendingRequests(wait_ms: number): PendingRequests {
  const waiting = new Map<number, (what: unknown) => void>()
  let asked = 0
  return {
    async ask(send) {
      const ask = (asked += 1)
      const { promise, resolve } = Promise.withResolvers<unknown>()
      waiting.set(ask, resolve)
      const timer = setTimeout(resolve, wait_ms, null)
      send({ ask })
      const what = await promise
      clearTimeout(timer)
      waiting.delete(ask)
      return what
    },
    answer(answer) {
      if (answer) waiting.get(answer.ask)?.(answer.what)
    },
  }
}
