/**
 * Unhandled errors: thrown in a callback of a timer or socket, emitted by an object without a
 * listener, or rejected without a handler. One request, job or delivery must not end the process
 * while others are served: the error is logged with its task, counted, and fails that task only.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Runtime } from '../runtime.ts'

interface Task {
  /** Fields that the log line of an error gets. */
  about: Record<string, unknown>
  fail(error: unknown): void
}

const tasks = new AsyncLocalStorage<Task>()

/** Runs `run`. Rejects if it fails, and also at any unhandled error of its callbacks. */
export async function runAsTask<T>(
  about: Record<string, unknown>,
  run: () => Promise<T>,
): Promise<T> {
  const failed = Promise.withResolvers<never>()
  failed.promise.catch(() => {})
  return tasks.run({ about, fail: failed.reject }, () => Promise.race([run(), failed.promise]))
}

/** Runs `start`, and calls `task.fail` for unhandled errors of the callbacks that it sets up. */
export function withTask(task: Task, start: () => void): void {
  tasks.run(task, start)
}

/** Logs and counts unhandled errors from now on, instead of ending the process. */
export function surviveUnexpectedErrors({ log, metrics }: Runtime): void {
  // Also called for unhandled rejections, with origin "unhandledRejection".
  process.on('uncaughtException', (error, origin) => {
    const task = tasks.getStore()
    metrics.unexpected_errors.inc({ origin })
    log.fatal({ ...task?.about, origin, err: error }, 'an error that nothing handled')
    task?.fail(error)
  })
}
