/** The thread of `strip-types.ts`: removes types, posts the modules or the first fault, and ends. */
import { stripTypeScriptTypes } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import type { Module } from '../schema.ts'
import { isTypeScript, type Stripped } from './strip-types.ts'

function strip(modules: readonly Module[]): Stripped {
  const stripped: Module[] = []
  for (const { path, text } of modules) {
    try {
      stripped.push({ path, text: isTypeScript(path) ? stripTypeScriptTypes(text) : text })
    } catch (error) {
      return faultOf(path, error)
    }
  }
  return { modules: stripped }
}

/** Node writes the line at the top of the stack: `:3`. */
function faultOf(path: string, error: unknown): Stripped {
  if (!(error instanceof Error)) return { path, fault: String(error) }
  const [, line] = /^[^\n]*:(\d+)\n/.exec(error.stack ?? '') ?? []
  return { path: line === undefined ? path : `${path}:${line}`, fault: error.message }
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.postMessage(strip(workerData))
