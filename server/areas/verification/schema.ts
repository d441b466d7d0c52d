/** Schemas of verification. */
import { Type, type Static } from 'typebox'
import { nameSchema } from '../../contract/schema/named.ts'
import { orNull, Timestamp, Uuid, withDescription } from '../../contract/schema/shapes.ts'
import { limits } from '../../contract/limits.ts'
import { VerificationLevel } from '../projects/schema.ts'

const strict = { additionalProperties: false } as const
const REASON_CHARACTERS_MAX = 500

const LevelName = Type.Enum(['company', 'number_documents', 'full'], {
  description: 'A level that needs an approval.',
  examples: ['number_documents'],
})
const Kind = Type.Enum(
  ['proof_of_address', 'identity', 'company_registration', 'director_identity'],
  {
    description:
      'proof_of_address: a bill or statement of the last three months. identity: an identity ' +
      'document. company_registration: an extract of the business register. director_identity: ' +
      'an identity document of the director, for the level full.',
    examples: ['proof_of_address'],
  },
)
const Channel = Type.Enum(['sms', 'call'], {
  description: 'sms: a text message. call: the code is spoken.',
  examples: ['sms'],
})

const Document = Type.Object({
  id: withDescription(Uuid, 'Id of the document.'),
  kind: Kind,
  filename: Type.String({ description: 'Name of the file.', examples: ['statement.pdf'] }),
  bytes: Type.Integer({ description: 'Size in bytes.', examples: [183_204] }),
  uploaded_at: withDescription(Timestamp, 'When it was uploaded.'),
  delete_at: orNull(Timestamp, 'When it is deleted; null while it is in review.'),
  refused: Type.Boolean({ description: 'Whether the operator asked for another one.' }),
})
export type Document = Static<typeof Document>

export const Verification = nameSchema(
  'ProjectVerification',
  Type.Object({
    account_type: Type.Enum(['business', 'personal'], {
      description: 'Whether the project belongs to a business or a person.',
    }),
    phone_verified: Type.Boolean({ description: 'Whether a phone number was verified.' }),
    phone: orNull(
      Type.String(),
      'The verified number, partly hidden; null if none was verified here.',
    ),
    can_send_codes: Type.Boolean({
      description:
        'Whether this server sends codes by phone; otherwise the operator confirms numbers.',
    }),
    card: Type.Boolean({ description: 'Whether a card is saved.' }),
    has_funds: Type.Boolean({ description: 'Whether money that was paid in is left.' }),
    payment_authenticated: Type.Boolean({
      description: 'Whether a payment was confirmed with the bank.',
    }),
    company: Type.Object(
      {
        complete: Type.Boolean({
          description: 'Whether the company details are complete.',
          examples: [false],
        }),
        missing: Type.Array(Type.String(), {
          description: 'Missing fields of the company details.',
          examples: [['kvk_number']],
        }),
      },
      { description: 'Status of the company details.' },
    ),
    checked_by: Type.Enum(['register', 'operator'], {
      description: 'Who checks the company: the business register at once, or the operator.',
    }),
    documents: Type.Array(Document, { description: 'The documents of this account type.' }),
    declared_at: orNull(Timestamp, 'When the director and the owners were declared; null if not.'),
    kept_days: Type.Integer({
      description: 'Days for which documents are kept after a decision.',
      examples: [30],
    }),
    levels: Type.Array(VerificationLevel, {
      description: 'All levels, with the missing requirements of each.',
    }),
  }),
)
export type Verification = Static<typeof Verification>

export const PhoneCodeInput = Type.Object(
  {
    phone: Type.String({
      maxLength: 40,
      description: 'The phone number, with its country.',
      examples: ['+31612345678'],
    }),
    channel: Channel,
    language: Type.Enum(['en', 'nl'], {
      default: 'en',
      description: 'Language of the message or call.',
    }),
  },
  strict,
)
export type PhoneCodeInput = Static<typeof PhoneCodeInput>

export const PhoneCode = Type.Object({
  id: withDescription(Uuid, 'Id of the code, for its confirmation.'),
  phone: Type.String({ description: 'The number.', examples: ['+31612345678'] }),
  channel: Channel,
  expires_at: withDescription(Timestamp, 'Until when the code is accepted.'),
  tries_left: Type.Integer({ description: 'Attempts that are left.', examples: [5] }),
})
export type PhoneCode = Static<typeof PhoneCode>

export const PhoneProof = Type.Object(
  {
    id: withDescription(Uuid, 'Id of the code.'),
    code: Type.String({ maxLength: 20, description: 'The code.', examples: ['482913'] }),
  },
  strict,
)
export type PhoneProof = Static<typeof PhoneProof>

export const DocumentInput = Type.Object(
  {
    kind: Kind,
    filename: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Name of the file.',
      examples: ['statement.pdf'],
    }),
    bytes: Type.Integer({ minimum: 1, description: 'Size of the file.', examples: [183_204] }),
  },
  strict,
)
export type DocumentInput = Static<typeof DocumentInput>

