/** People: accounts, sessions, second factors and teams. */
import { defineArea } from '../../contract/area.ts'
import { deleteExpiredSignIns, sendSignInCode, sendInvitation, sendAccountNotice } from './jobs.ts'
import * as own from './people-operations.ts'
import * as factors from './factors/people-operations-factors.ts'
import { sendEmailCode } from './own/email-jobs.ts'
import { sealedTotpSecrets } from './factors/second-factor.ts'
import * as account from './own/people-operations-own.ts'
import { sealedInvitationUrls, sendSignUpInvitation } from './sign-up/invitation-mail.ts'
import * as signUp from './sign-up/operator-operations.ts'
import * as team from './team/people-operations-team.ts'

export const people = defineArea({
  name: 'people',
  peopleOperations: [own, account, factors, team],
  operatorOperations: [signUp],
  jobs: [sendSignInCode, sendInvitation, sendAccountNotice, sendEmailCode, sendSignUpInvitation],
  sealed: [sealedTotpSecrets, sealedInvitationUrls],
  reconcilers: [deleteExpiredSignIns],
  guides: [
    {
      page: 'portal',
      group: 'Basics',
      title: 'The portal',
      card: { title: 'The portal for owners', text: 'Sign in, see what happens, and decide.' },
    },
  ],
})
