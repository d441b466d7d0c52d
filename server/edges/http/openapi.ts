/**
 * Generates the OpenAPI 3.1 document from the declarations of operations and events. Each operation
 * has its scope, its errors by status with their slugs, and examples.
 */
import { Type } from 'typebox'
import type { ErrorSlug } from '../../contract/error-catalogue.ts'
import { ProblemSchema, errorUrl, statusTitle, statusesOf } from '../../contract/errors.ts'
import { eventTypes } from '../../contract/event-types.ts'
import type { EventSource } from '../../contract/events.ts'
import { EVENT_STREAM } from '../../contract/operations/event-replies.ts'
import { formTypes, takesForms } from '../../contract/operations/guests.ts'
import { publicOperation, type Operation, type PublicOperation } from '../../contract/operation.ts'
import { mediaOf, type StreamMedia } from '../../contract/operations/streams.ts'
import { inSlices } from '../../kernel/limits/slices.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { verbatim } from '../../kernel/database/driver/verbatim.ts'
import { createEnvelope, createEventExample } from '../describe/envelope.ts'
import { createExample } from '../describe/samples/example.ts'
import {
  listEventHeaders,
  listResponseHeaders,
  listRequestHeaders,
  isCounted,
  responseHeaders,
  type DocumentedHeader,
  type ResponseHeader,
} from '../describe/headers.ts'
import type { JsonSchema } from '../describe/json-schema.ts'
import { createProblemExample } from '../describe/samples/problem-example.ts'
import { groupProblemsByStatus } from '../describe/problems-of.ts'
import { createSharedSchemas, type SharedSchemas } from '../describe/shared-schemas.ts'
import {
  findArea,
  groupByArea,
  takeFirstSentence,
  toPascalCase,
  toTitle,
} from '../describe/words.ts'
import { examplePages as pages } from './reply-pages.ts'
import { listSecurity, createSecuritySchemes } from './openapi-security.ts'
import { toDocsUrl } from './problems.ts'
import { API_ROOT } from './routes.ts'

const VERSION = '1.0.0'

export interface Addresses {
  /** The API root, which ends in /api/v1. */
  base_url: string
  docs_url: string
  /** The title; default: that of the API for keys. */
  title?: string
}

/** Returns the server's URLs. Call it after the port is known. */
export function readAddresses(runtime: Pick<Runtime, 'config'>): Addresses {
  return { base_url: runtime.config.public_url + API_ROOT, docs_url: toDocsUrl(runtime) }
}

/** State shared by the generators of one document. */
interface Draft {
  addresses: Addresses
  schemas: SharedSchemas
  /** Error examples by component name. */
  examples: Map<string, object>
}

/** Yields after each operation, because the whole document takes tens of milliseconds. */
export function* createOpenApiDocument(
  operations: readonly Operation[],
  sources: readonly EventSource[],
  addresses: Addresses,
): Generator<void, object> {
  const draft: Draft = {
    addresses,
    schemas: createSharedSchemas(placesOf(operations, sources)),
    examples: new Map(),
  }
  const paths: Record<string, Record<string, object>> = {}
  for (const operation of operations) {
    const path = (paths[operation.path] ??= {})
    path[operation.method.toLowerCase()] = operationObject(operation, draft)
    yield
  }
  const webhooks = Object.fromEntries(
    sources.map((source) => [source.type, { post: webhookObject(source, draft) }]),
  )
  return {
    openapi: '3.1.0',
    info: info(addresses),
    servers: [{ url: addresses.base_url }],
    tags: [...groupByArea(operations).keys(), ...(sources.length > 0 ? ['events'] : [])].map(
      (name) => ({
        name: toTitle(name),
      }),
    ),
    externalDocs: { description: 'The reference for people', url: addresses.docs_url },
    paths,
    webhooks,
    components: components(
      draft,
      operations.some(({ for_sessions }) => for_sessions),
    ),
  }
}

function info({ docs_url, title = 'Homeport API' }: Addresses): object {
  return {
    title,
    version: VERSION,
    summary: 'The back-end that a chat assistant or an agent builds on for a business.',
    description:
      'Every error is a problem document (RFC 9457): branch on its `type`, not on `detail`. New fields may be ' +
      'added to any reply at any time; ignore those you do not know. Every reply has the header X-Request-Id. ' +
      `Guides and a page for every error and event are at ${docs_url}.`,
    license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
  }
}

