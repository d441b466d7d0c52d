/**
 * JSON text that leaves as it came. What a client stores "exactly as sent" must not go through
 * JSON.parse and back: that reorders keys that look like numbers and rewrites numbers. Inside a
 * reply, `verbatim(text)` stands for its text, and `serialize` puts it in place.
 */
import { randomBytes } from 'node:crypto'

// Unguessable, so that no text of a client can pass for one of ours.
const mark = `verbatim-${randomBytes(16).toString('hex')}-`
const markPattern = new RegExp(`"${mark}(\\d+)"`, 'g')
let texts: string[] = []

/** A value that serialises to `text`, which must be valid JSON. */
export function verbatim(text: string): unknown {
  return { toJSON: () => `${mark}${texts.push(text) - 1}` }
}

/** JSON.stringify that knows verbatim texts. */
export function serialize(value: unknown): string {
  texts = []
  const json = JSON.stringify(value)
  return texts.length === 0 ? json : json.replace(markPattern, (_, index) => texts[Number(index)]!)
}
