/**
 * Parses a request into the input of an operation. Errors have a fixed order: media type and JSON
 * (400), headers and query (400), id in the path (404), schema of the body (422).
 */
import { isUtf8 } from 'node:buffer'
import type { FastifyRequest } from 'fastify'
import { enforcedSchema } from '../../contract/operations/checked-by-service.ts'
import { Problem } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { AnyInput, Input, Operation } from '../../contract/operation.ts'
import {
  parseJson,
  parseJsonInSlices,
  type JsonOptions,
  type JsonResult,
} from '../../kernel/values/json.ts'
import { pruneExcess } from './bodies/excess.ts'
import { createIdLowerCaser } from './lower-case-ids.ts'
import {
  createBodyValidator,
  createQueryValidator,
  type InputFault,
  type Validator,
} from './validate.ts'
import { readExpectedVersion } from './versions.ts'
import { formatSize } from '../../kernel/values/size.ts'

/** The parts of a request that input is parsed from; MCP tools provide the same. */
export type RequestParts = Pick<FastifyRequest, 'headers' | 'params' | 'query' | 'body'> & {
  /** The body if it is already parsed. */
  parsed?: Parsed
}

interface Parsed {
  text: string
  result: JsonResult
}

/**
 * Maximum size of a body that is parsed at once. Larger bodies are parsed in slices, so that they
 * do not block the event loop.
 */
const PARSED_AT_ONCE_BYTES_MAX = 65_536

interface Checks {
  params: Validator | undefined
  query: Validator | undefined
  body: Validator | undefined
  /** Functions that lower-case ids. */
  ids: Record<'params' | 'query' | 'body', ReturnType<typeof createIdLowerCaser>>
}

/** The parts of an operation that describe its input. */
type Readable = Pick<Operation, 'method' | 'params' | 'query' | 'body' | 'body_rules' | 'headers'>

function compile({ params, query, body }: Readable): Checks {
  return {
    params: params && createQueryValidator(params),
    query: query && createQueryValidator(query),
    body: body && createBodyValidator(enforcedSchema(body)),
    ids: {
      params: createIdLowerCaser(params),
      query: createIdLowerCaser(query),
      body: createIdLowerCaser(body),
    },
  }
}

/**
 * The 404 for an invalid id. Names an empty path parameter, which is often an unset shell variable.
 */
function unknownPath(params: object): Problem {
  const [name] = Object.entries(params).find(([, value]) => value === '') ?? []
  if (name === undefined) return new Problem('not_found', 'There is nothing with this id.')
  return new Problem('not_found', `The ${name} is missing: its place in the request is empty.`, {
    next_step: `Send the request again with the ${name}. If it comes from a variable, check that the variable is set.`,
  })
}

/**
 * Parses and validates the input of one operation. Validators are compiled at its first request,
 * because compiling all would slow the start.
 */
export function createInputReader(operation: Readable): (request: RequestParts) => AnyInput {
  let checks: Checks | null = null
  return (request) => {
    checks ??= compile(operation)
    const params: Input<undefined, undefined, undefined>['params'] = Object(request.params)
    if (checks.params && checks.params(params).length > 0) throw unknownPath(params)
    if (Object.values(params).some(hasNul)) throw unknownPath(params)
    const { text, body } = operation.body
      ? readPrunedBody(request, operation)
      : { text: '', body: undefined }
    const has_version = operation.headers?.etag !== undefined
    const if_match = has_version ? readExpectedVersion(request.headers, operation.method) : null
    const query = readQuery(request, checks.query)
    const faults = checks.body ? checks.body(body) : []
    if (faults.length > 0) throw createInvalidBodyProblem(faults)
    const { ids } = checks
    ids.params?.(params)
    ids.query?.(query)
    ids.body?.(body)
    const must_exist = has_version && request.headers['if-match'] !== undefined
    return { params, query, body, if_match, must_exist, text }
  }
}

/**
 * Returns the Problem for a body above the server's limit, if the body is a single document;
 * otherwise null.
 */
export function createTooLargeProblem({ errors, body_rules }: Operation): Problem | null {
  if (body_rules?.bytes_max !== undefined || !errors.includes('document_too_large')) return null
  const detail = `The document is larger than ${formatSize(limits.document_bytes_max)}, the most there may be.`
  return new Problem('document_too_large', detail)
}

/** Maximum number of errors in a reply. */
const ERRORS_MAX = 100

/** Returns the 422 Problem with the errors of the body. */
export function createInvalidBodyProblem(faults: readonly InputFault[]): Problem {
  const [first] = faults
  const said = `${first?.path || 'The body'} ${first?.message ?? 'is not allowed'}`
  const others = faults.length - 1
  const more =
    others > 0 ? ` There ${others === 1 ? 'is 1 more error' : `are ${others} more errors`}.` : ''
  const errors = faults.slice(0, ERRORS_MAX)
  return new Problem('validation_failed', `${said}.${more}`, { errors })
}

