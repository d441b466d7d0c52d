/** An operation as a curl command that can be pasted into a shell. */
import type { Operation } from '../../../contract/operation.ts'
import { createSampleRequest } from './sample-request.ts'

export interface CurlRequest {
  method: string
  /** The URL, which may contain shell variables. */
  url: string
  headers: readonly string[]
  body?: unknown
  /** The name of a file whose bytes are the body. */
  file?: string
}

/** Returns the command, with one option per line. */
export function writeCurl({ method, url, headers, body, file }: CurlRequest): string {
  const target = `curl ${method === 'GET' ? '' : `-X ${method} `}${shellWord(url)}`
  const options = headers.map((header) => `-H ${shellWord(header)}`)
  const data = body === undefined ? [] : [`-d ${singleQuoted(formatJson(body))}`]
  const upload = file === undefined ? [] : [`--data-binary @${file}`]
  return [target, ...options, ...data, ...upload].join(' \\\n  ')
}

export const bearerHeader = 'Authorization: Bearer $HOMEPORT_KEY'

/** Returns the command for an operation, with examples as values. */
export function writeCurlFor(operation: Operation, base_url: string): string {
  const { headers, reply: _, ...request } = createSampleRequest(operation, base_url)
  return writeCurl({ ...request, headers: headers.map(([name, value]) => `${name}: ${value}`) })
}

export function formatJson(value: unknown): string {
  return JSON.stringify(value, null, 2)
}

/**
 * Quotes a word for a shell: in double quotes if it contains a shell variable; unquoted if it needs
 * no quotes.
 */
function shellWord(text: string): string {
  if (text.includes('$')) return `"${text.replaceAll(/["\\`]/g, '\\$&')}"`
  return /^[\w:/.@%+=,-]+$/.test(text) ? text : singleQuoted(text)
}

/** Quotes text in single quotes, interrupted by double quotes around shell variables. */
function singleQuoted(text: string): string {
  const quoted = text.replaceAll("'", `'\\''`)
  return `'${quoted.replaceAll(/\$[A-Z_]+/g, `'"$&"'`)}'`
}
