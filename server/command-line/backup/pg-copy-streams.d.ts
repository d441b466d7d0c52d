/** The part of pg-copy-streams that backup and restore use; the package brings no types. */
declare module 'pg-copy-streams' {
  import type { Readable, Writable } from 'node:stream'
  import type { Submittable } from 'pg'

  /** The rows of `copy … to stdout`, in chunks that end anywhere. */
  export function to(text: string): Readable & Submittable
  /** Takes the rows of `copy … from stdin`; finished when PostgreSQL has them all. */
  export function from(text: string): Writable & Submittable
}
