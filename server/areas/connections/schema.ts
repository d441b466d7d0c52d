/** Schemas of connections in the portal's API. */
import { Type } from 'typebox'
import { about, Timestamp, Uuid } from '../../contract/shapes.ts'
import { scopeNames } from '../../contract/scopes.ts'
import { accessShape } from '../people/schema.ts'

const Scopes = Type.Array(Type.Enum([...scopeNames]), {
  minItems: 1,
  uniqueItems: true,
  description: 'What it may do now.',
  examples: [['project:read', 'sites:read']],
})

const Limits = accessShape(
  'The sites and apps that the connection is limited to; null: those of its person.',
)

export const Connection = Type.Object(
  {
    id: about(Uuid, 'Id of the connection.'),
    client_name: Type.String({
      description: 'As the program calls itself.',
      examples: ['Claude'],
    }),
    client_id: Type.String({
      description: 'Its id, or the address of its metadata document.',
      examples: ['https://claude.ai/oauth/mcp-oauth-client-metadata'],
    }),
    redirect_host: Type.String({
      description: 'Where the person was sent back to when they allowed it.',
      examples: ['claude.ai'],
    }),
    person: Type.Object(
      {
        id: about(Uuid, 'Id of the person.'),
        email: Type.String({
          description: 'The email address of the person.',
          examples: ['anna@example.com'],
        }),
      },
      { description: 'The person who allowed the connection.' },
    ),
    mode: Type.Enum(['live', 'test'], {
      description: 'A connection in test mode never does anything real.',
    }),
    scopes: Scopes,
    access: Limits,
    created_at: about(Timestamp, 'When it was allowed.'),
    last_used_at: Type.Union([Timestamp, Type.Null()], {
      description: 'Right to a few minutes; null: never.',
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

export const ConnectionParams = Type.Object({ id: about(Uuid, 'Id of the connection.') })
