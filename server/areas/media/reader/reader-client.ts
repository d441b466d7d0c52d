/**
 * Sends tasks to the reader process, which starts on demand and stops when idle. It runs one task
 * at a time, with a deadline. A reader that exceeds the deadline or its memory, or crashes, is killed,
 * and the next task starts a new one.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { limits } from '../../../contract/limits.ts'
import { readResidentBytes } from '../../../kernel/process/resident-bytes.ts'
import { createSlots } from '../../../kernel/limits/slots.ts'
import type { PictureFormat } from '../words.ts'
import {
  isFromReader,
  type FromReader,
  type FileInspection,
  type ShrunkImage,
  type ReaderTask,
  type ToReader,
} from './messages.ts'

const program = join(import.meta.dirname, 'process.ts')
const HEAP_MB = 256
/** Memory of the whole process: most of a picture is outside of the heap. */
const MEMORY_BYTES_MAX = 700 * 1_048_576
const MEMORY_LOOK_MS = 100
const IDLE_MS = 30_000
/** A start takes less than a second on an idle machine. */
const START_MS = 20_000
const slots = createSlots({
  name: 'pictures and recordings are read',
  units: 1,
  units_each: 1,
  waiting_max: 200,
  waiting_each_max: 60,
  retry_after_s: 30,
})

/** A file that is read in ranges. */
export interface FileSourceInRanges {
  /** The owner of the file. Projects take turns. */
  project_id: string
  bytes: number
  read(range: { start: number; end: number }): Promise<Uint8Array>
}

/** The reason why a file cannot be used, as a sentence for the uploader. */
export interface MediaFault {
  fault: string
}

const timeoutFault = { fault: `Reading it took longer than ${limits.media_read_s_max} seconds.` }
const memoryFault = { fault: 'Reading it needs too much memory. Save it with fewer pixels.' }
const damagedFault = { fault: 'It cannot be read: it is damaged, or made to be unreadable.' }

let reader: ChildProcess | null = null
let idleTimer: NodeJS.Timeout | undefined

export async function inspectFile(
  source: FileSourceInRanges,
  filename: string,
): Promise<FileInspection | MediaFault> {
  const answer = await request(source, { task: 'look', bytes: source.bytes, filename })
  if (answer.type === 'looked') return answer.look
  return answer.type === 'fault' ? answer : damagedFault
}

export async function shrinkFile(
  source: FileSourceInRanges,
  copy: { width: number; format: PictureFormat },
): Promise<ShrunkImage | MediaFault> {
  const answer = await request(source, { task: 'shrink', bytes: source.bytes, ...copy })
  if (answer.type === 'shrunk') return answer.shrunk
  return answer.type === 'fault' ? answer : damagedFault
}

function request(source: FileSourceInRanges, task: ReaderTask): Promise<FromReader> {
  return slots.run(source.project_id, () => runTask(source, task))
}

async function runTask(source: FileSourceInRanges, task: ReaderTask): Promise<FromReader> {
  clearTimeout(idleTimer)
  const child = reader?.connected ? reader : await startReader()
  reader = child
  child.ref()
  child.channel?.ref()
  const reply = Promise.withResolvers<FromReader>()
  const onMessage = (message: unknown) => {
    if (!isFromReader(message)) return
    if (message.type !== 'read') return reply.resolve(message)
    const { offset, length } = message
    const range = { start: offset, end: Math.min(offset + length, source.bytes) - 1 }
    const piece = range.end < range.start ? empty : source.read(range)
    Promise.resolve(piece).then(
      (bytes) => send(child, { type: 'piece', piece: bytes }),
      reply.reject,
    )
  }
  // Both faults end the reader process.
  const fail = (fault: MediaFault) => {
    killReader(child)
    reply.resolve({ type: 'fault', ...fault })
  }
  const onExit = () => fail(damagedFault)
  const timer = setTimeout(() => fail(timeoutFault), limits.media_read_s_max * 1000)
  const memoryWatch = setInterval(() => {
    if (readResidentBytes(child.pid) > MEMORY_BYTES_MAX) fail(memoryFault)
  }, MEMORY_LOOK_MS)
  child.on('message', onMessage).once('exit', onExit)
  send(child, { type: 'task', task })
  try {
    return await reply.promise
  } catch (error) {
    killReader(child)
    throw error
  } finally {
    clearTimeout(timer)
    clearInterval(memoryWatch)
    child.off('message', onMessage).off('exit', onExit)
    // What the allocator keeps would count against the next picture.
    if (readResidentBytes(child.pid) > MEMORY_BYTES_MAX / 2) killReader(child)
    else markIdle(child)
  }
}

/** Unreferences an idle child process, so that it does not keep this process alive. */
function markIdle(child: ChildProcess): void {
  child.unref()
  child.channel?.unref()
  if (reader === child) idleTimer = setTimeout(() => killReader(child), IDLE_MS).unref()
}

const empty = new Uint8Array()

function send(child: ChildProcess, message: ToReader): void {
  // A child that just exited is detected by its exit event.
  if (child.connected) child.send(message, () => {})
}

/**
 * Starts the reader program with an empty environment, so that it has no settings. Throws if it
 * does not start in time, because it holds the only slot meanwhile.
 */
async function startReader(): Promise<ChildProcess> {
  const child = fork(program, [], {
    env: { MALLOC_ARENA_MAX: '2' },
    execArgv: [`--max-old-space-size=${HEAP_MB}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const started = Promise.withResolvers<void>()
  const late = () => started.reject(new Error(`The reader did not start in ${START_MS} ms.`))
  const timer = setTimeout(late, START_MS)
  child.once('message', () => started.resolve())
  child.once('error', started.reject)
  child.once('exit', (code) => started.reject(new Error(`The reader ended at once (${code}).`)))
  try {
    await started.promise
  } catch (error) {
    killReader(child)
    throw error
  } finally {
    clearTimeout(timer)
  }
  return child
}

function killReader(child: ChildProcess): void {
  if (reader === child) reader = null
  child.kill('SIGKILL')
}
