/** Creating an account: the address and the terms, then the code by mail. */
import * as people from '../../../../areas/people/service.ts'
import { html, type Html } from '../../../html/html.ts'
import { renderNotice } from '../../pieces.ts'
import { accountTexts } from '../account/texts.ts'
import { finishSignIn, setSignInCookie } from '../../session-cookie.ts'
import { findSession, type PortalReply, type PortalVisit } from '../../visit.ts'
import { hasAcceptedTerms, ROOT, signUpPage, termsField, textsOf } from './parts.ts'

const CODE = `${ROOT}/code`
const METHOD = `${ROOT}/method`

export async function addressPage(visit: PortalVisit): Promise<PortalReply> {
  if (await findSession(visit)) return { to: '/portal' }
  return renderAddress(visit, { fault: null })
}

interface Filled {
  fault: string | null
  email?: string
}

function renderAddress(visit: PortalVisit, { fault, email = '' }: Filled): PortalReply {
  const t = textsOf(visit)
  const isInvited = visit.runtime.config.sign_up.mode === 'invite'
  return signUpPage(visit, {
    title: t.title,
    step: 1,
    fault,
    main: html`${isInvited && html`<p>${t.by_invitation}</p>`} ${addressForm(visit, { email })}
      <p class="hint">${t.have_account} <a href="/portal/sign-in">${t.sign_in}</a></p>`,
  })
}

/** `invitation`: the secret of a link for any address. */
export function addressForm(
  visit: PortalVisit,
  { email = '', invitation }: { email?: string; invitation?: string },
): Html {
  const t = textsOf(visit)
  return html`<form method="post" action="${ROOT}">
    ${invitation !== undefined && html`<input type="hidden" name="invitation" value="${invitation}" />`}
    <div class="field">
      <label for="email">${t.email}</label>
      <input id="email" name="email" type="email" autocomplete="email" value="${email}" required />
    </div>
    ${termsField(visit)}
    <button class="primary" type="submit">${t.continue}</button>
  </form>`
}

export async function submitAddress(visit: PortalVisit): Promise<PortalReply> {
  const { runtime, request, form, rates, device } = visit
  const t = textsOf(visit)
  const given = form.get('email') ?? ''
  const email = people.readEmail(given)
  if (email === null) {
    return renderAddress(visit, { fault: t.not_email, email: given.slice(0, 300) })
  }
  if (!hasAcceptedTerms(visit)) return renderAddress(visit, { fault: t.accept_terms, email })
  rates.step(device.network)
  const secret = form.get('invitation') ?? ''
  const invitation = await people.findSignUpInvitationFor(runtime, { secret, email })
  const is_invited = invitation !== null
  const delay_s = rates.signUp({ address: request.ip, email, is_invited })
  setSignInCookie(visit, await people.beginSignUp(runtime, { email, device, invitation, delay_s }))
  return { to: CODE }
}

export async function codePage(
  visit: PortalVisit,
  fault: string | null = null,
): Promise<PortalReply> {
  const { runtime, cookies, request } = visit
  const t = textsOf(visit)
  const found = await people.findSignIn(runtime, 'portal', cookies.read(request, 'sign_in'))
  if (!found?.is_sign_up) return { to: ROOT }
  if (found.first_proven) return { to: `/portal/sign-in/second?next=${METHOD}` }
  return signUpPage(visit, {
    title: t.check_mail,
    step: 2,
    fault,
    main: html`${renderNotice(
        'quiet',
        html`<p>${t.code_sent(found.email)}</p>
          ${found.code_delayed && html`<p>${accountTexts[visit.language].code_delayed}</p>`}`,
      )}
      <form method="post" action="${CODE}">
        <div class="field">
          <label for="code">${t.code}</label>
          <input
            id="code"
            class="code"
            name="code"
            inputmode="numeric"
            autocomplete="one-time-code"
            maxlength="20"
            required
          />
        </div>
        <button class="primary" type="submit">${t.continue}</button>
      </form>
      <form class="second" method="post" action="${CODE}/send">
        <button type="submit">${t.another_code}</button>
      </form>
      <p class="hint"><a href="${ROOT}">${t.another_address}</a></p>
      ${
        runtime.config.mail.provider === 'log' &&
        html`<p class="hint">${t.in_log}<a href="/dev/mail">/dev/mail</a>.</p>`
      }`,
  })
}

export async function sendCode(visit: PortalVisit): Promise<PortalReply> {
  const { runtime, device, rates, cookies, request } = visit
  const secret = cookies.read(request, 'sign_in')
  const found = await people.findSignIn(runtime, 'portal', secret)
  if (!found?.is_sign_up) return { to: ROOT }
  rates.step(device.network)
  const delay_s = rates.signUp({ address: request.ip, ...found })
  await people.requestCode(runtime, { realm: 'portal', secret, device, delay_s })
  return { to: CODE }
}

export async function submitCode(visit: PortalVisit): Promise<PortalReply> {
  const { runtime, form, device, rates, cookies, request } = visit
  rates.step(device.network)
  const secret = cookies.read(request, 'sign_in')
  const code = form.get('code') ?? ''
  const proven = await people.verifyCode(runtime, { realm: 'portal', secret, device, code })
  if (proven) return finishSignIn(visit, proven, METHOD)
  return codePage(visit, textsOf(visit).wrong_code)
}
