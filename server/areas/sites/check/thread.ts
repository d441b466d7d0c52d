/** The thread of `check-isolated.ts`: checks the given files, posts the findings and ends. */
import { parentPort, workerData } from 'node:worker_threads'
import { checkFiles } from './check.ts'

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.postMessage(checkFiles(workerData.files, workerData.context))