/** Yields every schema with its proposed component name, to find shared ones. */
function* placesOf(
  operations: readonly Operation[],
  sources: readonly EventSource[],
): Generator<[string, JsonSchema]> {
  yield ['Problem', ProblemSchema]
  for (const { name, body, reply } of operations) {
    if (body) yield [`${toPascalCase(name)}Body`, body]
    if (reply) yield [`${toPascalCase(name)}Reply`, reply]
  }
  if (sources.length > 0) yield ['Event', anyEvent(sources)]
}

/**
 * Returns the schema of the webhook body: one envelope per event type, with `type` as the
 * discriminator.
 */
function anyEvent(sources: readonly EventSource[]): JsonSchema {
  return { description: 'The body of a webhook request.', oneOf: sources.map(createEnvelope) }
}

function operationObject(operation: Operation, draft: Draft): object {
  const { name, about, scope, effect, reach, mode, body } = operation
  const media = mediaOf(operation)
  const people = operation.kind === 'people' ? operation : null
  return {
    operationId: name,
    summary: takeFirstSentence(about),
    description: about,
    tags: [toTitle(findArea(operation))],
    security: listSecurity(operation),
    parameters: parametersOf(operation, draft),
    ...(body && {
      requestBody: { required: true, content: bodyOf(operation, body, draft) },
    }),
    ...(media?.takes && {
      requestBody: { required: true, content: files(media.takes.types, media.examples) },
    }),
    responses: {
      [operation.status]: successOf(operation, draft),
      ...(takesForms(operation) && { 303: sentOn }),
      ...Object.fromEntries(
        [...groupProblemsByStatus(operation)].map(([status, slugs]) => [
          status,
          problemResponse(operation, { status, slugs, draft }),
        ]),
      ),
    },
    'x-scope': scope,
    'x-effect': effect,
    'x-reach': reach,
    'x-test-mode': mode === 'test',
    ...(people && { 'x-access': people.access, 'x-fresh': people.fresh }),
  }
}

function bodyOf(operation: Operation, body: JsonSchema, { schemas }: Draft): object {
  const schema = schemas.show(body)
  const example = createExample(body)
  const forms = takesForms(operation) ? formTypes.map((type) => [type, { schema, example }]) : []
  return { ...json(schema, example), ...Object.fromEntries(forms) }
}

function parametersOf(operation: Operation, { schemas }: Draft): object[] {
  const { params, query } = operation
  const from = (place: 'path' | 'query', shape: JsonSchema | undefined) =>
    Object.entries(shape?.properties ?? {}).map(([name, schema]) => ({
      name,
      in: place,
      required:
        place === 'path' ||
        (shape?.required?.includes(name) === true && schema.default === undefined),
      ...(schema.description === undefined ? {} : { description: schema.description }),
      schema: schemas.show(schema),
      example: createExample(schema, name),
    }))
  return [
    ...from('path', params),
    ...from('query', query),
    ...listRequestHeaders(operation).map(headerParameter),
  ]
}

function headerParameter({ name, about, required, schema, example }: DocumentedHeader): object {
  return { name, in: 'header', required, description: about, schema, example }
}

function successOf(operation: Operation, { schemas }: Draft): object {
  const { reply, status } = operation
  const media = mediaOf(operation)
  const words = { 200: 'OK', 201: 'Created', 204: 'Done; there is no body' }
  return {
    description: words[status],
    headers: headerReferences(listResponseHeaders(operation)),
    ...(reply && {
      content: {
        ...json(schemas.show(reply), createExample(reply)),
        ...pageOf(operation, pages.thanks),
        ...(operation.events &&
          files([EVENT_STREAM], { [EVENT_STREAM]: operation.events.example })),
      },
    }),
    ...(media?.gives && { content: files(media.gives, media.examples) }),
  }
}

/** The HTML response for forms without JavaScript. */
function pageOf(operation: Operation, example: string): object {
  return takesForms(operation) ? files(['text/html'], { 'text/html': example }) : {}
}

const sentOn = {
  description: 'Taken; a browser without a script is sent on to the redirect of its form',
  headers: headerReferences(['request_id', 'location']),
}

/** Content of media types other than JSON. Binary formats have no example. */
function files(types: readonly string[], examples: StreamMedia['examples'] = {}): object {
  const shown = (type: string) => {
    const example = examples[type]
    return example === undefined ? {} : { schema: { type: 'string' }, example }
  }
  return Object.fromEntries(types.map((type) => [type, shown(type)]))
}

