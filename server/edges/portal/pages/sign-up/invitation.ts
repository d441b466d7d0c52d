/**
 * The link of an invitation. One to an address was mailed to it, so it proves the address; one for any
 * address leads to the usual steps. A GET changes nothing, because mail programs open links.
 */
import * as people from '../../../../areas/people/service.ts'
import { html } from '../../../html/html.ts'
import { finishSignIn } from '../../session-cookie.ts'
import { findSession, readParameters, type PortalReply, type PortalVisit } from '../../visit.ts'
import { addressForm } from './address.ts'
import { hasAcceptedTerms, ROOT, signUpPage, termsField, textsOf } from './parts.ts'

export async function invitationPage(
  visit: PortalVisit,
  fault: string | null = null,
): Promise<PortalReply> {
  const t = textsOf(visit)
  const secret = readParameters(visit.request)['secret'] ?? ''
  const found = await people.findSignUpInvitation(visit.runtime, secret)
  if (!found) return { ...signUpPage(visit, usedLink(visit)), status: 404 }
  if (found.email === null) {
    const main = html`<p>${t.invited_by_link}</p>
      ${addressForm(visit, { invitation: secret })}`
    return signUpPage(visit, { title: t.invited, step: 1, fault, main })
  }
  return signUpPage(visit, {
    title: t.invited,
    fault,
    main: html`<p>${t.invited_as(found.email)}</p>
      <form method="post" action="${ROOT}/invitation/${secret}">
        ${termsField(visit)}
        <button class="primary" type="submit">${t.continue}</button>
      </form>`,
  })
}

function usedLink(visit: PortalVisit) {
  const t = textsOf(visit)
  return {
    title: t.link_used,
    main: html`<p>${t.link_used_about}</p>
      <p><a href="/portal/sign-in">${t.sign_in}</a></p>`,
  }
}

export async function acceptInvitation(visit: PortalVisit): Promise<PortalReply> {
  const { runtime, device, rates, request } = visit
  rates.step(device.network)
  if (!hasAcceptedTerms(visit)) return invitationPage(visit, textsOf(visit).accept_terms)
  const secret = readParameters(request)['secret'] ?? ''
  const proven = await people.signUpByInvitation(runtime, { secret, device })
  if (!proven) return { ...signUpPage(visit, usedLink(visit)), status: 404 }
  if (proven.kind === 'has_account') return { to: '/portal/sign-in' }
  const before = await findSession(visit)
  if (before) await people.endSession(runtime, before, before.session_id)
  return finishSignIn(visit, proven, `${ROOT}/method`)
}
