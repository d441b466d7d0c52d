/** Overwrites ranges of a file while it is copied, so that no file has to fit into memory. */
import type { Erasure } from '../reader/messages.ts'

/** Yields the source with the given ranges overwritten. */
export async function* eraseRanges(
  source: AsyncIterable<Uint8Array>,
  erasures: readonly Erasure[],
): AsyncGenerator<Uint8Array> {
  let at = 0
  for await (const chunk of source) {
    const here = erasures.filter(({ start, end }) => start < at + chunk.length && end > at)
    yield here.length === 0 ? chunk : without(chunk, at, here)
    at += chunk.length
  }
}

function without(chunk: Uint8Array, at: number, erasures: readonly Erasure[]): Uint8Array {
  const copy = Buffer.from(chunk)
  for (const { start, end, text } of erasures) {
    const from = Math.max(start, at)
    const bytes = Buffer.alloc(Math.min(end, at + chunk.length) - from)
    bytes.write(text.slice(from - start), 'latin1')
    bytes.copy(copy, from - at)
  }
  return copy
}
