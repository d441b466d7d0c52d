/** Operations of the operator console on invitations to create an account. */
import { Problem } from '../../../contract/errors.ts'
import { peopleOperation } from '../../../contract/people.ts'
import {
  inviteToSignUp,
  listSignUpInvitations,
  withdrawSignUpInvitation,
  type SignUpInvitation,
} from './invitations.ts'
import {
  CreatedSignUpInvitation,
  SignUpInvitationInput,
  SignUpInvitationList,
  SignUpInvitationParams,
} from './schema-sign-up.ts'

export const list = peopleOperation({
  name: 'sign_up_invitations.list',
  route: 'GET /operator/sign-up-invitations',
  about: 'Lists the open invitations to create an account.',
  access: 'operator',
  effect: 'read',
  status: 200,
  reply: SignUpInvitationList,
  errors: [],
  async run(_input, { runtime }) {
    const data = (await listSignUpInvitations(runtime)).map(present)
    return { mode: runtime.config.sign_up.mode, data }
  },
})

export const create = peopleOperation({
  name: 'sign_up_invitations.create',
  route: 'POST /operator/sign-up-invitations',
  about:
    'Invites an address to create an account and a project, or creates a link for any address.',
  access: 'operator',
  fresh: true,
  effect: 'write',
  body: SignUpInvitationInput,
  status: 201,
  reply: CreatedSignUpInvitation,
  errors: ['conflict'],
  async run({ body: { email = null, language = 'en' } }, { runtime }) {
    const { public_url } = runtime.config
    const { url, mailed, ...made } = await inviteToSignUp(runtime, { email, language, public_url })
    return { ...present(made), url, mailed }
  },
})

export const withdraw = peopleOperation({
  name: 'sign_up_invitations.withdraw',
  route: 'DELETE /operator/sign-up-invitations/{id}',
  about: 'Withdraws an invitation to create an account.',
  access: 'operator',
  fresh: true,
  effect: 'write',
  params: SignUpInvitationParams,
  status: 204,
  errors: ['not_found'],
  async run({ params }, { runtime }) {
    if (await withdrawSignUpInvitation(runtime, params.id)) return
    throw new Problem('not_found', 'This invitation is no longer open.')
  },
})

function present({ created_at, expires_at, ...rest }: SignUpInvitation) {
  return { ...rest, created_at: created_at.toISOString(), expires_at: expires_at.toISOString() }
}
