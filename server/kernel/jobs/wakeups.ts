/**
 * Wake-ups: a writer of due work announces it, and listeners look for work at once instead of at
 * the next poll. Relays forward announcements to other processes. A lost wake-up only delays work
 * until the next poll.
 *
 * A topic may name its subject after a slash: `sites/019a…`. Listeners of `sites` get the subject.
 */
import assert from 'node:assert/strict'

/** Announced to wake every listener after announcements may have been missed. */
export const EVERY_TOPIC = '*'
/** Short and without line breaks, so that many fit into one message. */
const topicText = /^[\x20-\x7e]{1,70}$/

export interface Wakeups {
  /** Wakes the listeners of a topic in all processes. A topic is at most 70 ASCII characters. */
  announce(topic: string): void
  /** Wakes the topic's listeners in this process only. */
  wake(topic: string): void
  /** Calls `listener` at each announcement until the returned function is called. */
  listen(topic: string, listener: Listener): () => void
  /** Connects to other processes: `send` gets announcements of this process and of other relays. */
  relay(send: (topic: string) => void): Relay
}

/** Gets the subject of the topic; null if it names none, or announcements may have been missed. */
type Listener = (subject: string | null) => void

export interface Relay {
  /** Receives an announcement of the other side. */
  receive(topic: string): void
  close(): void
}

export function createWakeups(): Wakeups {
  const listeners = new Map<string, Set<Listener>>()
  const relays = new Set<(topic: string) => void>()
  // Copies, because a listener may add or remove listeners.
  const listenersOf = (topic: string) =>
    topic === EVERY_TOPIC
      ? [...listeners.values()].flatMap((of_topic) => [...of_topic])
      : [...(listeners.get(topic) ?? [])]
  const wake = (topic: string) => {
    const [name = '', subject = null] = topic.split('/')
    for (const listener of listenersOf(name)) listener(subject)
  }
  const announce = (topic: string, from: ((topic: string) => void) | null = null) => {
    wake(topic)
    for (const send of relays) if (send !== from) send(topic)
  }
  return {
    announce(topic) {
      assert(topicText.test(topic), `"${topic}" is no topic.`)
      announce(topic)
    },
    wake,
    listen(topic, listener) {
      const of_topic = listeners.get(topic) ?? new Set()
      listeners.set(topic, of_topic.add(listener))
      return () => {
        of_topic.delete(listener)
        // A removed set may have been replaced by a newer one.
        if (of_topic.size === 0 && listeners.get(topic) === of_topic) listeners.delete(topic)
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
