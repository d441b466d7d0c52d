/** The mail with an invitation to create an account. */
import { Type } from 'typebox'
import { job } from '../../../kernel/jobs/jobs.ts'
import type { SealedColumn } from '../../../kernel/database/sealed/sealed-columns.ts'
import { mailLanguages } from '../../../providers/mail/mail-contract.ts'
import { sendMail } from '../../../providers/mail/send-mail.ts'
import { writeSignUpInvitation } from '../mail-texts.ts'

/** Seals the URL in the payload of the job, because the link is a credential. */
export const INVITATION_PURPOSE = 'people.sign_up_invitation'

export const sealedInvitationUrls: SealedColumn = {
  table: 'jobs',
  column: 'payload',
  field: 'sealed_url',
  purpose: () => INVITATION_PURPOSE,
}

export const sendSignUpInvitation = job({
  name: 'people.send_sign_up_invitation',
  payload: Type.Object({
    id: Type.String(),
    email: Type.String(),
    language: Type.Enum([...mailLanguages]),
    sealed_url: Type.String(),
  }),
  retry_after_s: [30, 300, 3600],
  async run({ runtime, payload: { id, email, language, sealed_url } }) {
    const sealed = Buffer.from(sealed_url, 'base64')
    const url = runtime.seal.open(sealed, INVITATION_PURPOSE)
    const message = { to: email, reference: id, ...writeSignUpInvitation(language, url) }
    await sendMail(runtime, message, 'an invitation')
  },
})
