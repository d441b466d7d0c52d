/**
 * The MCP call beside each curl command of a guide, derived from the command and the declaration of its
 * operation. A block of several commands, and one that sends a file or names a guest's or person's route, has none.
 */
import { runsWithArguments } from '../../../contract/operations/streams.ts'
import type { Operation } from '../../../contract/operation.ts'
import { hasNamedFields } from '../../describe/json-schema.ts'
import { formatJson } from '../../describe/samples/curl.ts'
import type { DocsSite } from '../site.ts'

/** The language and title of a block with an MCP call. */
export const MCP_BLOCK_INFO = 'json MCP'

const MCP_FENCE = `\`\`\`${MCP_BLOCK_INFO}`
const LINE_CHARACTERS = 100
/** Variables that a command begins with; the call has their names. */
const SETTINGS = /^(?:export \w{1,40}=[^\n]{0,200}\n){0,5}/

/** Adds the MCP call after each block that is one curl command. */
export function addMcpCalls(markdown: string, site: DocsSite): string {
  const parts = splitBlocks(markdown).map((part) => {
    if (!part.startsWith('```bash')) return part
    const call = toMcpCall(part.split('\n').slice(1, -1).join('\n'), site)
    return call === null ? part : `${part}\n\n${MCP_FENCE}\n${call}\n\`\`\``
  })
  return parts.join('\n')
}

/** Removes each curl command that has an MCP call beside it, and the line breaks of the calls. */
export function onlyMcpCalls(markdown: string): string {
  const parts = splitBlocks(markdown)
  const isReplaced = (part: string, at: number) =>
    part.startsWith('```bash') && parts[at + 1] === '' && parts[at + 2]?.startsWith(MCP_FENCE)
  const kept = parts.filter((part, at) => !isReplaced(part, at))
  return kept.map((part) => (part.startsWith(MCP_FENCE) ? inOneLine(part) : part)).join('\n')
}

function inOneLine(block: string): string {
  const [first, ...lines] = block.split('\n')
  return [first, JSON.stringify(JSON.parse(lines.slice(0, -1).join('\n'))), '```'].join('\n')
}

/** Splits Markdown into fenced blocks and the lines between them. */
function splitBlocks(markdown: string): string[] {
  const parts: string[] = []
  let block: string[] | null = null
  for (const line of markdown.split('\n')) {
    const isFence = line.startsWith('```')
    if (block) block.push(line)
    else if (isFence) block = [line]
    else parts.push(line)
    if (block && isFence && block.length > 1) {
      parts.push(block.join('\n'))
      block = null
    }
  }
  return block ? [...parts, ...block] : parts
}

function toMcpCall(code: string, { operations, base_url }: DocsSite): string | null {
  const words = splitShellWords(code.replace(SETTINGS, '').replaceAll('\\\n', ' '))
  const curls = words.filter((word) => word === 'curl')
  if (words[0] !== 'curl' || curls.length !== 1) return null
  const request = readCurl(words.slice(1))
  if (!request?.url.startsWith(`${base_url}/`)) return null
  const url = new URL(request.url)
  const path = url.pathname.slice(new URL(base_url).pathname.length)
  const found = findOperation(operations, request.method, path)
  if (!found || !runsWithArguments(found.operation)) return null
  const { operation, params } = found
  const given = {
    ...params,
    ...typed(operation, [...url.searchParams, ...request.query]),
    ...bodyArguments(operation, request.data),
    ...(operation.headers?.idempotency_key === 'required' && { idempotency_key: 'a-new-one' }),
  }
  const runner = operation.effect === 'read' ? 'run_read_operation' : 'run_write_operation'
  const asked = { operation: operation.name, arguments: given }
  const line = JSON.stringify({ [runner]: asked })
  return line.length > LINE_CHARACTERS ? formatJson({ [runner]: asked }) : line
}

/** Query parameters as the schema has them: numbers and booleans are no texts. */
function typed({ query }: Operation, given: readonly (readonly [string, string])[]): object {
  const isText = (name: string) => {
    const { type } = Object(query?.properties[name])
    return type !== 'integer' && type !== 'number' && type !== 'boolean'
  }
  return Object.fromEntries(
    given.map(([name, value]) => [name, isText(name) ? value : JSON.parse(value)]),
  )
}

interface CurlRequest {
  method: string
  url: string
  query: [string, string][]
  data: unknown
}

/** Reads one option of curl from the words after it; false if an MCP call cannot have it. */
const options: Readonly<Record<string, (request: CurlRequest, value: string) => boolean>> = {
  '-X': (request, value) => ((request.method = value), true),
  '-H': () => true,
  '-d': (request, value) => (request.data = parseJson(value)) !== undefined,
  '--data-urlencode': (request, value) => {
    const [name = '', ...rest] = value.split('=')
    return request.query.push([name, rest.join('=')]) > 0
  },
}

/** Null for options that an MCP call cannot have. */
function readCurl(words: readonly string[]): CurlRequest | null {
  const request: CurlRequest = { method: '', url: '', query: [], data: undefined }
  const rest = [...words]
  while (rest.length > 0) {
    const word = rest.shift() ?? ''
    const option = options[word]
    if (option) {
      if (!option(request, rest.shift() ?? '')) return null
    } else if (/^https?:/.test(word)) request.url = word
    else if (!/^-[sSNGf]+$/.test(word)) return null
  }
  const method = request.method || (request.data === undefined ? 'GET' : 'POST')
  return { ...request, method }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function findOperation(operations: readonly Operation[], method: string, path: string) {
  const asked = path.split('/')
  for (const operation of operations) {
    const declared = operation.path.split('/')
    const fits =
      operation.method === method &&
      declared.length === asked.length &&
      declared.every((part, at) => part.startsWith('{') || part === asked[at])
    if (!fits) continue
    const params = declared.flatMap((part, at) =>
      part.startsWith('{') ? [[part.slice(1, -1), decodeURIComponent(asked[at] ?? '')]] : [],
    )
    return { operation, params: Object.fromEntries(params) }
  }
  return null
}

function bodyArguments({ body }: Operation, data: unknown): object {
  if (data === undefined || !body) return {}
  return hasNamedFields(body) ? Object(data) : { body: data }
}

/** Splits a command into words, with single and double quotes and without expansion. */
function splitShellWords(command: string): string[] {
  const found = command.matchAll(/(?:'([^']*)'|"([^"]*)"|([^\s'"]+))(?=\s|$)/g)
  return [...found].map(([, single, double, plain]) => single ?? double ?? plain ?? '')
}
