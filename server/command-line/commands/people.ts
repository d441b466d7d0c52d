/** Commands for people: invitations, teams and sign-in links. */
import * as people from '../../areas/people/service.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { readPublicUrl } from '../../kernel/settings.ts'
import { runtimeCommand } from '../command.ts'
import { email, id, oneOf, optional, required } from '../option-parsers.ts'
import { projectOrOnly } from './projects.ts'
import { CommandError } from '../command-error.ts'
import { fields, table } from '../output.ts'

export const invite = runtimeCommand({
  name: 'people invite',
  about: 'Invites somebody to the team of a project.',
  options: {
    project: optional(id, 'The project; not needed while there is only one.'),
    email: required(email, 'Whose address it is.'),
    role: required(oneOf(people.roles), 'What they may do.'),
  },
  async run({ project, email: address, role }, runtime) {
    const project_id = await projectOrOnly(runtime.db, 'people invite', project)
    const input = { project_id, email: readEmail(address), role, access: null }
    const made = await people.invite(runtime, 'operator', input).catch(refuse)
    const portal_url = `${await publicUrl(runtime)}/portal`
    const expires_at = made.expires_at.toISOString()
    const shown = { id: made.id, project_id, email: made.email, role, expires_at, portal_url }
    const next =
      'The invitation waits on the first page after signing in with this address. ' +
      '"people sign-in-link" makes a link where no mail is sent.'
    return { json: shown, text: `${fields(shown)}\n\n${next}` }
  },
})

function readEmail(address: string): string {
  const read = people.readEmail(address)
  if (read === null) throw new CommandError(`--email must be an email address, not ${address}.`)
  return read
}

function refuse(error: unknown): never {
  throw error instanceof people.TeamRefusal ? new CommandError(error.message) : error
}

export const list = runtimeCommand({
  name: 'people list',
  about: 'Lists the team of a project, and who is invited.',
  options: { project: optional(id, 'The project; not needed while there is only one.') },
  async run({ project }, runtime) {
    const project_id = await projectOrOnly(runtime.db, 'people list', project)
    const team = await people.listTeam(runtime.db, project_id, runtime.clock.now())
    const rows = [
      ...team.members.map(({ email: address, role, access }) => {
        return { email: address, role, access, state: 'member' }
      }),
      ...team.invitations.map(({ email: address, role, access }) => {
        return { email: address, role, access, state: 'invited' }
      }),
    ]
    const headings = ['EMAIL', 'ROLE', 'STATE', 'SITES']
    const cells = rows.map(({ email: address, role, state, access }) => [
      address,
      role,
      state,
      access ? access.sites.join(' ') : 'all',
    ])
    return {
      json: rows,
      text: rows.length > 0 ? table(headings, cells) : 'Nobody has signed in to this project yet.',
    }
  },
})

export const signInLink = runtimeCommand({
  name: 'people sign-in-link',
  about: 'Prints a one-time link that signs somebody in to the portal.',
  options: { email: required(email, 'Whose address it is.') },
  async run({ email: address }, runtime) {
    const secret = await people.createLink(runtime, { realm: 'portal', email: address })
    if (secret === null) {
      throw new CommandError(
        `Nobody with the address ${address} has a part in a project, owns one or is invited to one.`,
      )
    }
    const made = { email: address, sign_in_url: people.linkUrl(await publicUrl(runtime), secret) }
    const once = 'The link works once, for a day. Whoever has it signs in as this person.'
    return { json: made, text: `${fields(made)}\n\n${once}` }
  },
})

export const resetSecondFactor = runtimeCommand({
  name: 'people reset-second-factor',
  about: 'Takes away the second factor of somebody who lost it, and signs them out everywhere.',
  options: { email: required(email, 'Whose address it is.') },
  async run({ email: address }, runtime) {
    const removed = await people.resetSecondFactor(runtime, { realm: 'portal', email: address })
    if (removed === null)
      throw new CommandError(`Nobody has an account with the address ${address}.`)
    const next =
      'Whoever knows the password, or reads the mail of this address, can sign in now. ' +
      'The person is told by mail, where mail is sent.'
    return { json: removed, text: `${fields(removed)}\n\n${next}` }
  },
})

/** The URL of the settings, else of the last server on this database. */
async function publicUrl({ config, db }: Runtime): Promise<string> {
  return config.public_url || ((await readPublicUrl(db)) ?? `http://localhost:${config.port}`)
}
