/** The messages between the server process and the reader process. */
import type { PictureFormat } from '../words.ts'
import type { MediaKind } from '../store.ts'

export type ReaderTask =
  | { task: 'look'; bytes: number; filename: string }
  | { task: 'shrink'; bytes: number; width: number; format: PictureFormat }

/** A range of a file to overwrite: first with a text, then with zeros. */
export interface Erasure {
  start: number
  end: number
  text: '' | 'free'
}

export interface FileInspection {
  kind: MediaKind
  content_type: string
  width: number | null
  height: number | null
  duration_sec: number | null
  placeholder: string | null
  /** Bytes to store instead of the uploaded ones; null keeps those. */
  kept: Uint8Array | null
  /** Ranges to overwrite before the file is stored; all other bytes stay as uploaded. */
  erasures: Erasure[]
  /** Why a picture that is kept as it was sent has no copies, as sentences. */
  copies_fault: string | null
  /** Why the file cannot be used, as a sentence. */
  fault: string | null
  /** True for an executable, which is never served. */
  blocked: boolean
}

export interface ShrunkImage {
  bytes: Uint8Array
}

/** A request for a range of the file, or the result of a task. */
export type FromReader =
  | { type: 'ready' }
  | { type: 'read'; offset: number; length: number }
  | { type: 'looked'; look: FileInspection }
  | { type: 'shrunk'; shrunk: ShrunkImage }
  | { type: 'fault'; fault: string }

export type ToReader = { type: 'task'; task: ReaderTask } | { type: 'piece'; piece: Uint8Array }

/** Checks only for `type`, because both processes run this program. */
export function isFromReader(message: unknown): message is FromReader {
  return hasType(message)
}

export function isToReader(message: unknown): message is ToReader {
  return hasType(message)
}

function hasType(message: unknown): boolean {
  return typeof message === 'object' && message !== null && 'type' in message
}
