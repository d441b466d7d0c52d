/**
 * Whether npm, which started this process, is still there. npm passes SIGINT and SIGTERM on, but
 * when it is killed itself, what it started would go on and keep the data folder.
 */
import { npmScript } from '../config/config.ts'

const LOOK_MS = 1_000

/**
 * Calls `ended` once if this process is the npm script that runs `file` and its parent ends.
 * Started any other way it may outlive its parent, as services do.
 */
export function onParentEnd(file: string, ended: () => void): void {
  if (!npmScript().includes(file)) return
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    ended()
  }, LOOK_MS)
  timer.unref()
}
