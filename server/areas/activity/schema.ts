/** Schemas of the activity. */
import { Type, type Static } from 'typebox'
import { limits } from '../../contract/limits.ts'
import { nameSchema } from '../../contract/schema/named.ts'
import { PageQuery, PageReply } from '../../contract/schema/pages.ts'
import {
  withDescription,
  orNull,
  withExample,
  RequestTime,
  Timestamp,
  Uuid,
} from '../../contract/schema/shapes.ts'

const entryPoints = ['rest', 'mcp', 'portal', 'command_line', 'job', 'operator'] as const
const actorKinds = ['api_key', 'connection', 'person', 'agent', 'operator', 'system'] as const
const modes = ['live', 'test'] as const

const EntryPoint = {
  description:
    'rest: the API for keys. mcp: the MCP server. portal: pages of the portal. command_line: a ' +
    'command of the operator. job: background work. operator: the console of the operators.',
} as const

const ActivityActor = nameSchema(
  'ActivityActor',
  Type.Object(
    {
      kind: Type.Enum(actorKinds, {
        description:
          'api_key: a key. connection: an assistant or agent that a person connected. person: a ' +
          'person in the portal. agent: an agent of the project. operator: an operator of the ' +
          'installation. system: background work.',
      }),
      id: orNull(
        Uuid,
        'Id of the key, connection, person or agent; null for operators and background work.',
      ),
      name: orNull(
        Type.String({ examples: ['Server key'] }),
        'Name of the key, name of the connected client or agent, or email address of the person; ' +
          'null for others, and if it no longer exists.',
      ),
    },
    { description: 'Who made the change.' },
  ),
)

const Resource = Type.Object(
  {
    type: Type.String({ description: 'Kind of the record.', examples: ['sites'] }),
    id: orNull(
      Type.String({ examples: ['019aafe2-7c3a-7d41-9f52-3b8e6a1c4d20'] }),
      'Id, or the name in its path; null for settings of the project.',
    ),
    name: orNull(
      Type.String({ examples: ['Bakery De Molen'] }),
      'Its name at the time of the change; null if it has none.',
    ),
  },
  { description: 'The changed record.' },
)

export const ActivityEntry = nameSchema(
  'ActivityEntry',
  Type.Object({
    id: withDescription(Uuid, 'Id of the entry.'),
    created_at: withDescription(Timestamp, 'When the change was made.'),
    actor: ActivityActor,
    entry_point: Type.Enum(entryPoints, EntryPoint),
    mode: orNull(
      Type.Enum(modes),
      'Mode of the request; null for background work and the operator.',
    ),
    operation: Type.String({
      description:
        'operationId of the operation; name of the command or of the job for other entry points.',
      examples: ['sites.publish'],
    }),
    resource: Resource,
    changes: Type.Integer({
      minimum: 1,
      description:
        'Number of changes. Changes of documents are counted per minute; every other entry is 1 change.',
      examples: [1],
    }),
    error: withExample(
      orNull(
        Type.String(),
        'Slug of the error, if the operation changed something and then failed; else null.',
      ),
      null,
    ),
    note: withExample(orNull(Type.String(), 'Reason that an operator gave; else null.'), null),
    request_id: orNull(
      Type.String({ examples: ['req_4075abc9e6f6e29c9266'] }),
      'Id of the request, which is also in the request log; null for jobs and commands.',
    ),
  }),
)
export type ActivityEntry = Static<typeof ActivityEntry>

export const ActivityPage = PageReply(ActivityEntry)
export type ActivityPage = Static<typeof ActivityPage>

const NameText = (description: string, example: string) =>
  Type.Optional(Type.String({ maxLength: 100, description, examples: [example] }))

export const ActivityQuery = Type.Object(
  {
    ...PageQuery.properties,
    actor_id: Type.Optional(
      withDescription(Uuid, 'Only changes by the key, connection or person with this id.'),
    ),
    actor_kind: Type.Optional(
      Type.Enum(actorKinds, { description: 'Only changes by actors of this kind.' }),
    ),
    entry_point: Type.Optional(
      Type.Enum(entryPoints, { description: 'Only changes through this entry point.' }),
    ),
    mode: Type.Optional(
      Type.Enum(modes, { description: 'Only changes in this mode, and those without a mode.' }),
    ),
    operation: NameText('Only changes by the operation with this operationId.', 'sites.publish'),
    resource_type: NameText('Only changes of records of this kind.', 'sites'),
    resource_id: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'Only changes of the record with this id, or with this name in its path.',
        examples: ['019aafe2-7c3a-7d41-9f52-3b8e6a1c4d20'],
      }),
    ),
    request_id: Type.Optional(
      Type.String({
        maxLength: limits.request_id_characters_max,
        description: 'Only changes of the request with this id.',
        examples: ['req_4075abc9e6f6e29c9266'],
      }),
    ),
    from: Type.Optional(withDescription(RequestTime, 'Only changes at or after this time.')),
    to: Type.Optional(withDescription(RequestTime, 'Only changes before this time.')),
  },
  { additionalProperties: false },
)
export type ActivityQuery = Static<typeof ActivityQuery>

export const ActivityEntryId = Type.Object({ id: withDescription(Uuid, 'Id of the entry.') })
