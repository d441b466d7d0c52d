/** The second factor: its step of the sign-in. */
import * as people from '../../../../areas/people/service.ts'
import { html, type Html } from '../../../html/html.ts'
import { renderNotice } from '../../pieces.ts'
import { attemptAt } from '../../known-browser.ts'
import { finishSignIn, withNext } from '../../session-cookie.ts'
import { readNextPath, type PortalReply, type PortalVisit } from '../../visit.ts'
import { nextField, passkeySignIn } from './sign-in.ts'
import { accountTexts } from './texts.ts'

export async function secondFactorPage(
  visit: PortalVisit,
  fault: string | null = null,
): Promise<PortalReply> {
  const { runtime, cookies, request } = visit
  const t = accountTexts[visit.language]
  const next = readNextPath((fault === null ? visit.query : visit.form).get('next'))
  const found = await people.findSignIn(runtime, 'portal', cookies.read(request, 'sign_in'))
  if (!found) return { to: withNext('/portal/sign-in', next) }
  if (!found.first_proven) return { to: withNext('/portal/sign-in/proof', next) }
  return {
    title: t.second,
    language: visit.language,
    here: withNext('/portal/sign-in/second', next),
    ...(fault !== null && { status: 422 }),
    main: html`<div class="narrow">
      <h1>${t.second}</h1>
      <p>${found.email}</p>
      ${fault !== null && renderNotice('bad', html`<p>${fault}</p>`)}
      <form method="post" action="/portal/sign-in/second">
        ${nextField(next)} ${codeField(t.second_code)}
        <button class="primary" type="submit">${t.sign_in}</button>
      </form>
      <p class="hint">${t.recovery}</p>
      ${passkeySignIn(visit, next)}
    </div>`,
  }
}

function codeField(label: string): Html {
  return html`<div class="field">
    <label for="code">${label}</label>
    <input
      id="code"
      class="code"
      name="code"
      autocomplete="one-time-code"
      autocapitalize="none"
      maxlength="20"
      required
    />
  </div>`
}

export async function submitSecondFactor(visit: PortalVisit): Promise<PortalReply> {
  const { runtime, cookies, request, form, device, rates } = visit
  const secret = cookies.read(request, 'sign_in')
  const found = await people.findSignIn(runtime, 'portal', secret)
  if (!found) return { to: '/portal/sign-in' }
  rates.step(device.network)
  if (found.first_proven) rates.second(attemptAt(visit, found.email))
  const code = form.get('code') ?? ''
  const proven = await people.verifySecondFactor(runtime, { realm: 'portal', secret, device, code })
  if (proven) return finishSignIn(visit, proven, readNextPath(form.get('next')))
  return secondFactorPage(visit, accountTexts[visit.language].wrong_second)
}
