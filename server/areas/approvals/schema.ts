/** Schemas of approvals in the API. */
import { Type, type Static } from 'typebox'
import { ProblemSchema } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { markAsOutsiders } from '../../contract/schema/outsiders.ts'
import { PageQuery, PageReply } from '../../contract/schema/pages.ts'
import { nameSchema } from '../../contract/schema/named.ts'
import {
  withDescription,
  orNull,
  withExample,
  Timestamp,
  Uuid,
} from '../../contract/schema/shapes.ts'

const closed = { additionalProperties: false }

const ApprovalStatus = Type.Enum(['pending', 'approved', 'executed', 'failed', 'rejected'], {
  description:
    'pending: waits for a decision. approved: is being executed. executed: done, see ' +
    'reply. failed: see problem. rejected: by a person, because it expired, or because its ' +
    'requester no longer wants it.',
})

const listed = {
  id: withDescription(Uuid, 'Id of the approval.'),
  status: ApprovalStatus,
  operation: Type.String({
    description: 'operationId of the operation that needs approval.',
    examples: ['numbers.order'],
  }),
  about: Type.String({
    description: 'Description of the operation.',
    examples: ['Orders a phone number.'],
  }),
  about_nl: Type.String({
    description: 'Description of the operation in Dutch.',
    examples: ['Bestelt een telefoonnummer voor het project, met kosten per maand.'],
  }),
  subject: markAsOutsiders(
    orNull(
      Type.String({ examples: ['Mill Bakery'] }),
      'Name of what the operation changes, when approval was requested or a person last read ' +
        'or edited it while pending; null if it has none.',
    ),
  ),
  loss: withExample(
    orNull(
      Type.String(),
      'What would be deleted with it, when approval was requested or a person last read or ' +
        'edited it while pending; null if nothing more.',
    ),
    null,
  ),
  effect: Type.Enum(['deletes', 'outside', 'money', 'writes'], {
    description:
      'Why approval is needed: the operation deletes data, contacts an outside person, ' +
      'costs money, or changes data for an agent that has to ask first.',
    examples: ['money'],
  }),
  cost: orNull(
    Type.String({ examples: ['€ 2.50 a month'] }),
    'Cost of the operation, or that nothing real happens because this part of the project is in ' +
      'test; null if it is free.',
  ),
  asked_by: Type.String({
    description: 'Name of the key or connection that requested it.',
    examples: ['Claude'],
  }),
  url: Type.String({
    description: 'Portal URL where a person approves or rejects it.',
    examples: ['https://home.example/portal/approvals/019aafe2-7c3a-7d41-9f52-3b8e6a1c4d20'],
  }),
  created_at: withDescription(Timestamp, 'When approval was requested.'),
  expires_at: withDescription(Timestamp, 'When the approval expires unless decided before.'),
  edited: Type.Boolean({
    description: 'true if a person changed the arguments.',
    examples: [false],
  }),
  decided_by: withExample(
    orNull(
      Type.Enum(['person', 'expiry']),
      'Whether a person decided or the approval expired; null while pending, and if its requester ' +
        'no longer wants it.',
    ),
    null,
  ),
  decided_at: withExample(orNull(Timestamp, 'When it was decided; null while pending.'), null),
  note: withExample(
    orNull(Type.String(), 'Note of the person who decided; null if there is none.'),
    null,
  ),
  ended_at: withExample(
    orNull(Timestamp, 'When it was executed, failed or was rejected; null before that.'),
    null,
  ),
}

const ListedApproval = nameSchema('ApprovalSummary', Type.Object(listed))
export type ListedApproval = Static<typeof ListedApproval>

export const ApprovalList = PageReply(ListedApproval)
export type ApprovalList = Static<typeof ApprovalList>

export const Approval = nameSchema(
  'Approval',
  Type.Object({
    ...listed,
    arguments: markAsOutsiders(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'Arguments with which the operation is executed.',
        examples: [{ area: '020' }],
      }),
    ),
    input_hash: Type.String({
      description:
        'Hash of the operation, its arguments, the cost, the name of what it changes, what would be ' +
        'deleted, and the content of a file that it uses.',
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    }),
    reply: markAsOutsiders(
      withExample(
        orNull(
          Type.Unknown(),
          'Reply of the operation, without secrets that are shown once; null unless executed.',
        ),
        null,
      ),
    ),
    left_out: withExample(
      orNull(
        Type.String(),
        'How to get the secret that reply leaves out, because it is shown once; null if nothing is ' +
          'left out.',
      ),
      null,
    ),
    problem: withExample(orNull(ProblemSchema, 'The error; null unless failed.'), null),
  }),
)
export type Approval = Static<typeof Approval>

export const ApprovalQuery = Type.Object(
  { ...PageQuery.properties, status: Type.Optional(ApprovalStatus) },
  closed,
)
export type ApprovalQuery = Static<typeof ApprovalQuery>

export const ApprovalId = Type.Object({
  id: Type.String({ format: 'uuid', description: 'Id of the approval.' }),
})

const input_hash = Type.String({
  pattern: '^[0-9a-f]{64}$',
  description:
    'input_hash of the approval as you read it. The request is refused if the approval ' +
    'changed since.',
  examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
})
const note = Type.Optional(
  Type.String({
    maxLength: limits.approval_note_characters_max,
    description: 'Note for the requester.',
    examples: ['Take a number in Amsterdam instead.'],
  }),
)

export const ApprovalDecision = Type.Object({ input_hash, note }, closed)
export type ApprovalDecision = Static<typeof ApprovalDecision>

export const ApprovalEdit = Type.Object(
  {
    input_hash,
    arguments: Type.Record(Type.String(), Type.Unknown(), {
      description: 'All arguments of the operation; they replace the current ones.',
      examples: [{ area: '020' }],
    }),
  },
  closed,
)
export type ApprovalEdit = Static<typeof ApprovalEdit>
