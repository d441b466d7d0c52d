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

class Verbatim {
  readonly json: string

  constructor(text: string) {
    this.json = text
  }

  toJSON(): string {
    return `${mark}${texts.push(this.json) - 1}`
  }
}

/**
 * A value that serialises to `text`, which must be valid JSON. It is typed as the `Shape` that is
 * sent, but has only the given `members`, for the code that sends it.
 */
export function verbatim<Shape = unknown>(text: string, members: Partial<Shape> = {}): Shape {
  return Object.assign(new Verbatim(text), members) as Shape
}

/** JSON.stringify that knows verbatim texts. */
export function serialize(value: unknown): string {
  if (value instanceof Verbatim) return value.json
  texts = []
  const json = JSON.stringify(value)
  return texts.length === 0 ? json : json.replace(markPattern, (_, index) => texts[Number(index)]!)
}
