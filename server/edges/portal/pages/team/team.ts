/** The team page: members, roles, sites and invitations. */
import * as people from '../../../../areas/people/service.ts'
import * as sites from '../../../../areas/sites/service.ts'
import { limits } from '../../../../contract/limits.ts'
import { plans } from '../../../../contract/plans.ts'
import { fillSelection } from '../../../../contract/access/limited-to.ts'
import { html, type Html } from '../../../html/html.ts'
import {
  renderChoice,
  formatCount,
  renderMoment,
  renderNotice,
  renderPill,
  renderTable,
} from '../../pieces.ts'
import { projectFrame } from '../../project-frame.ts'
import { askToConfirm, isConfirmed } from '../../question.ts'
import { withNext } from '../../session-cookie.ts'
import { readId, requireWholeProject, type PortalReply, type ProjectVisit } from '../../visit.ts'

const roleWords: Readonly<Record<people.Role, string>> = {
  owner: 'everything',
  admin: 'everything except changes to owners',
  member: 'no team, keys, billing or going live',
  viewer: 'read only',
}

const results: Readonly<Record<string, string>> = {
  invited: 'The invitation is open for a week. It is accepted on the first page after signing in.',
  changed: 'The member is changed. The change applies at once.',
  removed: 'The member is removed.',
  withdrawn: 'The invitation is withdrawn.',
}

export async function teamPage(
  visit: ProjectVisit,
  fault: string | null = null,
): Promise<PortalReply> {
  requireWholeProject(visit)
  const { runtime, who, caller, membership, query } = visit
  const team = await people.listTeam(runtime.db, membership.project.id, runtime.clock.now())
  const manages = people.hasRole(membership.role, 'admin') && who.fresh
  const { data } = await sites.list(caller, { limit: limits.page_limit_max })
  const is_sole_owner = isSoleOwner(visit, team.members)
  const done = results[query.get('done') ?? '']
  return {
    ...projectFrame(visit, 'team'),
    ...(fault !== null && { status: 422 }),
    main: html`<h1>Team</h1>
      ${done !== undefined && renderNotice('good', html`<p>${done}</p>`)}
      ${fault !== null && renderNotice('bad', html`<p>${fault}</p>`)}
      ${renderTable(
        'Members',
        ['Address', 'Role', 'Access', ...(manages ? ['Change', 'Remove'] : ['Leave'])],
        team.members.map((member) =>
          memberRow(visit, member, { manages, is_sole_owner, sites: data }),
        ),
      )}
      ${team.invitations.length > 0 && invitationTable(visit, team.invitations, manages)}
      ${manages ? inviteSection(visit, data) : confirmFirst(visit)}`,
  }
}

/**
 * Renders the request for a confirmation of identity, which changes to the team need. Null if it is
 * recent, or if the role cannot change the team.
 */
function confirmFirst(visit: ProjectVisit): Html | null {
  if (visit.who.fresh || !people.hasRole(visit.membership.role, 'admin')) return null
  return html`<p>
    <a href="${confirmPath(visit)}">Confirm your identity to invite, change or remove members</a>
  </p>`
}

function confirmPath(visit: ProjectVisit): string {
  return withNext('/portal/confirm', pathOf(visit))
}

interface Choices {
  manages: boolean
  is_sole_owner: boolean
  sites: readonly sites.Site[]
}

function memberRow(
  visit: ProjectVisit,
  member: people.TeamMember,
  { manages, is_sole_owner, sites: choices }: Choices,
): (Html | string | null)[] {
  const { email, role, access, person_id } = member
  const isOneself = person_id === visit.who.person.id
  const action = `${pathOf(visit)}/members/${person_id}`
  const facts = [
    isOneself ? html`${email} ${renderPill('good', 'you')}` : email,
    role,
    accessWords(access, choices),
  ]
  const remove = html`<form method="post" action="${action}/remove">
    <button class="danger" type="submit">
      ${isOneself ? 'Leave' : html`Remove<span class="unseen"> ${email}</span>`}
    </button>
  </form>`
  const leave = isOneself && is_sole_owner ? soleOwner : remove
  if (!manages) return [...facts, isOneself ? leave : null]
  if (!people.hasRole(visit.membership.role, role)) return [...facts, null, null]
  const change = html`<details>
    <summary>Change<span class="unseen"> ${email}</span></summary>
    <form method="post" action="${action}/change">
      ${roleField(visit, role, person_id)} ${sitesField(choices, access, person_id)}
      <button type="submit">Save</button>
    </form>
  </details>`
  return [...facts, change, leave]
}

