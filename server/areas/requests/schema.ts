/** Schemas of the request log. */
import { Type, type Static } from 'typebox'
import { limits } from '../../contract/limits.ts'
import { PageQuery, PageReply } from '../../contract/schema/pages.ts'
import { nameSchema } from '../../contract/schema/named.ts'
import {
  withDescription,
  orNull,
  withExample,
  RequestTime,
  Timestamp,
  Uuid,
} from '../../contract/schema/shapes.ts'

const entryPoints = ['rest', 'mcp', 'portal'] as const
const actorKinds = ['api_key', 'connection', 'person'] as const
const modes = ['live', 'test'] as const
const statuses = ['2xx', '4xx', '5xx', 'error'] as const

const RequestIdText = Type.String({
  maxLength: limits.request_id_characters_max,
  description: 'The X-Request-Id of the reply. A client can send its own, so it may repeat.',
  examples: ['req_4075abc9e6f6e29c9266'],
})

const Actor = nameSchema(
  'Actor',
  Type.Object(
    {
      kind: Type.Enum(actorKinds, {
        description:
          'api_key: a key. connection: an assistant or agent that a person connected. ' +
          'person: a person in the portal.',
      }),
      id: withDescription(Uuid, 'Id of the key, connection or person.'),
      name: orNull(
        Type.String({ examples: ['Server key'] }),
        'Name of the key, name of the connected client, or email address of the person; ' +
          'null if it no longer exists.',
      ),
    },
    { description: 'Who sent the request.' },
  ),
)

export const LoggedRequest = nameSchema(
  'LoggedRequest',
  Type.Object({
    id: withDescription(Uuid, 'Id of the entry in the log.'),
    created_at: withDescription(Timestamp, 'When the reply was sent.'),
    entry_point: Type.Enum(entryPoints, {
      description:
        'rest: the API for keys. mcp: the MCP server. portal: the API of the portal, of ' +
        'which only changes and errors are logged.',
    }),
    mode: Type.Enum(modes, { description: 'Mode of the request.' }),
    method: Type.String({ description: 'HTTP method.', examples: ['GET'] }),
    path: Type.String({
      description:
        'Path and names of the query parameters. Values are shown only if they are ' +
        'numbers, booleans or from a fixed list; a segment that may be a secret is replaced.',
      examples: ['/api/v1/calls?limit=20&cursor'],
    }),
    message: withExample(
      orNull(Type.String(), 'Method of the MCP message, such as tools/call; else null.'),
      null,
    ),
    tool: withExample(
      orNull(Type.String(), 'Name of the MCP tool that was called; else null.'),
      null,
    ),
    operation: orNull(
      Type.String({ examples: ['calls.list'] }),
      'operationId of the operation; null if the request reached none.',
    ),
    status: Type.Integer({
      description: 'HTTP status. For an MCP tool that failed: the status of its error.',
      examples: [200],
    }),
    error: withExample(
      orNull(Type.String(), 'Slug of the error, such as not_found; null if it succeeded.'),
      null,
    ),
    actor: Actor,
    request_id: RequestIdText,
    duration_ms: Type.Integer({
      minimum: 0,
      description: 'Time from the request to the end of the reply, in milliseconds.',
      examples: [12],
    }),
    source: orNull(
      Type.String({ examples: ['203.0.113.7'] }),
      'Network address of the client; null for people.',
    ),
  }),
)
export type LoggedRequest = Static<typeof LoggedRequest>

export const RequestPage = PageReply(LoggedRequest)
export type RequestPage = Static<typeof RequestPage>

export const RequestQuery = Type.Object(
  {
    ...PageQuery.properties,
    status: Type.Optional(
      Type.Enum(statuses, {
        description: 'Only requests with a status of this class; error: 4xx and 5xx.',
      }),
    ),
    error: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'Only requests with this error.',
        examples: ['validation_failed'],
      }),
    ),
    entry_point: Type.Optional(
      Type.Enum(entryPoints, { description: 'Only requests of this entry point.' }),
    ),
    mode: Type.Optional(Type.Enum(modes, { description: 'Only requests in this mode.' })),
    actor_id: Type.Optional(
      withDescription(Uuid, 'Only requests of the key, connection or person with this id.'),
    ),
    operation: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'Only requests of the operation with this operationId.',
        examples: ['calls.list'],
      }),
    ),
    request_id: Type.Optional(
      withDescription(RequestIdText, 'Only requests with this request id, as in an error.'),
    ),
    from: Type.Optional(withDescription(RequestTime, 'Only requests at or after this time.')),
    to: Type.Optional(withDescription(RequestTime, 'Only requests before this time.')),
  },
  { additionalProperties: false },
)
export type RequestQuery = Static<typeof RequestQuery>

export const LoggedRequestId = Type.Object({
  id: withDescription(Uuid, 'Id of the entry in the log.'),
})
