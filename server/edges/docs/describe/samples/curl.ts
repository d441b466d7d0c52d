/** An operation as a curl command that can be pasted into a shell. */
import type { Operation } from '../../../../contract/operation.ts'
import { requestOf } from './sample-request.ts'

export interface CurlRequest {
  method: string
  /** May contain shell variables. */
  url: string
  headers: readonly string[]
  body?: unknown
  /** The name of a file whose bytes are the body. */
  file?: string
}

/** The command, with one option per line. */
export function curl({ method, url, headers, body, file }: CurlRequest): string {
  const target = `curl ${method === 'GET' ? '' : `-X ${method} `}${shellWord(url)}`
  const options = headers.map((header) => `-H ${shellWord(header)}`)
  const data = body === undefined ? [] : [`-d ${singleQuoted(prettyJson(body))}`]
  const upload = file === undefined ? [] : [`--data-binary @${file}`]
  return [target, ...options, ...data, ...upload].join(' \\\n  ')
}

export const bearerHeader = 'Authorization: Bearer $HOMEPORT_KEY'

/** The command for an operation, with examples as values. */
export function curlOf(operation: Operation, base_url: string): string {
  const { headers, reply: _, ...request } = requestOf(operation, base_url)
  return curl({ ...request, headers: headers.map(([name, value]) => `${name}: ${value}`) })
}

export function prettyJson(value: unknown): string {
  return JSON.stringify(value, null, 2)
}

/** In double quotes if the text contains a shell variable; unquoted if it needs no quotes. */
function shellWord(text: string): string {
  if (text.includes('$')) return `"${text.replaceAll(/["\\`]/g, '\\$&')}"`
  return /^[\w:/.@%+=,-]+$/.test(text) ? text : singleQuoted(text)
}

/** In single quotes, interrupted by double quotes around shell variables. */
function singleQuoted(text: string): string {
  const quoted = text.replaceAll("'", `'\\''`)
  return `'${quoted.replaceAll(/\$[A-Z_]+/g, `'"$&"'`)}'`
}