const soleOwner = 'You are the only owner, so you cannot leave. Make another member an owner first.'

function isSoleOwner({ who }: ProjectVisit, members: readonly people.TeamMember[]): boolean {
  const owners = members.filter(({ role }) => role === 'owner')
  return owners.length === 1 && owners[0]?.person_id === who.person.id
}

function accessWords(access: people.MemberAccess, choices: readonly sites.Site[]): string {
  if (access === null) return 'the whole project'
  const names = access.sites.map((id) => choices.find((site) => site.id === id)?.slug ?? 'a site')
  return names.length > 0 ? names.join(', ') : formatCount(0, 'site')
}

function invitationTable(
  visit: ProjectVisit,
  invitations: readonly people.TeamInvitation[],
  manages: boolean,
): Html {
  return renderTable(
    'Open invitations',
    ['Address', 'Role', 'Expires', ...(manages ? ['Withdraw'] : [])],
    invitations.map(({ id, email, role, expires_at }) => [
      email,
      role,
      renderMoment(expires_at),
      ...(manages
        ? [
            html`<form method="post" action="${pathOf(visit)}/invitations/${id}/withdraw">
              <button type="submit">Withdraw<span class="unseen"> ${email}</span></button>
            </form>`,
          ]
        : []),
    ]),
  )
}

/** A plan with one member allows no invitations, even after a member leaves. */
function inviteSection(visit: ProjectVisit, choices: readonly sites.Site[]): Html {
  const { title, team_members_max } = plans[visit.membership.project.plan]
  const larger = Object.values(plans).find((plan) => plan.team_members_max > 1)
  return html`<section class="card">
    <h2>Invite a member</h2>
    ${
      team_members_max > 1
        ? inviteForm(visit, choices)
        : html`<p>
            The plan ${title} has one member, so no member can be invited.
            ${larger && `The plan ${larger.title} has ${formatCount(larger.team_members_max, 'member')}.`}
          </p>`
    }
  </section>`
}

function inviteForm(visit: ProjectVisit, choices: readonly sites.Site[]): Html {
  return html`<form class="narrow-form" method="post" action="${pathOf(visit)}/invite">
    <div class="field">
      <label for="email">Email address</label>
      <input id="email" name="email" type="email" autocomplete="off" required />
    </div>
    ${roleField(visit, 'member', 'new')} ${sitesField(choices, null, 'new')}
    <button class="primary" type="submit">Invite</button>
  </form>`
}

function roleField({ membership }: ProjectVisit, chosen: people.Role, id: string): Html {
  const given = people.roles.filter((role) => people.hasRole(membership.role, role))
  return html`<div class="field">
    <label for="role-${id}">Role</label>
    <select id="role-${id}" name="role">
      ${given.map(
        (role) =>
          html`<option value="${role}" ${role === chosen && html`selected`}>
            ${role}: ${roleWords[role]}
          </option>`,
      )}
    </select>
  </div>`
}

/** Renders the field of sites. No chosen site means the whole project. */
function sitesField(
  choices: readonly sites.Site[],
  access: people.MemberAccess,
  id: string,
): Html | null {
  if (choices.length === 0 && access === null) return null
  return html`<fieldset>
    <legend>Only these sites</legend>
    ${choices.map((site) =>
      renderChoice({
        type: 'checkbox',
        id: `site-${id}-${site.id}`,
        name: 'site',
        value: site.id,
        text: `${site.title} (${site.slug})`,
        checked: access?.sites.includes(site.id) ?? false,
      }),
    )}
    <p class="hint">None chosen: the whole project.</p>
  </fieldset>`
}

