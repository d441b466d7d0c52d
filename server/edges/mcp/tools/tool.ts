/**
 * Derives a tool from the declaration of an operation, once at the start: name, description, hints and
 * schemas. Path, query and body become one flat object of arguments; the headers of an operation
 * become `if_match` and `idempotency_key`.
 */
import type { Tool } from '@modelcontextprotocol/server'
import { limits } from '../../../contract/limits.ts'
import type { Operation } from '../../../contract/operation.ts'
import { mediaOf } from '../../../contract/operations/streams.ts'
import { createExample } from '../../describe/samples/example.ts'
import { hasNamedFields, type JsonSchema } from '../../describe/json-schema.ts'
import { checksVersion } from '../../describe/problems-of.ts'
import { findArea, toTitle } from '../../describe/words.ts'
import { createInputReader } from '../../http/request.ts'
import { isDangerous } from './danger.ts'
import { createWrapper } from '../transport/outsiders.ts'
import { listsFor } from './fit-next-step.ts'
import { toToolName } from '../../describe/mcp-phrasing.ts'
import { toArgumentShape, toListedShape, rewriteDescriptions } from './schemas.ts'

/** The place of an argument in a request. */
export type ArgumentPlace =
  | 'params'
  | 'query'
  | 'body'
  | 'whole_body'
  | 'text_body'
  | 'if_match'
  | 'idempotency_key'

/** A tool in tools/list. It has all four hints, because clients assume the worst without them. */
export type Listing = Tool & {
  title: string
  description: string
  annotations: {
    readOnlyHint: boolean
    destructiveHint: boolean
    idempotentHint: boolean
    openWorldHint: boolean
  }
}

/**
 * A listing with its schema as plain JSON. It has no schema of replies, which would cost a third more and
 * say no more than a reply itself.
 */
export function createToolListing(
  written: Omit<Listing, 'inputSchema'>,
  shapes: { inputSchema: object },
): Listing {
  return { ...written, ...JSON.parse(JSON.stringify(shapes)) }
}

export interface OperationTool {
  operation: Operation
  listing: Listing
  /** The schema of its arguments. */
  shape: JsonSchema
  places: ReadonlyMap<string, ArgumentPlace>
  /** The names of the required arguments. */
  required: readonly string[]
  readInput: ReturnType<typeof createInputReader>
  wrap: ReturnType<typeof createWrapper>
  /** The routes of the lists that have the things in its path. */
  lists: readonly string[]
}

const noRoutes: ReadonlySet<string> = new Set()

/** `rename` replaces REST routes in descriptions by the names of operations or tools in MCP. */
export function deriveTool(
  operation: Operation,
  { name = toToolName(operation), rename = (text: string) => text, routes = noRoutes } = {},
): OperationTool {
  const { shape: written, places } = argumentsOf(operation)
  const shape = rewriteDescriptions(written, rename)
  const title = operationTitle(operation)
  const wrap = operation.reply ? createWrapper(operation.reply) : null
  return {
    operation,
    shape,
    places,
    required: [...(shape.required ?? [])],
    readInput: createInputReader(operation),
    wrap,
    lists: listsFor(operation.path, routes),
    listing: createToolListing(
      {
        name,
        title,
        description: rename(describe(operation)),
        annotations: hintsOf(operation, wrap !== null),
      },
      { inputSchema: toListedShape(shape) },
    ),
  }
}

function operationTitle(operation: Operation): string {
  const area = findArea(operation)
  return `${toTitle(area)}: ${operation.name.slice(area.length + 1).replaceAll('_', ' ')}`
}

function describe(operation: Operation): string {
  const mode = operation.mode === 'test' ? ' Only with a test key.' : ''
  const asks = isDangerous(operation)
    ? `${operation.method === 'DELETE' ? ' The' : ' With a live key, the'} person is asked before it is done.`
    : ''
  const some =
    operation.consent?.loses && !isDangerous(operation)
      ? ' The person may be asked first, about what it deletes.'
      : ''
  return operation.about + mode + asks + some
}

function hintsOf({ effect, method, headers, publishes }: Operation, outsiders: boolean) {
  const reads = effect === 'read'
  const reaches = effect === 'outside' || effect === 'money'
  return {
    readOnlyHint: reads,
    destructiveHint: !reads && (reaches || method !== 'POST'),
    idempotentHint:
      reads || method === 'PUT' || method === 'DELETE' || headers?.idempotency_key === 'required',
    openWorldHint: reaches || outsiders || publishes === true,
  }
}

interface Arguments {
  shape: JsonSchema
  places: ReadonlyMap<string, ArgumentPlace>
}

function versionShape({ headers: { etag = 'version' } = {} }: Operation): JsonSchema {
  return {
    type: 'integer',
    description: `The ${etag} you read.`,
  }
}
const onceShape: JsonSchema = {
  type: 'string',
  minLength: 1,
  maxLength: limits.idempotency_key_characters_max,
  description: 'A new one for every order, the same one when you try it again; such as a UUID.',
}

function argumentsOf(operation: Operation): Arguments {
  const { name, params, query, body, headers } = operation
  const properties: Record<string, JsonSchema> = {}
  const places = new Map<string, ArgumentPlace>()
  const required: string[] = []
  const take = (from: JsonSchema, place: ArgumentPlace) => {
    for (const field of Object.keys(from.properties ?? {})) {
      if (places.has(field)) throw new Error(`${name} takes "${field}" in two places.`)
      places.set(field, place)
    }
    Object.assign(properties, toArgumentShape(from).properties)
    required.push(...(from.required ?? []).filter((one) => isNeeded(from, one)))
  }
  const one = (field: string, schema: JsonSchema) => ({ properties: { [field]: schema } })
  if (params) take(params, 'params')
  if (query) take(query, 'query')
  if (body && hasNamedFields(body)) take(body, 'body')
  else if (body) {
    const field = wholeName(places)
    take({ ...one(field, body), required: [field] }, 'whole_body')
    // A whole body keeps its example, because its description does not name its fields.
    properties[field] = { ...properties[field], examples: [createExample(body)] }
  }
  const as_text = mediaOf(operation)?.takes?.as_text
  if (as_text) {
    const { argument, description } = as_text
    take({ ...one(argument, { type: 'string', description }), required: [argument] }, 'text_body')
  }
  if (checksVersion(operation)) take(one('if_match', versionShape(operation)), 'if_match')
  // An optional key is for programs that retry by themselves; a tool runs once or is approved once.
  if (headers?.idempotency_key === 'required')
    take({ ...one('idempotency_key', onceShape), required: ['idempotency_key'] }, 'idempotency_key')
  const shape: JsonSchema = {
    type: 'object',
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  }
  return { shape, places }
}

/** A field with a default is optional, though its schema requires it. */
function isNeeded(from: JsonSchema, field: string): boolean {
  return from.properties?.[field]?.default === undefined
}

function wholeName(taken: ReadonlyMap<string, ArgumentPlace>): string {
  return taken.has('body') && taken.get('body') !== 'whole_body' ? 'whole_body' : 'body'
}
