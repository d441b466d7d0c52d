/**
 * An in-process queue per key: tasks of one key run in order, one at a time, even after a failure.
 * Tasks of different keys run concurrently. Tasks that would wait for the same database lock wait here
 * instead, without holding a connection.
 */
export interface KeyedQueue {
  /** Settles like `task`. */
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
