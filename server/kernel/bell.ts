/**
 * Wake-ups inside one process: whoever wrote due work rings, whoever waits for it looks at once
 * instead of at the next poll. Nothing depends on a ring being heard; the poll is the guarantee.
 */
export interface Bell {
  ring(topic: string): void
  /** Calls `listener` at each ring of the topic until the returned function is called. */
  listen(topic: string, listener: () => void): () => void
}

export function createBell(): Bell {
  const listeners = new Map<string, Set<() => void>>()
  return {
    ring(topic) {
      for (const listener of listeners.get(topic) ?? []) listener()
    },
    listen(topic, listener) {
      const of_topic = listeners.get(topic) ?? new Set()
      listeners.set(topic, of_topic.add(listener))
      return () => void of_topic.delete(listener)
    },
  }
}
