/** Types for the part of pg-copy-streams in use; the package has none. */
declare module 'pg-copy-streams' {
  import type { Readable, Writable } from 'node:stream'
  import type { Submittable } from 'pg'

  /** The rows of `copy … to stdout`, in chunks of any size. */
  export function to(text: string): Readable & Submittable
  /** Accepts the rows of `copy … from stdin`; finishes after PostgreSQL has received all. */
  export function from(text: string): Writable & Submittable
}
