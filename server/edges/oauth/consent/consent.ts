/**
 * The OAuth consent page: the client, the address to which it redirects, and the project. It needs
 * no script. Text from the client is escaped.
 */
import * as activity from '../../../areas/activity/service.ts'
import * as keys from '../../../areas/keys/service.ts'
import * as people from '../../../areas/people/service.ts'
import { html, type Html } from '../../html/html.ts'
import { createErrorPage } from '../error-page.ts'
import {
  allowRequest,
  findAuthorizationRequest,
  refuseRequest,
  type AuthorizationRequest,
} from '../authorization-requests.ts'
import { renderChoice, renderNotice } from '../../portal/pieces.ts'
import {
  hereOf,
  readParameters,
  type Portal,
  type PortalReply,
  type PersonVisit,
} from '../../portal/visit.ts'
import { consentForm, readConsentForm } from './consent-form.ts'
import { consentTexts, type ConsentTexts } from './texts.ts'

export function addConsent(portal: Portal): void {
  portal.person('GET /portal/connect/:uid', consentPage)
  portal.person('POST /portal/connect/:uid', decideConsent)
}

async function consentPage(visit: PersonVisit, fault: string | null = null): Promise<PortalReply> {
  const waiting = await findAuthorizationRequest(visit, uidOf(visit))
  if (!waiting) return expiredPage(visit)
  const t = consentTexts[visit.language]
  const memberships = await connectable(visit)
  const wanted = visit.form.get('project') ?? visit.query.get('project')
  const chosen =
    memberships.length === 1
      ? memberships[0]
      : memberships.find(({ project }) => project.id === wanted)
  return {
    title: t.title(waiting.client.name),
    language: visit.language,
    here: hereOf(visit.request),
    email: visit.who.person.email,
    form_leads_to: waiting.back.source,
    ...(fault !== null && { status: 422 }),
    main: html`<div class="reading">
      <h1>${t.heading(waiting.client.name)}</h1>
      ${fault !== null && renderNotice('bad', html`<p>${fault}</p>`)} ${clientSection(waiting, t)}
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

function expiredPage({ language }: PersonVisit): PortalReply {
  const fault = { error: 'invalid_request', error_description: 'the session was not found' }
  return { ...createErrorPage(fault, language), status: 404 }
}

/** Projects to which this person may connect a client. */
async function connectable({ runtime, who }: PersonVisit): Promise<people.Membership[]> {
  const memberships = await people.listMemberships(runtime.db, who.person)
  return memberships.filter(
    ({ project }) => project.enabled && keys.listKeyModes(project).length > 0,
  )
}

function clientSection(waiting: AuthorizationRequest, t: ConsentTexts): Html {
  const { client, back } = waiting
  return html`<section class="card">
      <p><b>${client.name}</b>${t.requests}</p>
      <p>${t.sent_to}${destination(back, t)}.</p>
    </section>
    ${client.metadata_host === null ? unverifiedNotice(waiting, t) : metadataHostNotice(client.metadata_host, back, t)}`
}

function destination({ sort, host }: AuthorizationRequest['back'], t: ConsentTexts): Html {
  if (sort === 'web') return html`<b>${host}</b>`
  if (sort === 'app') return html`${t.to_app[0]}<b>${host}</b>${t.to_app[1]}`
  return html`${t.to_program}<b>${host}</b>`
}

function unverifiedNotice({ client, back }: AuthorizationRequest, t: ConsentTexts): Html {
  const here = back.sort === 'web' ? '' : t.sent_here
  return renderNotice(
    'warning',
    html`<p>${t.unverified(client.name)}${here}. ${t.trust_program}</p>`,
  )
}

function metadataHostNotice(
  host: string,
  back: AuthorizationRequest['back'],
  t: ConsentTexts,
): Html {
  const elsewhere = {
    web: host === back.host ? null : t.other_address(back.host),
    loopback: t.this_device,
    app: t.this_device,
  }[back.sort]
  return renderNotice(
    elsewhere === null ? 'quiet' : 'warning',
    html`<p>${t.described_at}<b>${host}</b>. ${elsewhere} ${t.trust_address}</p>`,
  )
}

function projectChooser(visit: PersonVisit, memberships: readonly people.Membership[]): Html {
  const path = pathOf(visit)
  const t = consentTexts[visit.language]
  if (memberships.length === 0) {
    return html`<p>${t.no_project(visit.who.person.email)}</p>
      ${cancelForm(path, t)}`
  }
  return html`<form method="get" action="${path}">
      <fieldset>
        <legend>${t.which_project}</legend>
        ${memberships.map(({ project, role }, index) =>
          renderChoice({
            type: 'radio',
            name: 'project',
            value: project.id,
            text: html`<span
              >${project.name}
              <span class="soft">${t.shapes[project.shape] + t.roles[role]}</span></span
            >`,
            checked: index === 0,
          }),
        )}
      </fieldset>
      <div class="buttons"><button class="primary" type="submit">${t.continue}</button></div>
    </form>
    ${cancelForm(path, t)}`
}

function cancelForm(path: string, t: ConsentTexts): Html {
  return html`<form method="post" action="${path}">
    <button type="submit" name="decision" value="cancel">${t.cancel}</button>
  </form>`
}

function pathOf({ request }: PersonVisit): string {
  return request.url.split('?')[0] ?? ''
}

async function decideConsent(visit: PersonVisit): Promise<PortalReply> {
  const uid = uidOf(visit)
  const waiting = await findAuthorizationRequest(visit, uid)
  if (!waiting) return expiredPage(visit)
  if (visit.form.get('decision') !== 'allow')
    return redirectOrExpired(visit, await refuseRequest(visit, uid))
  const memberships = await connectable(visit)
  const membership = memberships.find(({ project }) => project.id === visit.form.get('project'))
  if (!membership) return consentPage(visit, consentTexts[visit.language].faults.project)
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
  return redirectOrExpired(visit, await activity.record(runtime, { acting, work }))
}

function redirectOrExpired(visit: PersonVisit, address: string | null): PortalReply {
  return address === null ? expiredPage(visit) : { to: address }
}
