/**
 * The form of a reply to a message: JSON, or an event stream. The SDK serves only clients that take
 * both, as MCP requires; many take one.
 */

/** `neither`: the SDK refuses the request. */
export type ReplyForm = 'both' | 'json' | 'stream' | 'neither'

const JSON_TYPE = 'application/json'
const STREAM_TYPE = 'text/event-stream'

/** Clients that take anything get JSON. */
export function readReplyForm(accept: string | undefined): ReplyForm {
  if (accept === undefined) return 'json'
  const types = accept
    .toLowerCase()
    .split(',')
    .filter((range) => !/;\s*q=0(?:\.0*)?\s*(?:;|$)/.test(range))
    .map((range) => range.split(';')[0]!.trim())
  const streams = types.includes(STREAM_TYPE)
  const is_json = ['*/*', 'application/*', JSON_TYPE].some((type) => types.includes(type))
  if (is_json) return streams ? 'both' : 'json'
  return streams || types.includes('text/*') ? 'stream' : 'neither'
}

/** The header Accept that the SDK requires. */
export const acceptedBySdk = `${JSON_TYPE}, ${STREAM_TYPE}`

/** Converts the reply of the SDK; a reply without a message stays as it is. */
export async function inForm(response: Response, form: ReplyForm): Promise<Response> {
  const type = response.headers.get('content-type') ?? ''
  if (form === 'json' && type.startsWith(STREAM_TYPE)) {
    const message = lastMessage(await response.text())
    return message === null ? response : converted(response, { type: JSON_TYPE, text: message })
  }
  if (form !== 'stream' || !response.ok || !type.startsWith(JSON_TYPE)) return response
  const text = `event: message\ndata: ${await response.text()}\n\n`
  return converted(response, { type: STREAM_TYPE, text })
}

function converted(response: Response, { type, text }: { type: string; text: string }): Response {
  const headers = new Headers(response.headers)
  headers.set('content-type', type)
  return new Response(text, { status: response.status, headers })
}

/** The reply is the last message of its stream, after any notifications. */
function lastMessage(stream: string): string | null {
  const found = [...stream.matchAll(/^data: (.+)$/gm)].at(-1)
  return found?.[1] ?? null
}
