/** Schemas of changing the address of an account, and of deleting it. */
import { Type, type Static } from 'typebox'
import { Timestamp, Uuid, withDescription } from '../../../contract/schema/shapes.ts'

const NewEmail = Type.String({
  minLength: 3,
  maxLength: 254,
  description: 'The new email address.',
  examples: ['anna@bakery.example'],
})
const ChangeId = withDescription(Uuid, 'Id of the change, to confirm it.')

export const EmailAsked = Type.Object({ email: NewEmail }, { additionalProperties: false })

export const EmailChange = Type.Object({
  id: ChangeId,
  email: NewEmail,
  expires_at: withDescription(Timestamp, 'Until when the code works.'),
})
export type EmailChange = Static<typeof EmailChange>

export const EmailProof = Type.Object(
  {
    id: Type.String({ format: 'uuid', description: 'Id of the change.' }),
    email: NewEmail,
    code: Type.String({
      minLength: 1,
      maxLength: 20,
      description: 'The code that was mailed to the new address.',
      examples: ['1234 5678'],
    }),
  },
  { additionalProperties: false },
)
export type EmailProof = Static<typeof EmailProof>

export const DeletionQuery = Type.Object(
  {
    confirm: Type.Optional(
      Type.String({
        description: 'Your email address, to confirm.',
        examples: ['anna@bakery.example'],
      }),
    ),
  },
  { additionalProperties: false },
)
