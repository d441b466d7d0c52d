/** An operation as a curl command that can be pasted into a shell. */
import type { Operation } from '../../../contract/operation.ts'
import { requestOf } from './sample-request.ts'

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

export const bearerHeader = 'Authorization: Bearer $HOMEPORT_KEY'

/** The command for an operation, filled with the examples of its shapes. */
export function curlOf(operation: Operation, base_url: string): string {
  const { headers, reply: _, ...request } = requestOf(operation, base_url)
  return curl({ ...request, headers: headers.map(([name, value]) => `${name}: ${value}`) })
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
