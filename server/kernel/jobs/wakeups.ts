/**
 * Wake-ups: whoever wrote due work announces it, and whoever waits for it looks at once instead of
 * at the next poll. Relays pass announcements on to other processes. Nothing depends on a wake-up
 * being heard; the poll is the guarantee.
 */
export interface Wakeups {
  /** Wakes the listeners of a topic in all processes. */
  announce(topic: string): void
  /** Wakes them in this process alone. */
  wake(topic: string): void
  /** The same for every topic, where it is not known which announcements were missed. */
  wakeAll(): void
  /** Calls `listener` at each announcement until the returned function is called. */
  listen(topic: string, listener: () => void): () => void
  /** Adds a way to other processes: `send` gets what is announced here or by another relay. */
  relay(send: (topic: string) => void): Relay
}

export interface Relay {
  /** Takes an announcement from the other side. */
  receive(topic: string): void
  close(): void
}

export function createWakeups(): Wakeups {
  const listeners = new Map<string, Set<() => void>>()
  const relays = new Set<(topic: string) => void>()
  const wake = (topic: string) => {
    for (const listener of listeners.get(topic) ?? []) listener()
  }
  const announce = (topic: string, from: ((topic: string) => void) | null = null) => {
    wake(topic)
    for (const send of relays) if (send !== from) send(topic)
  }
  return {
    announce: (topic) => announce(topic),
    wake,
    wakeAll() {
      const all = [...listeners.values()].flatMap((of_topic) => [...of_topic])
      for (const listener of all) listener()
    },
    listen(topic, listener) {
      const of_topic = listeners.get(topic) ?? new Set()
      listeners.set(topic, of_topic.add(listener))
      return () => {
        of_topic.delete(listener)
        if (of_topic.size === 0) listeners.delete(topic)
      }
    },
    relay(send) {
      relays.add(send)
      return {
        receive: (topic) => announce(topic, send),
        close: () => void relays.delete(send),
      }
    },
  }
}
