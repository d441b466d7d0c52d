/**
 * Reads the text of a PDF or DOCX in a thread of its own. The thread has limits of time and memory,
 * because a document can be made to need any amount of both. One document is read at a time, and
 * projects take turns.
 */
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { limits } from '../../../../contract/limits.ts'
import { createSlots } from '../../../../kernel/limits/slots.ts'

const HEAP_MB = 192
/** Memory outside the heap too, such as decompressed parts. */
const MEMORY_BYTES_MAX = 384 * 1_048_576
const MEASURE_MS = 100

const slots = createSlots({
  name: 'documents are read',
  units: 1,
  units_each: 1,
  waiting_max: 100,
  waiting_each_max: 10,
  retry_after_s: 30,
})

const types = {
  'application/pdf': 'pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
} as const

/** The content types of documents that can be read. */
export const documentTypes: readonly string[] = Object.keys(types)

export type DocumentFormat = (typeof types)[keyof typeof types]

/** The input of the thread. */
export interface DocumentOrder {
  format: DocumentFormat
  bytes: Uint8Array
}

/** The fault is a sentence for the team. */
export type DocumentText = { text: string } | { fault: string }

const damaged = { fault: 'It cannot be read: it is damaged, or made to be unreadable.' }

export async function readDocument(
  project_id: string,
  { bytes, content_type }: { bytes: Uint8Array; content_type: string },
): Promise<DocumentText> {
  const format = Object.entries(types).find(([type]) => content_type.startsWith(type))?.[1]
  if (format === undefined) return { fault: 'It is not a PDF or DOCX file.' }
  return slots.run(project_id, () => readInThread({ format, bytes }))
}

async function readInThread(order: DocumentOrder): Promise<DocumentText> {
  const worker = new Worker(join(import.meta.dirname, 'thread.ts'), {
    workerData: order,
    env: {},
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB, maxYoungGenerationSizeMb: 32 },
  })
  const ended = Promise.withResolvers<DocumentText>()
  const { document_read_s_max } = limits
  const timer = setTimeout(() => {
    ended.resolve({ fault: `Reading it took longer than ${document_read_s_max} seconds.` })
  }, document_read_s_max * 1000)
  const measuring = setInterval(() => {
    isWithinMemory(worker).then(
      (is_within) => is_within || ended.resolve({ fault: 'It needs too much memory to be read.' }),
      () => {},
    )
  }, MEASURE_MS)
  worker.once('message', (text: DocumentText) => ended.resolve(text))
  worker.once('error', () => ended.resolve(damaged))
  worker.once('exit', () => ended.resolve(damaged))
  try {
    return await ended.promise
  } finally {
    clearTimeout(timer)
    clearInterval(measuring)
    await worker.terminate()
  }
}

async function isWithinMemory(worker: Worker): Promise<boolean> {
  const { used_heap_size, external_memory, malloced_memory } = await worker.getHeapStatistics()
  return used_heap_size + external_memory + malloced_memory < MEMORY_BYTES_MAX
}
