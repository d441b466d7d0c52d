/** Shapes of the outbox in the API of the portal. */
import { Type, type Static } from 'typebox'
import { nameSchema } from '../../../contract/schema/named.ts'
import { PageReply } from '../../../contract/schema/pages.ts'
import { orNull, Timestamp, Uuid, withDescription } from '../../../contract/schema/shapes.ts'

const OutboxMessage = nameSchema(
  'OutboxMessage',
  Type.Object({
    id: Uuid,
    email_id: withDescription(Uuid, 'The email.'),
    recipient: Type.String({ description: 'Recipient.', examples: ['anna@example.com'] }),
    subject: Type.String({ description: 'Subject.', examples: ['Your order 1042'] }),
    bytes: Type.Integer({ description: 'Size of the message.', examples: [4_211] }),
    written_at: Timestamp,
  }),
)

export const OutboxPage = PageReply(OutboxMessage)
export type OutboxPage = Static<typeof OutboxPage>

export const OutboxDetail = Type.Object({
  id: Uuid,
  text: orNull(
    Type.String({ examples: ['Hello Anna, your bread is ready.'] }),
    'Plain text; null without one.',
  ),
  html: orNull(
    Type.String({ examples: ['<p>Hello Anna, your bread is ready.</p>'] }),
    'HTML; null without it.',
  ),
  source: Type.String({
    description: 'The signed message, up to 256 kB.',
    examples: ['DKIM-Signature: v=1; …'],
  }),
  is_cut: Type.Boolean({ description: 'Whether the message is longer.' }),
})
export type OutboxDetail = Static<typeof OutboxDetail>
