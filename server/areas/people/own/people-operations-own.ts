/** Portal operations that change the address of a person's account, and delete the account. */
import { peopleOperation } from '../../../contract/people.ts'
import { showAccount } from '../account.ts'
import { Me } from '../schema.ts'
import { deleteAccount } from './delete-account.ts'
import { askEmailChange, confirmEmailChange } from './email-change.ts'
import { DeletionQuery, EmailAsked, EmailChange, EmailProof } from './schema-own.ts'

export const askEmail = peopleOperation({
  name: 'me.ask_email',
  route: 'POST /me/email-change',
  about: 'Mails a code to a new email address for your account. Nothing changes yet.',
  keywords: 'change my email, verification code, new login address',
  access: 'person',
  fresh: true,
  effect: 'write',
  body: EmailAsked,
  status: 201,
  reply: EmailChange,
  errors: ['conflict'],
  run: ({ body }, caller) => askEmailChange(caller, body),
})

export const changeEmail = peopleOperation({
  name: 'me.email',
  route: 'PUT /me/email',
  about:
    'Changes your email address, with the code that was mailed to the new one. Your other ' +
    'sessions end, and the old address gets a mail.',
  keywords: 'confirm new email, code',
  access: 'person',
  fresh: true,
  effect: 'write',
  body: EmailProof,
  status: 200,
  reply: Me,
  errors: ['conflict'],
  async run({ body }, caller) {
    await confirmEmailChange(caller, body)
    return showAccount(caller)
  },
})

export const remove = peopleOperation({
  name: 'me.delete',
  route: 'DELETE /me',
  about:
    'Deletes your account and leaves every project. Refused while you are the only owner of ' +
    'one. confirm must be your email address.',
  keywords: 'close account, leave, delete my profile, GDPR',
  access: 'person',
  fresh: true,
  effect: 'write',
  query: DeletionQuery,
  status: 204,
  errors: ['conflict', 'confirmation_required'],
  run: ({ query }, caller) => deleteAccount(caller, query.confirm),
})
