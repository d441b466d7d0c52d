/**
 * JSON text that is sent unchanged. Data that a client stores "exactly as sent" must not pass
 * JSON.parse and JSON.stringify, which reorder numeric keys and rewrite numbers. In a reply,
 * `verbatim(text)` stands for the text, and `serialize` inserts it.
 */
import { randomBytes } from 'node:crypto'

// Random, so that no text of a client can match it.
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
 * A value that serializes to `text`, which must be valid JSON. Its type is the `Shape` that is
 * sent, but it has only the given `members`, for the code that sends it.
 */
export function verbatim<Shape = unknown>(text: string, members: Partial<Shape> = {}): Shape {
  return Object.assign(new Verbatim(text), members) as Shape
}

/** JSON.stringify that inserts verbatim texts. */
export function serialize(value: unknown): string {
  if (value instanceof Verbatim) return value.json
  texts = []
  const json = JSON.stringify(value)
  return texts.length === 0 ? json : json.replace(markPattern, (_, index) => texts[Number(index)]!)
}
