/** Shapes of suppressed addresses, known recipients and checked addresses in the API. */
import { Type, type Static } from 'typebox'
import { nameSchema } from '../../../contract/schema/named.ts'
import { markAsOutsiders } from '../../../contract/schema/outsiders.ts'
import { PageReply } from '../../../contract/schema/pages.ts'
import { orNull, Timestamp, Uuid, withDescription } from '../../../contract/schema/shapes.ts'

const Address = Type.String({
  minLength: 3,
  maxLength: 254,
  description: 'An email address.',
  examples: ['anna@example.com'],
})

const FoundAddress = markAsOutsiders(Address)

export const AddressParams = Type.Object({
  address: Type.String({
    minLength: 1,
    description: 'The address.',
    examples: ['anna@example.com'],
  }),
})

export const SuppressionInput = Type.Object(
  {
    address: Address,
    reason: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'Why, for the team.',
        examples: ['Asked by phone.'],
      }),
    ),
  },
  { additionalProperties: false },
)
export type SuppressionInput = Static<typeof SuppressionInput>

export const Suppression = nameSchema(
  'EmailSuppression',
  Type.Object({
    address: FoundAddress,
    reason: markAsOutsiders(
      Type.String({ description: 'Why.', examples: ['The mailbox does not exist.'] }),
    ),
    origin: Type.Enum(['bounce', 'complaint', 'manual'], { description: 'What suppressed it.' }),
    source_email_id: orNull(
      Uuid,
      'The email that bounced or was marked as spam; null for manual ones.',
    ),
    created_at: Timestamp,
  }),
)
export type Suppression = Static<typeof Suppression>

export const SuppressionPage = PageReply(Suppression)
export type SuppressionPage = Static<typeof SuppressionPage>

export const RecipientInput = Type.Object(
  {
    address: Address,
    note: Type.Optional(
      Type.String({
        maxLength: 200,
        description: 'How the business knows this person, for the owner.',
        examples: ['Supplier of flour.'],
      }),
    ),
  },
  { additionalProperties: false },
)
export type RecipientInput = Static<typeof RecipientInput>

export const KnownRecipient = nameSchema(
  'KnownRecipient',
  Type.Object({
    id: Uuid,
    address: FoundAddress,
    status: Type.Enum(['pending_owner', 'confirmed'], {
      description: 'pending_owner: the owner has not confirmed it yet.',
    }),
    note: orNull(
      Type.String({ examples: ['Supplier of flour.'] }),
      'How the business knows the person; null if not given.',
    ),
    requested_at: Timestamp,
    confirmed_at: orNull(Timestamp, 'When the owner confirmed it; null before.'),
  }),
)
export type KnownRecipient = Static<typeof KnownRecipient>

export const KnownRecipientPage = PageReply(KnownRecipient)
export type KnownRecipientPage = Static<typeof KnownRecipientPage>

export const RecipientId = Type.Object({
  recipient_id: withDescription(Uuid, 'Id of the recipient.'),
})

export const CheckInput = Type.Object({ address: Address }, { additionalProperties: false })

export const AddressVerdict = nameSchema(
  'AddressCheck',
  Type.Object({
    address: Type.String({
      description: 'The address, with its domain in lower case.',
      examples: ['anna@example.com'],
    }),
    verdict: Type.Enum(['deliverable', 'risky', 'invalid', 'unknown'], {
      description:
        'invalid: email cannot arrive, and sending is refused. unknown: the DNS did not answer.',
    }),
    reasons: Type.Array(Type.String(), { description: 'Whole sentences.', examples: [[]] }),
    suggestion: orNull(
      Type.String({ examples: ['anna@gmail.com'] }),
      'A similar address; null without one.',
    ),
  }),
)
export type AddressVerdict = Static<typeof AddressVerdict>