function readPrunedBody(
  request: RequestParts,
  operation: Readable,
): { text: string; body: unknown } {
  const { text, body } = readBody(request, operation)
  if (!operation.body || text.length <= PARSED_AT_ONCE_BYTES_MAX) return { text, body }
  return { text, body: pruneExcess(enforcedSchema(operation.body), body) }
}

function readBody(request: RequestParts, operation: Readable): { text: string; body: unknown } {
  const type = request.headers['content-type'] ?? ''
  const bytes = request.body
  if (!Buffer.isBuffer(bytes) || bytes.length === 0) {
    const least = Object(operation.body).required?.length > 0 ? '' : ', at least {}'
    throw new Problem(
      'invalid_json',
      `The request has no body, and this route needs a JSON body${least}.`,
    )
  }
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
    throw new Problem('bad_request', 'The body must be sent with Content-Type: application/json.')
  }
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(type)?.[1] ?? 'utf-8'
  if (!/^(?:utf-?8|us-ascii)$/i.test(charset)) {
    const detail = `JSON is read as UTF-8, and the Content-Type says ${charset}. Send it as UTF-8.`
    throw new Problem('bad_request', detail)
  }
  if (request.parsed) return bodyOf(request.parsed)
  const text = decode(bytes)
  return bodyOf({ text, result: parseJson(text, limits.json_depth_max, optionsOf(operation)) })
}

function optionsOf({ body_rules = {} }: Pick<Operation, 'body_rules'>): JsonOptions {
  const { values_max = limits.json_values_max, refuses_itself } = body_rules
  return {
    values_max,
    members_max: limits.json_values_max,
    ...(refuses_itself && { accepts: refuses_itself }),
  }
}

/**
 * Parses the body in slices if it is large JSON in UTF-8; otherwise returns the request unchanged.
 */
export async function parseLargeBody(
  request: RequestParts,
  operation: Readable,
): Promise<RequestParts> {
  const { headers, params, query, body } = request
  if (!Buffer.isBuffer(body) || body.length <= PARSED_AT_ONCE_BYTES_MAX || !operation.body)
    return request
  if (!isUtf8(body)) return request
  const text = decode(body)
  const result = await parseJsonInSlices(text, limits.json_depth_max, optionsOf(operation))
  return { headers, params, query, body, parsed: { text, result } }
}

/** Parses bytes as one JSON document. Throws a Problem if they are not. */
export function readJson(
  bytes: Buffer,
  depth_max: number = limits.json_depth_max,
): { text: string; body: unknown } {
  const text = decode(bytes)
  return bodyOf({ text, result: parseJson(text, depth_max, optionsOf({})) })
}

/** Like `readJson`, but in slices. */
export async function readJsonInSlices(
  bytes: Buffer,
  depth_max: number,
  accepts?: JsonOptions['accepts'],
): Promise<{ text: string; body: unknown }> {
  const text = decode(bytes)
  const options = { ...optionsOf({}), ...(accepts && { accepts }) }
  return bodyOf({ text, result: await parseJsonInSlices(text, depth_max, options) })
}

function bodyOf({ text, result }: Parsed): { text: string; body: unknown } {
  if (!('fault' in result)) return { text, body: result.value }
  const { kind, path, message } = result.fault
  if (kind === 'syntax') throw new Problem('invalid_json', message)
  throw createInvalidBodyProblem([{ path, message }])
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new Problem('invalid_json', 'The body is not UTF-8 text.')
  }
}

/** The database accepts no text with this character. */
function hasNul(value: unknown): boolean {
  return typeof value === 'string' && value.includes('\0')
}

function readQuery(request: RequestParts, check: Validator | undefined): Record<string, unknown> {
  const query: Record<string, unknown> = { ...Object(request.query) }
  for (const [name, value] of Object.entries(query)) {
    // A repeated parameter is parsed as a list.
    if ([value].flat().some(hasNul)) {
      const detail = `${name} holds a character that no text has.`
      throw new Problem('invalid_parameter', detail, { fields: { parameter: name } })
    }
  }
  if (!check) {
    const [name] = Object.keys(query)
    if (name === undefined) return query
    throw new Problem('invalid_parameter', `This route takes no query parameter "${name}".`)
  }
  const [fault] = check(query)
  if (!fault) return query
  const name = fault.path.slice(1) || 'The query'
  throw new Problem(
    'invalid_parameter',
    `${name} ${fault.message.replace('field of this request', 'query parameter of this route')}.`,
  )
}
