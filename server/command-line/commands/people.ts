/** Commands for people: invitations, teams and sign-in links. */
import * as people from '../../areas/people/service.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { readPublicUrl } from '../../kernel/settings.ts'
import { runtimeCommand } from '../command.ts'
import { email, flag, id, oneOf, optional, required } from '../option-parsers.ts'
import { projectOrOnly } from './projects.ts'
import { CommandError } from '../command-error.ts'
import { formatFields, formatTable } from '../output.ts'

export const invite = runtimeCommand({
  name: 'people invite',
  about: 'Invites a person to the team of a project.',
  options: {
    project: optional(id, 'The project; optional if there is only one.'),
    email: required(email, 'The email address of the person.'),
    role: required(oneOf(people.roles), 'The role of the person.'),
  },
  async run({ project, email: address, role }, runtime) {
    const project_id = await projectOrOnly(runtime.db, 'people invite', project)
    const input = { project_id, email: readEmail(address), role, access: null }
    const made = await people.invite(runtime, 'operator', input).catch(refuse)
    const portal_url = `${await publicUrl(runtime)}/portal`
    const expires_at = made.expires_at.toISOString()
    const shown = { id: made.id, project_id, email: made.email, role, expires_at, portal_url }
    const next =
      'The invitation is shown on the first page after signing in with this address. ' +
      '"people sign-in-link" makes a link where no mail is sent.'
    return { json: shown, text: `${formatFields(shown)}\n\n${next}` }
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
  about: 'Lists the team and the invitations of a project.',
  options: { project: optional(id, 'The project; optional if there is only one.') },
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
      text: rows.length > 0 ? formatTable(headings, cells) : 'The project has no members yet.',
    }
  },
})

export const signInLink = runtimeCommand({
  name: 'people sign-in-link',
  about: 'Prints a one-time link that signs a person in to the portal.',
  options: { email: required(email, 'The email address of the person.') },
  async run({ email: address }, runtime) {
    const secret = await people.createLink(runtime, { realm: 'portal', email: address })
    if (secret === null) {
      throw new CommandError(
        `The address ${address} is not that of a member, an owner or an invited person of any project.`,
      )
    }
    const made = { email: address, sign_in_url: people.toLinkUrl(await publicUrl(runtime), secret) }
    const once = 'The link works once, for a day. It signs in as this person, so keep it secret.'
    return { json: made, text: `${formatFields(made)}\n\n${once}` }
  },
})

export const resetSecondFactor = runtimeCommand({
  name: 'people reset-second-factor',
  about: 'Removes the second factor of a person who lost it, and ends all their sessions.',
  options: { email: required(email, 'The email address of the person.') },
  async run({ email: address }, runtime) {
    const removed = await people.resetSecondFactor(runtime, { realm: 'portal', email: address })
    if (removed === null) throw new CommandError(`There is no account with the address ${address}.`)
    const next =
      'The password or access to the mail of this address is now enough to sign in. ' +
      'The person gets a mail, if mail is configured.'
    return { json: removed, text: `${formatFields(removed)}\n\n${next}` }
  },
})

export const makeOperator = runtimeCommand({
  name: 'people make-operator',
  about: 'Gives a person the console of the operators, or takes it away.',
  options: {
    email: required(email, 'The email address of the person, who has signed in before.'),
    undo: flag('Takes it away.'),
  },
  async run({ email: address, undo }, runtime) {
    const made = await people.setOperator(runtime, {
      email: readEmail(address),
      is_operator: !undo,
    })
    if (!made) {
      throw new CommandError(
        `There is no account with the address ${address}: the person has to sign in once before.`,
      )
    }
    const console_url = `${await publicUrl(runtime)}/portal/app/operator`
    const next = undo ? 'The console is closed to them.' : `The console is at ${console_url}.`
    return { json: { email: address, is_operator: !undo, console_url }, text: next }
  },
})

/** The URL of the settings, else of the last server on this database. */
async function publicUrl({ config, db }: Runtime): Promise<string> {
  return config.public_url || ((await readPublicUrl(db)) ?? `http://localhost:${config.port}`)
}
