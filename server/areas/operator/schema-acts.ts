/** Schemas of the audit log of the operators. */
import { Type, type Static } from 'typebox'
import { nameSchema } from '../../contract/schema/named.ts'
import { PageQuery, PageReply } from '../../contract/schema/pages.ts'
import {
  orNull,
  RequestTime,
  Timestamp,
  Uuid,
  withDescription,
} from '../../contract/schema/shapes.ts'

const Columns = (description: string) =>
  orNull(Type.Record(Type.String(), Type.Unknown()), description)
const entryPoints = ['operator', 'command_line'] as const

const Act = nameSchema(
  'OperatorAct',
  Type.Object({
    id: withDescription(Uuid, 'Id of the entry.'),
    created_at: withDescription(Timestamp, 'When it was done.'),
    operator: orNull(Type.String(), 'Address of the operator; null for the command line.'),
    entry_point: Type.Enum(entryPoints, { description: 'The console or a command.' }),
    address: orNull(
      Type.String(),
      'IP address of the console; user and machine of the command line.',
    ),
    operation: Type.String({ description: 'The operation or the command.' }),
    project_id: orNull(Uuid, 'The project; null if it concerns the installation.'),
    project_name: orNull(Type.String(), 'Name of the project.'),
    resource_id: orNull(Type.String(), 'Id of the record.'),
    resource_name: orNull(Type.String(), 'Name of the record.'),
    note: orNull(Type.String(), 'Reason or note.'),
    error: orNull(Type.String(), 'Slug of the error, if it failed afterwards.'),
    input: Columns('Parameters, body or options, without secrets.'),
    before: Columns('The changed columns before it, as table.column, without secrets.'),
    after: Columns('The same columns after it.'),
  }),
)

export const ActPage = PageReply(Act)
export type ActPage = Static<typeof ActPage>

const filters = {
  operator: Type.Optional(
    Type.String({ maxLength: 100, description: 'Part of the address of the operator.' }),
  ),
  entry_point: Type.Optional(
    Type.Enum(entryPoints, { description: 'Only from the console, or from commands.' }),
  ),
  operation: Type.Optional(
    Type.String({ maxLength: 100, description: 'Start of the name of the operation or command.' }),
  ),
  project_id: Type.Optional(withDescription(Uuid, 'Only acts on this project.')),
  from: Type.Optional(withDescription(RequestTime, 'Only at or after this time.')),
  to: Type.Optional(withDescription(RequestTime, 'Only before this time.')),
}

export const ActFilter = Type.Object(filters, { additionalProperties: false })
export type ActFilter = Static<typeof ActFilter>

export const ActQuery = Type.Object(
  { ...PageQuery.properties, ...filters },
  { additionalProperties: false },
)
export type ActQuery = Static<typeof ActQuery>

export const ActExport = Type.Object({
  csv: Type.String({ description: 'Newest first, with a line of headings.' }),
  rows: Type.Integer({ description: 'Number of acts.' }),
  is_complete: Type.Boolean({ description: 'Whether these are all; at most 10,000 are exported.' }),
})