function pathOf({ membership }: ProjectVisit): string {
  return `/portal/projects/${membership.project.id}/team`
}

export async function inviteMember(visit: ProjectVisit): Promise<PortalReply> {
  requireWholeProject(visit)
  const { runtime, who, form, membership } = visit
  if (!who.fresh) return { to: confirmPath(visit) }
  const email = people.readEmail(form.get('email') ?? '')
  if (email === null) return teamPage(visit, 'This is not an email address.')
  const chosen = await readChosen(visit)
  if (typeof chosen === 'string') return teamPage(visit, chosen)
  const invite = { project_id: membership.project.id, email, ...chosen }
  await people.invite(runtime, who.person, invite)
  return { to: `${pathOf(visit)}?done=invited` }
}

export async function changeMember(visit: ProjectVisit): Promise<PortalReply> {
  requireWholeProject(visit)
  const { runtime, who, membership, request } = visit
  if (!who.fresh) return { to: confirmPath(visit) }
  const chosen = await readChosen(visit)
  if (typeof chosen === 'string') return teamPage(visit, chosen)
  const person_id = readId(request, 'person_id')
  const change = { project_id: membership.project.id, person_id, ...chosen }
  await people.changeMember(runtime, who.person, change)
  return { to: `${pathOf(visit)}?done=changed` }
}

/** Reads the role and the sites from the form. Returns a sentence if they are invalid. */
async function readChosen({
  form,
  caller,
}: ProjectVisit): Promise<Pick<people.TeamMember, 'role' | 'access'> | string> {
  const role = people.roles.find((one) => one === form.get('role'))
  if (role === undefined) return 'Choose one of the roles.'
  const wanted = form.getAll('site')
  if (wanted.length === 0) return { role, access: null }
  const { data } = await sites.list(caller, { limit: limits.page_limit_max })
  const known = data.map(({ id }) => id).filter((id) => wanted.includes(id))
  if (known.length < new Set(wanted).size)
    return 'One of the sites does not belong to this project.'
  if (role === 'owner') return 'An owner has access to the whole project: choose no site.'
  return { role, access: fillSelection({ sites: known }) }
}

function removalOf(visit: ProjectVisit, person_id: string): Parameters<typeof askToConfirm>[1] {
  const { name } = visit.membership.project
  const isOneself = person_id === visit.who.person.id
  return {
    title: isOneself ? `Leave ${name}?` : 'Remove this member?',
    explanation: isOneself
      ? `You lose access to ${name} at once. To come back you need a new invitation.`
      : 'They lose access to this project at once. To come back they need a new invitation.',
    button: isOneself ? 'Leave' : 'Remove',
    back: pathOf(visit),
  }
}

export async function removeMember(visit: ProjectVisit): Promise<PortalReply> {
  const { runtime, who, membership, request } = visit
  if (!who.fresh) return { to: confirmPath(visit) }
  const person_id = readId(request, 'person_id')
  if (!isConfirmed(visit)) {
    const { members } = await people.listTeam(
      runtime.db,
      membership.project.id,
      runtime.clock.now(),
    )
    const leaves = person_id === who.person.id
    if (leaves && isSoleOwner(visit, members)) return teamPage(visit, soleOwner)
    return askToConfirm(visit, removalOf(visit, person_id))
  }
  const member = { project_id: membership.project.id, person_id }
  await people.removeMember(runtime, who.person, member)
  return { to: person_id === who.person.id ? '/portal' : `${pathOf(visit)}?done=removed` }
}

export async function withdrawInvitation(visit: ProjectVisit): Promise<PortalReply> {
  requireWholeProject(visit)
  const { runtime, who, membership, request } = visit
  if (!who.fresh) return { to: confirmPath(visit) }
  const invitation = { project_id: membership.project.id, id: readId(request, 'invitation_id') }
  await people.withdrawInvitation(runtime, who.person, invitation)
  return { to: `${pathOf(visit)}?done=withdrawn` }
}
