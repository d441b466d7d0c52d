/**
 * A queue for each key, within this process: tasks of one key run one after the other, in the order
 * in which they were given, whether or not those before them failed. Tasks of different keys run
 * side by side. Tasks that would wait for a database lock wait here without holding a connection.
 */
export interface KeyedQueue {
  /** Settles as `task` does. */
  run<T>(key: string, task: () => Promise<T>): Promise<T>
  /** Whether a task with this key is running or queued. */
  has(key: string): boolean
}

export function createKeyedQueue(): KeyedQueue {
  const last = new Map<string, Promise<void>>()
  return {
    has: (key) => last.has(key),
    run(key, task) {
      const result = (last.get(key) ?? Promise.resolve()).then(() => task())
      const settled = result.then(forget, forget)
      last.set(key, settled)
      function forget(): void {
        if (last.get(key) === settled) last.delete(key)
      }
      return result
    },
  }
}
