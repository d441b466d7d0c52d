/** Schemas of the operator's invitations to create an account. */
import { Type, type Static } from 'typebox'
import { Timestamp, Uuid, withDescription } from '../../../contract/schema/shapes.ts'
import { mailLanguages } from '../../../providers/mail/mail-contract.ts'

const invitation = {
  id: withDescription(Uuid, 'Id of the invitation.'),
  email: Type.Union([Type.String(), Type.Null()], {
    description: 'The only address that may use it; null: any address.',
    examples: ['anna@example.com'],
  }),
  created_at: withDescription(Timestamp, 'When it was created.'),
  expires_at: withDescription(Timestamp, 'When it expires.'),
}

export const SignUpInvitationList = Type.Object({
  mode: Type.Enum(['closed', 'invite', 'open'], {
    description: 'Who may create an account: HOMEPORT_SIGNUP.',
  }),
  data: Type.Array(Type.Object(invitation), { description: 'The open invitations, newest first.' }),
})
export type SignUpInvitationList = Static<typeof SignUpInvitationList>

export const SignUpInvitationInput = Type.Object(
  {
    email: Type.Optional(
      Type.Union([Type.String({ maxLength: 254 }), Type.Null()], {
        description: 'The address to invite and mail; without it the link works for any address.',
        examples: ['anna@example.com'],
      }),
    ),
    language: Type.Optional(
      Type.Enum([...mailLanguages], { description: 'Language of the mail. Default: en.' }),
    ),
  },
  { additionalProperties: false },
)
export type SignUpInvitationInput = Static<typeof SignUpInvitationInput>

export const CreatedSignUpInvitation = Type.Object({
  ...invitation,
  url: Type.String({
    description: 'The link. It works once, and is not shown again.',
    examples: ['https://home.example/portal/sign-up/invitation/…'],
  }),
  mailed: Type.Boolean({ description: 'Whether it was mailed to the address.' }),
})
export type CreatedSignUpInvitation = Static<typeof CreatedSignUpInvitation>

export const SignUpInvitationParams = Type.Object({
  id: withDescription(Uuid, 'Id of the invitation.'),
})
