/** What the processes of a cluster tell each other: wake-ups, and questions with their answers. */

export interface Message {
  /** A wake-up, by its topic. */
  wake?: string
  /** Measurements are asked for, under this number. */
  ask?: number
  /** Of a hand its measurements, of the leader the text of everybody's. */
  told?: { ask: number; what: unknown }
}

export interface Questions {
  /** Asks, and gives the answer; null when none has come in time. */
  ask(send: (message: Message) => void): Promise<unknown>
  answer(told: Message['told']): void
}

export function createQuestions(wait_ms: number): Questions {
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
    answer(told) {
      if (told) waiting.get(told.ask)?.(told.what)
    },
  }
}
