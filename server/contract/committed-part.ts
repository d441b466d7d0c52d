/**
 * The part of an operation that was committed before the operation failed, such as the first batches of
 * an import whose upload was interrupted. It is recorded like a reply.
 */
const parts = new WeakMap<WeakKey, unknown>()

/** Returns the error, with the report of what was committed before it. */
export function withCommittedPart(error: unknown, report: unknown): unknown {
  if (typeof error === 'object' && error !== null) parts.set(error, report)
  return error
}

/** undefined: the operation committed nothing before it failed, as far as it says. */
export function committedPartOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null ? parts.get(error) : undefined
}
