/** An operation as a curl command that can be pasted into a shell. */
import { asGuest } from '../../../contract/guests.ts'
import type { Operation } from '../../../contract/operation.ts'
import { isForSessions } from '../../../contract/people.ts'
import { asStream } from '../../../contract/streams.ts'
import { exampleOf } from './example.ts'
import { headersRead } from './headers.ts'

export interface CurlRequest {
  method: string
  /** The whole address, shell variables in it allowed. */
  url: string
  headers: readonly string[]
  body?: unknown
  /** The name of a file that is sent as it is. */
  file?: string
}

/** The command, one option a line. */
export function curl({ method, url, headers, body, file }: CurlRequest): string {
  const target = `curl ${method === 'GET' ? '' : `-X ${method} `}${shellWord(url)}`
  const options = headers.map((header) => `-H ${shellWord(header)}`)
  const data = body === undefined ? [] : [`-d ${singleQuoted(prettyJson(body))}`]
  const upload = file === undefined ? [] : [`--data-binary @${file}`]
  return [target, ...options, ...data, ...upload].join(' \\\n  ')
}

const tokenHeader = 'Authorization: Bearer $HOMEPORT_PUBLIC_TOKEN'
const sessionHeader = 'Cookie: $HOMEPORT_SESSION'
export const bearerHeader = 'Authorization: Bearer $HOMEPORT_KEY'

/** The command for an operation, filled with the examples of its shapes. */
export function curlOf(operation: Operation, base_url: string): string {
  const { method, scope, body } = operation
  const [media_type] = asStream(operation)?.media.takes?.types ?? []
  const required = headersRead(operation).filter((header) => header.required)
  return curl({
    method,
    url: base_url + pathOf(operation),
    headers: [
      ...(scope === null || isForSessions(operation) ? [] : [bearerHeader]),
      ...(isForSessions(operation) ? [sessionHeader] : []),
      ...(asGuest(operation) ? [tokenHeader] : []),
      ...(body ? ['Content-Type: application/json'] : []),
      ...(media_type === undefined ? [] : [`Content-Type: ${media_type}`]),
      ...required.map(({ name, example }) => `${name}: ${example}`),
    ],
    ...(body ? { body: exampleOf(body) } : {}),
    ...(media_type === undefined ? {} : { file: 'documents' }),
  })
}

function pathOf({ path, params }: Operation): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const field = params?.properties[name]
    return encodeURIComponent(String(field ? exampleOf(field, name) : name))
  })
}

export function prettyJson(value: unknown): string {
  return JSON.stringify(value, null, 2)
}

/** Double quotes where a shell variable is to be filled in, none where nothing needs them. */
function shellWord(text: string): string {
  if (text.includes('$')) return `"${text.replaceAll(/["\\`]/g, '\\$&')}"`
  return /^[\w:/.@%+=,-]+$/.test(text) ? text : singleQuoted(text)
}

/** Single quotes, left for a moment where a shell variable is to be filled in. */
function singleQuoted(text: string): string {
  const quoted = text.replaceAll("'", `'\\''`)
  return `'${quoted.replaceAll(/\$[A-Z_]+/g, `'"$&"'`)}'`
}
