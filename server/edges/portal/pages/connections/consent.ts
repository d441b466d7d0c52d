/**
 * The OAuth consent page: the client, the address to which it redirects, and the project. It needs
 * no script. Text from the client is escaped.
 */
import * as activity from '../../../../areas/activity/service.ts'
import * as keys from '../../../../areas/keys/service.ts'
import * as people from '../../../../areas/people/service.ts'
import { html, type Html } from '../../../html/html.ts'
import { createErrorPage } from '../../../oauth/error-page.ts'
import {
  allowRequest,
  findAuthorizationRequest,
  refuseRequest,
  type AuthorizationRequest,
} from '../../../oauth/authorization-requests.ts'
import { renderChoice, renderNotice } from '../../pieces.ts'
import { readParameters, type PortalReply, type PersonVisit } from '../../visit.ts'
import { consentForm, readConsentForm } from './consent-form.ts'

export async function consentPage(
  visit: PersonVisit,
  fault: string | null = null,
): Promise<PortalReply> {
  const waiting = await findAuthorizationRequest(visit, uidOf(visit))
  if (!waiting) return expiredPage()
  const memberships = await connectable(visit)
  const wanted = visit.form.get('project') ?? visit.query.get('project')
  const chosen =
    memberships.length === 1
      ? memberships[0]
      : memberships.find(({ project }) => project.id === wanted)
  return {
    title: `Connect ${waiting.client.name}`,
    email: visit.who.person.email,
    form_leads_to: waiting.back.source,
    ...(fault !== null && { status: 422 }),
    main: html`<div class="reading">
      <h1>Connect ${waiting.client.name}?</h1>
      ${fault !== null && renderNotice('bad', html`<p>${fault}</p>`)} ${clientSection(waiting)}
      ${
        chosen
          ? await consentForm(visit, waiting, { membership: chosen, many: memberships.length > 1 })
          : projectChooser(visit, memberships)
      }
    </div>`,
  }
}

function uidOf({ request }: PersonVisit): string {
  return readParameters(request)['uid'] ?? ''
}

function expiredPage(): PortalReply {
  const fault = { error: 'invalid_request', error_description: 'the session was not found' }
  return { ...createErrorPage(fault), status: 404 }
}

/** Projects to which this person may connect a client. */
async function connectable({ runtime, who }: PersonVisit): Promise<people.Membership[]> {
  const memberships = await people.listMemberships(runtime.db, who.person)
  return memberships.filter(
    ({ project }) => project.enabled && keys.listKeyModes(project).length > 0,
  )
}

function clientSection(waiting: AuthorizationRequest): Html {
  const { client, back } = waiting
  return html`<section class="card">
      <p><b>${client.name}</b> requests access to one of your projects.</p>
      <p>Your decision is sent to ${destination(back)}.</p>
    </section>
    ${client.metadata_host === null ? unverifiedNotice(waiting) : metadataHostNotice(client.metadata_host, back)}`
}

function destination({ sort, host }: AuthorizationRequest['back']): Html {
  if (sort === 'web') return html`<b>${host}</b>`
  if (sort === 'app') return html`the app that opens <b>${host}</b> on this device`
  return html`a program on this computer, <b>${host}</b>`
}

function unverifiedNotice({ client, back }: AuthorizationRequest): Html {
  const here =
    back.sort !== 'web' &&
    html`, and the decision is sent to this device, where any program could pretend to be it`
  return renderNotice(
    'warning',
    html`<p>
      It is not verified that this is really ${client.name}: the program chose its own name${here}.
      Continue only if you started this yourself, in a program that you trust.
    </p>`,
  )
}

function metadataHostNotice(host: string, back: AuthorizationRequest['back']): Html {
  const elsewhere = {
    web:
      host === back.host ? null : `The decision is sent to ${back.host}, which is another address.`,
    loopback: 'The decision is sent to this device, where any program could pretend to be it.',
    app: 'The decision is sent to this device, where any program could pretend to be it.',
  }[back.sort]
  return renderNotice(
    elsewhere === null ? 'quiet' : 'warning',
    html`<p>
      It is described at <b>${host}</b>. ${elsewhere} Continue only if you trust that address and
      started this yourself.
    </p>`,
  )
}

function projectChooser(visit: PersonVisit, memberships: readonly people.Membership[]): Html {
  const path = pathOf(visit)
  if (memberships.length === 0) {
    return html`<p>
        You are signed in as ${visit.who.person.email}, and are not a member of any project that it
        could be connected to.
      </p>
      ${cancelForm(path)}`
  }
  return html`<form method="get" action="${path}">
      <fieldset>
        <legend>Which project?</legend>
        ${memberships.map(({ project, role }, index) =>
          renderChoice({
            type: 'radio',
            name: 'project',
            value: project.id,
            text: html`<span
              >${project.name}
              <span class="soft">${[shapeWords[project.shape], role].join('')}</span></span
            >`,
            checked: index === 0,
          }),
        )}
      </fieldset>
      <div class="buttons"><button class="primary" type="submit">Continue</button></div>
    </form>
    ${cancelForm(path)}`
}

const shapeWords = { single: '', live: 'live project, ', test: 'test project, ' } as const

function cancelForm(path: string): Html {
  return html`<form method="post" action="${path}">
    <button type="submit" name="decision" value="cancel">Cancel</button>
  </form>`
}

function pathOf({ request }: PersonVisit): string {
  return request.url.split('?')[0] ?? ''
}

export async function decideConsent(visit: PersonVisit): Promise<PortalReply> {
  const uid = uidOf(visit)
  const waiting = await findAuthorizationRequest(visit, uid)
  if (!waiting) return expiredPage()
  if (visit.form.get('decision') !== 'allow')
    return redirectOrExpired(await refuseRequest(visit, uid))
  const memberships = await connectable(visit)
  const membership = memberships.find(({ project }) => project.id === visit.form.get('project'))
  if (!membership) return consentPage(visit, 'Choose a project that you are a member of.')
  const choice = await readConsentForm(visit, membership)
  if ('fault' in choice) return consentPage(visit, choice.fault)
  const decision = { person_id: visit.who.person.id, membership, ...choice }
  const work = () => allowRequest(visit, uid, { waiting, decision })
  const { runtime, request, who } = visit
  const acting = {
    entry_point: 'portal',
    actor_kind: 'person',
    actor_id: who.person.id,
    operation: 'connections.create',
    request_id: request.id,
    mode: decision.mode,
    path_id: null,
    // The transaction that creates the connection names the project.
    project_id: null,
  } as const
  return redirectOrExpired(await activity.record(runtime, { acting, work }))
}

function redirectOrExpired(address: string | null): PortalReply {
  return address === null ? expiredPage() : { to: address }
}
