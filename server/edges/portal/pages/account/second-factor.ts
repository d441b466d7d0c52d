/** The second factor: its step of the sign-in, and its setup and removal on the account page. */
import { renderSVG } from 'uqr'
import * as people from '../../../../areas/people/service.ts'
import { html, type Html } from '../../../html/html.ts'
import type { PortalPage } from '../../layout.ts'
import { renderNotice } from '../../pieces.ts'
import { askToConfirm, isConfirmed } from '../../question.ts'
import { finishSignIn, withNext } from '../../session-cookie.ts'
import { readNextPath, type PortalReply, type PersonVisit, type PortalVisit } from '../../visit.ts'
import { nextField, passkeySignIn } from './sign-in.ts'

const ACCOUNT = '/portal/account'
const TOTP = `${ACCOUNT}/totp`

export async function secondFactorPage(
  visit: PortalVisit,
  fault: string | null = null,
): Promise<PortalReply> {
  const { runtime, cookies, request } = visit
  const next = readNextPath((fault === null ? visit.query : visit.form).get('next'))
  const found = await people.findSignIn(runtime, 'portal', cookies.read(request, 'sign_in'))
  if (!found) return { to: withNext('/portal/sign-in', next) }
  if (!found.first_proven) return { to: withNext('/portal/sign-in/proof', next) }
  return {
    title: 'Second factor',
    ...(fault !== null && { status: 422 }),
    main: html`<div class="narrow">
      <h1>Second factor</h1>
      <p>${found.email}</p>
      ${fault !== null && renderNotice('bad', html`<p>${fault}</p>`)}
      <form method="post" action="/portal/sign-in/second">
        ${nextField(next)} ${codeField('Code from your authenticator app')}
        <button class="primary" type="submit">Sign in</button>
      </form>
      <p class="hint">Without your phone, enter one of your recovery codes instead.</p>
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
  if (found.first_proven) rates.second(found.email)
  const code = form.get('code') ?? ''
  const proven = await people.verifySecondFactor(runtime, { realm: 'portal', secret, device, code })
  if (proven) return finishSignIn(visit, proven, readNextPath(form.get('next')))
  return secondFactorPage(visit, 'The code is wrong or was used before. Wait for the next one.')
}

export async function totpPage(
  visit: PersonVisit,
  fault: string | null = null,
): Promise<PortalReply> {
  const { runtime, who, form } = visit
  if (who.person.has_totp) return { to: ACCOUNT }
  if (!who.fresh) return { to: withNext('/portal/confirm', TOTP) }
  const sealed = fault === null ? undefined : (form.get('sealed') ?? undefined)
  const setup = people.setUpTotp(runtime, who, sealed)
  const picture = Buffer.from(renderSVG(setup.url, { border: 2 })).toString('base64')
  return {
    title: 'Authenticator app',
    email: who.person.email,
    ...(fault !== null && { status: 422 }),
    main: html`<div class="narrow">
      <h1>Authenticator app</h1>
      ${fault !== null && renderNotice('bad', html`<p>${fault}</p>`)}
      <p>Scan this with the app, or enter the secret in the app.</p>
      <p class="qr">
        <img
          src="data:image/svg+xml;base64,${picture}"
          width="192"
          height="192"
          alt="A QR code with the secret shown below it"
        />
      </p>
      <p><code>${spaced(setup.secret)}</code></p>
      <form method="post" action="${TOTP}">
        <input type="hidden" name="sealed" value="${setup.sealed}" />
        ${codeField('The code that the app shows now')}
        <button class="primary" type="submit">Turn on</button>
      </form>
    </div>`,
  }
}

function spaced(secret: string): string {
  return secret.replaceAll(/.{4}(?=.)/g, '$& ')
}

export async function confirmTotp(visit: PersonVisit): Promise<PortalReply> {
  const { runtime, who, form, rates } = visit
  if (!who.fresh) return { to: withNext('/portal/confirm', TOTP) }
  rates.second(who.person.email)
  const given = { sealed: form.get('sealed') ?? '', code: form.get('code') ?? '' }
  const codes = await people.confirmTotp(runtime, who, given)
  if (codes === null) return totpPage(visit, 'The code is wrong. Try the next one.')
  return codesPage(visit, codes)
}

function codesPage({ who }: PersonVisit, codes: readonly string[]): PortalPage {
  const once = 'The codes are shown only once. Store them in a safe place.'
  return {
    title: 'Recovery codes',
    email: who.person.email,
    main: html`<div class="narrow">
      <h1>Recovery codes</h1>
      ${renderNotice('warning', html`<p>${once}</p>`)}
      <p>Each code replaces the authenticator app once.</p>
      <ul class="codes">
        ${codes.map((code) => html`<li><code>${code}</code></li>`)}
      </ul>
      <p><a href="${ACCOUNT}">I have saved them</a></p>
    </div>`,
  }
}

const removal = {
  title: 'Remove the second factor?',
  explanation:
    'A password or a code by mail is then enough to sign in. Your recovery codes stop working.',
  button: 'Remove',
  back: ACCOUNT,
}

export async function removeTotp(visit: PersonVisit): Promise<PortalReply> {
  const { runtime, who } = visit
  if (!who.fresh) return { to: withNext('/portal/confirm', ACCOUNT) }
  if (!isConfirmed(visit)) return askToConfirm(visit, removal)
  await people.removeTotp(runtime, who)
  return { to: `${ACCOUNT}?done=totp-removed` }
}

export async function newRecoveryCodes(visit: PersonVisit): Promise<PortalReply> {
  const { runtime, who } = visit
  if (!who.fresh) return { to: withNext('/portal/confirm', ACCOUNT) }
  if (!who.person.has_totp) return { to: ACCOUNT }
  return codesPage(visit, await people.renewRecoveryCodes(runtime, who))
}
