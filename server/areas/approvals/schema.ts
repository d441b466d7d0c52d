/** Schemas of approvals in the API. */
import { Type, type Static } from 'typebox'
import { ProblemSchema } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { fromOutsiders } from '../../contract/outsiders.ts'
import { PageQuery, PageReply } from '../../contract/pages.ts'
import { named } from '../../contract/named.ts'
import { about, orNull, shownAs, Timestamp, Uuid } from '../../contract/shapes.ts'

const closed = { additionalProperties: false }

const ApprovalStatus = Type.Enum(['pending', 'approved', 'executed', 'failed', 'rejected'], {
  description:
    'pending: waits for a person; approved: is being carried out; executed: done, see reply; ' +
    'failed: see problem; rejected: by a person, or because nobody decided in time.',
})

const listed = {
  id: about(Uuid, 'Id of the approval.'),
  status: ApprovalStatus,
  operation: Type.String({
    description: 'The operation that waits, by its operationId.',
    examples: ['numbers.order'],
  }),
  about: Type.String({ description: 'What it does.', examples: ['Orders a phone number.'] }),
  effect: Type.Enum(['deletes', 'outside', 'money'], {
    description:
      'Why a person has to agree: it deletes, contacts an outside person, or costs money.',
    examples: ['money'],
  }),
  cost: orNull(Type.String({ examples: ['€ 2.50 a month'] }), 'What it costs; null: nothing.'),
  asked_by: Type.String({
    description: 'The name of the key or connection that asked.',
    examples: ['Claude'],
  }),
  url: Type.String({
    description: 'Where a person decides.',
    examples: ['https://home.example/portal/approvals/019aafe2-7c3a-7d41-9f52-3b8e6a1c4d20'],
  }),
  created_at: about(Timestamp, 'When approval was asked for.'),
  expires_at: about(Timestamp, 'When the approval expires if nobody decides.'),
  edited: Type.Boolean({
    description: 'Whether a person changed the arguments.',
    examples: [false],
  }),
  decided_by: shownAs(orNull(Type.Enum(['person', 'expiry']), 'null while it waits.'), null),
  decided_at: shownAs(orNull(Timestamp, 'When it was decided.'), null),
  note: shownAs(orNull(Type.String(), 'What the person who decided says.'), null),
  ended_at: shownAs(orNull(Timestamp, 'When it was over.'), null),
}

const ListedApproval = named('ApprovalSummary', Type.Object(listed))
export type ListedApproval = Static<typeof ListedApproval>

export const ApprovalList = PageReply(ListedApproval)
export type ApprovalList = Static<typeof ApprovalList>

export const Approval = named(
  'Approval',
  Type.Object({
    ...listed,
    arguments: fromOutsiders(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'The arguments of the operation, as they are carried out.',
        examples: [{ area: '020' }],
      }),
    ),
    input_hash: Type.String({
      description: 'Of operation, arguments and cost.',
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    }),
    reply: fromOutsiders(
      shownAs(
        orNull(
          Type.Unknown(),
          'The reply of the operation, without secrets, which are shown once.',
        ),
        null,
      ),
    ),
    problem: shownAs(orNull(ProblemSchema, 'Why it failed.'), null),
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
  description: 'input_hash as it was read, so that nobody agrees to something else than they saw.',
  examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
})
const note = Type.Optional(
  Type.String({
    maxLength: limits.approval_note_characters_max,
    description: 'What to say to who asked.',
    examples: ['Take a number in Amsterdam instead.'],
  }),
)

export const ApprovalDecision = Type.Object({ input_hash, note }, closed)
export type ApprovalDecision = Static<typeof ApprovalDecision>

export const ApprovalEdit = Type.Object(
  {
    input_hash,
    arguments: Type.Record(Type.String(), Type.Unknown(), {
      description: 'All the arguments, as they are to be.',
      examples: [{ area: '020' }],
    }),
  },
  closed,
)
export type ApprovalEdit = Static<typeof ApprovalEdit>
