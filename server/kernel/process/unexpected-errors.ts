/**
 * Errors that nothing handles: thrown in a callback of a timer or socket, emitted by an object
 * nobody listens to, or rejected without a handler. One request, job or delivery must not end the
 * process while others are served: the error is logged with what it was part of, counted, and
 * fails that task alone.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Runtime } from '../runtime.ts'

interface Task {
  /** For the log. */
  about: Record<string, unknown>
  fail(error: unknown): void
}

const tasks = new AsyncLocalStorage<Task>()

/** Runs a task. It also rejects with any error of its own callbacks that nothing handled. */
export async function asTask<T>(about: Record<string, unknown>, run: () => Promise<T>): Promise<T> {
  const failed = Promise.withResolvers<never>()
  failed.promise.catch(() => {})
  return tasks.run({ about, fail: failed.reject }, () => Promise.race([run(), failed.promise]))
}

/** Runs `start`; `fail` is called for errors of its callbacks that nothing handled. */
export function withTask(task: Task, start: () => void): void {
  tasks.run(task, start)
}

/** From now on such errors are logged and counted instead of ending the process. */
export function surviveUnexpectedErrors({ log, metrics }: Runtime): void {
  // Also called for rejections that nothing handles, with origin "unhandledRejection".
  process.on('uncaughtException', (error, origin) => {
    const task = tasks.getStore()
    metrics.unexpected_errors.inc({ origin })
    log.fatal({ ...task?.about, origin, err: error }, 'an error that nothing handled')
    task?.fail(error)
  })
}