export const DocumentLink = Type.Object({
  id: withDescription(Uuid, 'Id of the document.'),
  kind: Kind,
  url: Type.String({ description: 'Where to PUT the bytes, once.' }),
  method: Type.Literal('PUT', { description: 'The method of the upload.' }),
  expires_at: withDescription(Timestamp, 'Until when the link works.'),
})
export type DocumentLink = Static<typeof DocumentLink>

export const DocumentParams = Type.Object({
  document_id: withDescription(Uuid, 'Id of the document.'),
})
export const LevelParams = Type.Object({ level: LevelName })

const Name = Type.String({
  minLength: 2,
  maxLength: 200,
  pattern: String.raw`\S`,
  description: 'Full name, as in the identity document.',
  examples: ['Anna de Vries'],
})
const BirthDate = Type.String({
  pattern: String.raw`^\d{4}-\d\d-\d\d$`,
  description: 'Date of birth.',
  examples: ['1984-05-17'],
})

export const Declaration = Type.Object(
  {
    director: Type.Object(
      { name: Name, birth_date: BirthDate },
      { ...strict, description: 'The director who signs, or the person of a personal account.' },
    ),
    owners: Type.Array(
      Type.Object(
        {
          name: Name,
          birth_date: BirthDate,
          share_percent: Type.Number({
            exclusiveMinimum: 0,
            maximum: 100,
            description: 'Share of the company in percent.',
            examples: [60],
          }),
        },
        strict,
      ),
      {
        maxItems: limits.declared_owners_max,
        description: 'Every person who owns or controls more than 25 percent; empty for none.',
      },
    ),
    signature: Type.String({
      minLength: 2,
      maxLength: 200,
      description: 'The name of the director, typed as a signature.',
      examples: ['Anna de Vries'],
    }),
  },
  strict,
)
export type Declaration = Static<typeof Declaration>

export const OperatedVerification = nameSchema(
  'OperatorVerification',
  Type.Object({
    id: withDescription(Uuid, 'Id of the review.'),
    project_id: withDescription(Uuid, 'Id of the project.'),
    project_name: Type.String({ description: 'Name of the project.' }),
    level: LevelName,
    status: Type.Enum(['pending', 'approved', 'rejected', 'withdrawn'], {
      description: 'State of the review.',
    }),
    reason: orNull(Type.String(), 'The reason that was given to the team.'),
    submitted_at: withDescription(Timestamp, 'When it was submitted.'),
    decided_at: orNull(Timestamp, 'When it was decided.'),
  }),
)
export type OperatedVerification = Static<typeof OperatedVerification>

const Detail = Type.Object({
  account_type: Type.Enum(['business', 'personal'], { description: 'Type of the account.' }),
  owner_email: orNull(Type.String(), 'Address of the owner.'),
  company_name: orNull(Type.String(), 'Name of the company.'),
  register_number: orNull(Type.String(), 'Number in the business register.'),
  address: orNull(Type.String(), 'The address in one line.'),
  contact: orNull(Type.String(), 'Name and phone of the contact.'),
})

export const VerificationDetail = nameSchema(
  'OperatorVerificationDetail',
  Type.Object({
    ...OperatedVerification.properties,
    company: Detail,
    documents: Type.Array(Document, { description: 'The documents of this level.' }),
    declaration: orNull(
      Type.Object({
        director: Type.Object({ name: Type.String(), birth_date: Type.String() }),
        owners: Type.Array(
          Type.Object({
            name: Type.String(),
            birth_date: Type.String(),
            share_percent: Type.Number(),
          }),
        ),
        signature: Type.String(),
        signed_at: Timestamp,
      }),
      'The declaration, for the level full.',
    ),
    can_ask_for: Type.Array(Type.String(), {
      description: 'Evidence that a rejection can ask for again, by the names in missing.',
    }),
  }),
)
export type VerificationDetail = Static<typeof VerificationDetail>

export const VerificationDecision = Type.Object(
  {
    decision: Type.Enum(['approved', 'rejected'], { description: 'The decision.' }),
    reason: Type.Optional(
      Type.String({
        maxLength: REASON_CHARACTERS_MAX,
        description: 'Required for a rejection: what is wrong and how to fix it.',
        examples: ['The statement is older than three months. Send a newer one.'],
      }),
    ),
    ask_again: Type.Optional(
      Type.Array(Type.String({ maxLength: 60 }), {
        maxItems: 5,
        description: 'Evidence to be given again; without it all of the level.',
        examples: [['document.proof_of_address']],
      }),
    ),
  },
  strict,
)
export type VerificationDecision = Static<typeof VerificationDecision>

export const VerificationQuery = Type.Object(
  { open: Type.Boolean({ default: true, description: 'Only reviews without a decision.' }) },
  strict,
)
export const ReviewParams = Type.Object({ id: withDescription(Uuid, 'Id of the review.') })
