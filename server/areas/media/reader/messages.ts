/** What the reader is asked, what it asks back, and what it answers. */
import type { Format } from '../words.ts'
import type { Kind } from '../store.ts'

export type Task =
  | { task: 'look'; bytes: number; filename: string }
  | { task: 'shrink'; bytes: number; width: number; format: Format }

/** A piece of a file that is written over by a text, and by zeros behind it. */
export interface Erasure {
  start: number
  end: number
  text: '' | 'free'
}

export interface Look {
  kind: Kind
  content_type: string
  width: number | null
  height: number | null
  duration_sec: number | null
  placeholder: string | null
  /** What is to be kept instead of what was sent; null: that itself. */
  kept: Uint8Array | null
  /** What is written over before it is kept, where all else stays as it was sent. */
  erasures: Erasure[]
  /** Why it cannot be used, in a sentence. */
  fault: string | null
  /** True for an executable, which is never served. */
  blocked: boolean
}

export interface Shrunk {
  bytes: Uint8Array
}

/** A piece of the file, or the end of a task. */
export type FromReader =
  | { says: 'ready' }
  | { says: 'read'; offset: number; length: number }
  | { says: 'looked'; look: Look }
  | { says: 'shrunk'; shrunk: Shrunk }
  | { says: 'fault'; fault: string }

export type ToReader = { says: 'task'; task: Task } | { says: 'piece'; piece: Uint8Array }

/** Both ends are ours, so what comes with a `says` is what it says. */
export function isFromReader(message: unknown): message is FromReader {
  return isSaid(message)
}

export function isToReader(message: unknown): message is ToReader {
  return isSaid(message)
}

function isSaid(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'says' in message
}