function headerReferences(names: readonly ResponseHeader[]): object {
  return Object.fromEntries(
    names.map((name) => [responseHeaders[name].name, { $ref: `#/components/headers/${name}` }]),
  )
}

function json(schema: JsonSchema, example: unknown): object {
  return { 'application/json': { schema, example } }
}

interface ProblemsOfStatus {
  status: number
  slugs: readonly ErrorSlug[]
  draft: Draft
}

/** One response for all slugs of a status. */
function problemResponse(operation: Operation, { status, slugs, draft }: ProblemsOfStatus): object {
  const types = slugs.map((slug) => errorUrl(slug, draft.addresses.docs_url))
  const retry = mayBeRetried(status) ? (['retry_after'] as const) : []
  const is_counted = isCounted(operation) && status !== 401
  const rate = is_counted ? (['rate', 'rate_policy'] as const) : []
  return {
    description: `${statusTitle(status)}: ${slugs.join(', ')}`,
    headers: headerReferences(['request_id', ...retry, ...rate]),
    content: {
      'application/problem+json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/Problem' },
            { properties: { type: { enum: types }, status: { const: status } } },
          ],
        },
        examples: Object.fromEntries(
          slugs.map((slug) => [slug, exampleReference(slug, status, draft)]),
        ),
      },
      ...pageOf(operation, pages.faults),
    },
  }
}

/** Error examples are components, because many operations share them. */
function exampleReference(slug: ErrorSlug, status: number, { examples, addresses }: Draft): object {
  const name = statusesOf(slug).length === 1 ? slug : `${slug}_${status}`
  const { docs_url } = addresses
  if (!examples.has(name))
    examples.set(name, { value: createProblemExample(slug, { status, docs_url }) })
  return { $ref: `#/components/examples/${name}` }
}

function mayBeRetried(status: number): boolean {
  return status === 409 || status === 429 || status === 503
}

function webhookObject(source: EventSource, { schemas }: Draft): object {
  const { type } = source
  const envelope = schemas.show(createEnvelope(source))
  return {
    operationId: `event.${type}`,
    summary: toTitle(type),
    description: `Sent when: ${eventTypes[type]}.`,
    tags: ['Events'],
    security: [],
    parameters: listEventHeaders(type).map(headerParameter),
    requestBody: { required: true, content: json(envelope, createEventExample(source)) },
    responses: {
      '2XX': { description: 'The event was taken. The body of the answer is not read.' },
      '4XX': {
        description: 'A failed attempt, as every answer but a 2XX is; it is tried again later.',
      },
    },
  }
}

function components({ schemas, examples, addresses }: Draft, for_sessions: boolean): object {
  const { origin } = new URL(addresses.base_url)
  return {
    securitySchemes: createSecuritySchemes(origin, for_sessions),
    headers: Object.fromEntries(
      Object.entries(responseHeaders).map(([name, { about, required, schema, example }]) => [
        name,
        { description: about, required, schema, example },
      ]),
    ),
    examples: Object.fromEntries(examples),
    schemas: schemas.components(),
  }
}

const documents = new WeakMap<Runtime, Promise<string>>()

/**
 * Declares GET /openapi.json. The document is generated at the first request, when the server's URL
 * is known, and cached as text.
 */
export function declareOpenApi(
  write: (runtime: Runtime) => Iterator<void, object>,
): PublicOperation {
  const document = async (runtime: Runtime) => JSON.stringify(await inSlices(write(runtime)))
  return publicOperation({
    name: 'openapi.get',
    route: 'GET /openapi.json',
    about: 'This description of the API, as an OpenAPI 3.1 document.',
    effect: 'read',
    status: 200,
    reply: Type.Unsafe<unknown>(Description),
    errors: [],
    async run(_input, { runtime }) {
      const text = documents.get(runtime) ?? document(runtime)
      documents.set(runtime, text)
      return verbatim(await text)
    },
  })
}

const Description = Type.Object(
  {
    openapi: Type.String({ description: 'The version of OpenAPI.' }),
    info: Type.Object(
      {
        title: Type.String({ description: 'The name of the API.' }),
        version: Type.String({ description: 'The version of the API.' }),
      },
      { description: 'What the document describes.' },
    ),
  },
  {
    additionalProperties: true,
    description: 'An OpenAPI document.',
    examples: [
      {
        openapi: '3.1.0',
        info: { title: 'Homeport API', version: VERSION },
        paths: { '/status': { get: { operationId: 'status.get' } } },
      },
    ],
  },
)
