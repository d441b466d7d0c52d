/** Types for the part of tar-stream in use; the package has none. */
declare module 'tar-stream' {
  import type { Readable, Writable } from 'node:stream'

  export interface Pack extends Readable {
    /** Throws if the stream is destroyed. */
    entry(header: { name: string; size: number; mtime?: Date }): Writable
    /** The content gives the size. */
    entry(header: { name: string }, content: string | Buffer): void
    finalize(): void
    readonly destroying: boolean
  }

  export interface Entry extends Readable {
    header: { name: string; size: number; type: string }
  }

  export type Extract = Writable & AsyncIterable<Entry>

  export function pack(): Pack
  /** Each entry must be read before the next. */
  export function extract(): Extract
}
