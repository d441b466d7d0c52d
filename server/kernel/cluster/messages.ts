/** What the processes of a cluster send each other: wake-ups, and questions with their answers. */

export interface Message {
  /** A wake-up, by its topic. */
  wake?: string
  /** Measurements are asked for, under this number. */
  ask?: number
  /** From a worker its measurements; from the primary the text of all. */
  answer?: { ask: number; what: unknown }
}

export interface Questions {
  /** Asks, and gives the answer; null when none has come in time. */
  ask(send: (message: Message) => void): Promise<unknown>
  answer(answer: Message['answer']): void
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
    answer(answer) {
      if (answer) waiting.get(answer.ask)?.(answer.what)
    },
  }
}
