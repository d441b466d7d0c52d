/**
 * A streaming XML parser for workbooks: elements, attributes and text. Refuses document types, so
 * only predefined and numeric entities exist and no entity can expand.
 */
export type XmlEvent =
  | { kind: 'open'; name: string; attributes: Readonly<Record<string, string>> }
  | { kind: 'close'; name: string }
  | { kind: 'text'; text: string }

export class XmlFault extends Error {
  override readonly name = 'XmlFault'
}

/** More than the longest cell with every character escaped. */
const PIECE_CHARACTERS_MAX = 524_288
/**
 * Limit for a tag, comment or CDATA section; more than a cell, or the cell list of a conditional
 * format.
 */
const MARKUP_CHARACTERS_MAX = 131_072
const DEPTH_MAX = 100
const ATTRIBUTES_MAX = 100

/** Yields the events of each chunk as an array. */
export async function* readXml(pieces: AsyncIterable<string>): AsyncGenerator<XmlEvent[]> {
  let rest = ''
  const open: string[] = []
  for await (const piece of pieces) {
    const text = rest + piece
    const { events, end } = scan(text, open)
    rest = text.slice(end)
    if (rest.length > PIECE_CHARACTERS_MAX) throw new XmlFault('A part of it has no end.')
    yield events
  }
  if (rest.trim() !== '' || open.length > 0) throw new XmlFault('It ends in the middle.')
}

/** Returns the complete events of a text and where the rest begins. Updates the open elements. */
function scan(text: string, open: string[]): { events: XmlEvent[]; end: number } {
  const events: XmlEvent[] = []
  let at = 0
  for (;;) {
    const start = text.indexOf('<', at)
    if (start === -1) return { events, end: at }
    const end = endOfMarkup(text, start)
    if ((end === -1 ? text.length : end) - start > MARKUP_CHARACTERS_MAX)
      throw new XmlFault('A part of it has no end.')
    if (end === -1) return { events, end: at }
    if (start > at) events.push({ kind: 'text', text: decode(text.slice(at, start)) })
    for (const event of markup(text.slice(start, end))) {
      nest(event, open)
      events.push(event)
    }
    at = end
  }
}

/** Every end tag must match the element that is open: consumers rely on the depth being bounded. */
function nest(event: XmlEvent, open: string[]): void {
  if (event.kind === 'open') open.push(event.name)
  if (event.kind === 'close' && open.pop() !== event.name)
    throw new XmlFault('It has an end tag without its element.')
  if (open.length > DEPTH_MAX) throw new XmlFault('It is nested too deep.')
}

/** Returns the end of the markup that starts at `start`; -1 if it is incomplete. */
function endOfMarkup(text: string, start: number): number {
  for (const [begin, end] of brackets) {
    if (text.startsWith(begin, start)) return after(text, end, start + begin.length)
    // An incomplete `<!-` may become a comment.
    if (begin.startsWith(text.slice(start))) return -1
  }
  for (let at = start + 1; at < text.length; at += 1) {
    const sign = text[at]!
    if (sign === '>') return at + 1
    if (sign !== '"' && sign !== "'") continue
    at = text.indexOf(sign, at + 1)
    if (at === -1) return -1
  }
  return -1
}

const brackets = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const

function after(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from)
  return at === -1 ? -1 : at + mark.length
}

function markup(text: string): XmlEvent[] {
  if (text.startsWith('<!--') || text.startsWith('<?')) return []
  if (text.startsWith('<![CDATA[')) return [{ kind: 'text', text: text.slice(9, -3) }]
  if (text.startsWith('<!')) throw new XmlFault('It has a document type, which is not read.')
  if (text.startsWith('</')) return [{ kind: 'close', name: localName(text.slice(2, -1).trim()) }]
  const [, full] = /^<([^\s/>]+)/.exec(text) ?? []
  if (full === undefined) throw new XmlFault('It is not XML.')
  const name = localName(full)
  const open: XmlEvent = { kind: 'open', name, attributes: attributesOf(text) }
  return text.endsWith('/>') ? [open, { kind: 'close', name }] : [open]
}

function attributesOf(text: string): Record<string, string> {
  const found = text.matchAll(/\s([^\s=/>]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g)
  const attributes: [string, string][] = []
  for (const [, name = '', double, single] of found) {
    if (attributes.length === ATTRIBUTES_MAX)
      throw new XmlFault(`An element has more than ${ATTRIBUTES_MAX} attributes.`)
    attributes.push([name, decode(double ?? single ?? '')])
  }
  return Object.fromEntries(attributes)
}

/** Removes the namespace prefix; workbooks use one vocabulary. */
function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
}

function decode(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(/&(#x[\da-fA-F]{1,6}|#\d{1,7}|\w{1,10});/g, (_, name: string) => {
    const code = name.startsWith('#x') ? parseInt(name.slice(2), 16) : Number(name.slice(1))
    if (name.startsWith('#') && code <= 0x10ffff) return String.fromCodePoint(code)
    const sign = Object.hasOwn(entities, name) ? entities[name] : undefined
    if (sign === undefined) throw new XmlFault('It has an entity that is not known.')
    return sign
  })
}
