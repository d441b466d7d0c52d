/** Commands for invitations to create an account. */
import * as people from '../../areas/people/service.ts'
import { Problem } from '../../contract/errors.ts'
import { readPublicUrl } from '../../kernel/settings.ts'
import { CommandError } from '../command-error.ts'
import { runtimeCommand } from '../command.ts'
import { email, id, oneOf, optional, required, withDefault } from '../option-parsers.ts'
import { formatFields, formatTable } from '../output.ts'

export const invite = runtimeCommand({
  name: 'sign-ups invite',
  about: 'Invites a person to create an account and a project, and prints the link.',
  options: {
    email: optional(email, 'The only address that may use it; without it, any address.'),
    language: withDefault(oneOf(['en', 'nl']), 'en', 'The language of the mail; by default en.'),
  },
  async run({ email: address = null, language }, runtime) {
    const { config, db } = runtime
    const stored = config.public_url || (await readPublicUrl(db))
    const public_url = stored || `http://localhost:${config.port}`
    const made = await people
      .inviteToSignUp(runtime, { email: address, language, public_url })
      .catch(refuse)
    const shown = { ...made, ...times(made) }
    const once = 'The link works once, for two weeks. It is not shown again, so keep it secret.'
    return { json: shown, text: `${formatFields(shown)}\n\n${once}` }
  },
})

function refuse(error: unknown): never {
  if (!(error instanceof Problem)) throw error
  const { user_message = error.message, next_step = '' } = error.extra
  throw new CommandError(`${user_message} ${next_step}`.trim())
}

export const list = runtimeCommand({
  name: 'sign-ups list',
  about: 'Lists the open invitations to create an account.',
  options: {},
  async run(_, runtime) {
    const rows = await people.listSignUpInvitations(runtime)
    const json = rows.map((row) => ({ ...row, ...times(row) }))
    const cells = json.map(({ id: invitation, email: address, expires_at }) => [
      invitation,
      address ?? 'any address',
      expires_at,
    ])
    const text =
      cells.length > 0
        ? formatTable(['ID', 'EMAIL', 'EXPIRES'], cells)
        : 'There is no open invitation.'
    return { json, text }
  },
})

export const withdraw = runtimeCommand({
  name: 'sign-ups withdraw',
  about: 'Withdraws an invitation to create an account.',
  options: { invitation: required(id, 'The invitation.') },
  async run({ invitation }, runtime) {
    if (!(await people.withdrawSignUpInvitation(runtime, invitation))) {
      throw new CommandError(
        `There is no open invitation ${invitation}. "sign-ups list" lists them.`,
      )
    }
    return { json: { id: invitation, withdrawn: true }, text: 'The link no longer works.' }
  },
})

function times({ created_at, expires_at }: { created_at: Date; expires_at: Date }) {
  return { created_at: created_at.toISOString(), expires_at: expires_at.toISOString() }
}
