/**
 * Whether npm, which started this process, is alive. npm forwards SIGINT and SIGTERM, but after a
 * SIGKILL of npm its child would continue and keep the data folder.
 */
import { npmScript } from '../config/config.ts'

const LOOK_MS = 1_000

/**
 * Calls `ended` once if this process is the npm script that runs `file` and its parent ends. A
 * process that was started differently may outlive its parent, as services do.
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
