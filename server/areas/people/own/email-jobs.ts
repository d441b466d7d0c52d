/** The mail with the code that proves a new email address. */
import { Type } from 'typebox'
import { job } from '../../../kernel/jobs/jobs.ts'
import { sendMail } from '../../../providers/mail/send-mail.ts'
import { writeEmailCode } from '../mail-texts.ts'
import { formatCode } from '../sign-in/codes.ts'
import { findLanguage } from '../store.ts'
import { emailCodeOf } from './email-code.ts'

export const sendEmailCode = job({
  name: 'people.send_email_code',
  payload: Type.Object({ id: Type.String(), person_id: Type.String(), email: Type.String() }),
  retry_after_s: [2, 10, 60],
  async run({ runtime, payload }) {
    const code = formatCode(emailCodeOf(runtime.seal, payload))
    const portal_url = `${runtime.config.public_url}/portal`
    const language = await findLanguage(runtime.db, payload.person_id)
    const words = writeEmailCode(language, { code, portal_url })
    const message = { to: payload.email, reference: payload.id, ...words }
    await sendMail(runtime, message, 'a code for an email address')
  },
})
