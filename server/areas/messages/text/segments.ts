/** Counts the segments of a text message as carriers do. */
import { countSeptets, isGsm7 } from './gsm7.ts'

export type Encoding = 'gsm7' | 'ucs2'

export interface Segmented {
  encoding: Encoding
  segments: number
  /** Septets, or UTF-16 units. */
  units: number
  /** Units that the last segment still has room for. */
  units_left: number
}

/** Units of a message of one segment, and of each segment of a longer one. */
const sizes = { gsm7: { single: 160, part: 153 }, ucs2: { single: 70, part: 67 } } as const

export function segmentText(text: string): Segmented {
  const encoding = isGsm7(text) ? 'gsm7' : 'ucs2'
  const { single, part } = sizes[encoding]
  const sizeOf = (letter: string) =>
    encoding === 'gsm7' ? (countSeptets(letter) ?? 0) : letter.length
  let units = 0
  for (const letter of text) units += sizeOf(letter)
  if (units <= single) return { encoding, segments: 1, units, units_left: single - units }
  let segments = 1
  let used = 0
  // A character is never split between two segments.
  for (const letter of text) {
    const size = sizeOf(letter)
    if (used + size > part) {
      segments += 1
      used = 0
    }
    used += size
  }
  return { encoding, segments, units, units_left: part - used }
}
