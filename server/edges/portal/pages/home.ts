/** The first page after the sign-in: the projects that the person is a member of. */
import * as people from '../../../areas/people/service.ts'
import { html, type Html } from '../../html/html.ts'
import type { PortalPage } from '../layout.ts'
import { readId, readParameters, type PortalReply, type PersonVisit } from '../visit.ts'

export async function homePage({ runtime, who }: PersonVisit): Promise<PortalPage> {
  const memberships = await people.listMemberships(runtime.db, who.person)
  const invitations = await people.listInvitationsTo(runtime, who.person)
  return {
    title: 'Projects',
    email: who.person.email,
    main: html`<h1>Projects</h1>
      ${memberships.length > 0 && html`<p><a href="/portal/app/">Open the new portal</a></p>`}
      ${invitations.map(invitationCard)}
      ${memberships.length > 0 ? projectList(memberships) : nothingYet(who.person.email)}`,
  }
}

function invitationCard(invitation: people.ReceivedInvitation): Html {
  const { id, project_id, project_name, role, invited_by } = invitation
  const action = `/portal/invitations/${project_id}/${id}`
  return html`<section class="card">
    <h2>You are invited to ${project_name}</h2>
    <p>By ${invited_by ?? 'the operator of this installation'}, as ${role}.</p>
    <div class="buttons">
      <form method="post" action="${action}/accept">
        <button class="primary" type="submit">Accept</button>
      </form>
      <form method="post" action="${action}/decline"><button type="submit">Decline</button></form>
    </div>
  </section>`
}

export async function answerInvitation({
  runtime,
  who,
  request,
}: PersonVisit): Promise<PortalReply> {
  const project_id = readId(request, 'id')
  const accepts = readParameters(request)['answer'] === 'accept'
  const invitation = { project_id, id: readId(request, 'invitation_id'), accepts }
  await people.answerInvitation(runtime, who.person, invitation)
  return { to: accepts ? `/portal/projects/${project_id}` : '/portal' }
}

function projectList(memberships: readonly people.Membership[]): Html {
  return html`<ul class="cards">
    ${memberships.map(
      ({ project, role, access }) =>
        html`<li>
          <a href="/portal/projects/${project.id}"><b>${project.name}</b></a>
          <p>
            ${[shapeWords[project.shape], role, access && 'limited'].filter(Boolean).join(' · ')}
          </p>
        </li>`,
    )}
  </ul>`
}

const shapeWords = { single: null, live: 'live project', test: 'test project' } as const

function nothingYet(email: string): Html {
  return html`<p>
      You are signed in as ${email}, and are not a member of any project yet. Ask a project owner to
      invite this address.
    </p>
    <p>If you operate this installation, create a project with this command:</p>
    <pre><code>npm run -s homeport -- projects create --name "My project" --owner-email ${email}</code></pre>`
}
