/** Reads Server-Sent Events from the body of a reply. */
import { Fault } from './api.js'

const parse = (block) => {
  let event = ''
  let data = ''
  for (const line of block.split('\n')) {
    if (line.startsWith('event: ')) event = line.slice(7)
    if (line.startsWith('data: ')) data += line.slice(6)
  }
  return event && { event, data: JSON.parse(data) }
}

/** Throws the Fault `network` if the connection ends early. */
export async function* readEvents({ body }) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new Fault('network')
    })
    if (done) return
    text += value
    const blocks = text.split('\n\n')
    text = blocks.pop()
    for (const block of blocks) {
      const event = parse(block)
      if (event) yield event
    }
  }
}
