/** Schemas of connections in the portal's API. */
import { Type } from 'typebox'
import { withDescription, Timestamp, Uuid } from '../../contract/schema/shapes.ts'
import { scopeNames } from '../../contract/scopes.ts'
import { accessShape } from '../people/schema.ts'

const Scopes = Type.Array(Type.Enum([...scopeNames]), {
  minItems: 1,
  uniqueItems: true,
  description: 'Scopes of the connection.',
  examples: [['project:read', 'sites:read']],
})

const Limits = accessShape(
  'Sites and apps the connection is limited to; null: no limit beyond that of its person.',
)

export const Connection = Type.Object(
  {
    id: withDescription(Uuid, 'Id of the connection.'),
    client_name: Type.String({
      description: 'Name that the client gave itself.',
      examples: ['Claude'],
    }),
    client_id: Type.String({
      description: 'client_id of the client, or the URL of its metadata document.',
      examples: ['https://claude.ai/oauth/mcp-oauth-client-metadata'],
    }),
    redirect_host: Type.String({
      description: 'Redirect URI that was used when the connection was allowed.',
      examples: ['claude.ai'],
    }),
    person: Type.Object(
      {
        id: withDescription(Uuid, 'Id of the person.'),
        email: Type.String({
          description: 'The email address of the person.',
          examples: ['anna@example.com'],
        }),
      },
      { description: 'The person who allowed the connection.' },
    ),
    mode: Type.Enum(['live', 'test'], {
      description: 'Mode of the connection. test: no real calls, messages or payments.',
    }),
    scopes: Scopes,
    access: Limits,
    created_at: withDescription(Timestamp, 'When the connection was allowed.'),
    last_used_at: Type.Union([Timestamp, Type.Null()], {
      description: 'When it was last used, accurate to a few minutes; null if never.',
      examples: [null],
    }),
  },
  { title: 'Connection' },
)

export const ConnectionChange = Type.Object(
  {
    scopes: Type.Optional(Scopes),
    access: Type.Optional(Limits),
  },
  { additionalProperties: false, minProperties: 1, title: 'Change of a connection' },
)

export const ConnectionParams = Type.Object({ id: withDescription(Uuid, 'Id of the connection.') })
