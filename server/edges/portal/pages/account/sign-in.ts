/**
 * Signing in, step by step: the address, then a password or a code by mail. Every step looks the
 * same for an address that has an account and for one that has none.
 */
import * as people from '../../../../areas/people/service.ts'
import { limits } from '../../../../contract/limits.ts'
import { html, type Html } from '../../../html/html.ts'
import { passkeyForm } from './passkey-form.ts'
import { accountTexts, type AccountTexts } from './texts.ts'
import { renderNotice } from '../../pieces.ts'
import { attemptAt } from '../../known-browser.ts'
import { setSignInCookie, finishSignIn, withNext } from '../../session-cookie.ts'
import {
  readNextPath,
  findSession,
  type PortalReply,
  type PersonVisit,
  type PortalVisit,
} from '../../visit.ts'

const PROOF = '/portal/sign-in/proof'

export async function signInPage(visit: PortalVisit): Promise<PortalReply> {
  const next = readNextPath(visit.query.get('next'))
  if (await findSession(visit)) return { to: next }
  const above = visit.query.get('done') === 'signed-out' ? signedOut(visit) : null
  return addressPage(visit, { next, above })
}

function signedOut({ language }: PortalVisit): Html {
  return renderNotice('good', html`<p>${accountTexts[language].signed_out}</p>`)
}

function addressPage(
  visit: PortalVisit,
  { next, above, email = '' }: { next: string; above: Html | null; email?: string },
): Exclude<PortalReply, { to: string }> {
  const t = accountTexts[visit.language]
  return {
    title: t.sign_in,
    language: visit.language,
    here: withNext('/portal/sign-in', next),
    main: html`<div class="narrow">
      <h1>${t.sign_in}</h1>
      ${above}
      <form method="post" action="/portal/sign-in">
        ${nextField(next)}
        <div class="field">
          <label for="email">${t.email}</label>
          <input
            id="email"
            name="email"
            type="email"
            autocomplete="username webauthn"
            value="${email}"
            required
          />
        </div>
        <button class="primary" type="submit">${t.continue}</button>
      </form>
      ${passkeySignIn(visit, next)} ${signUpHint(visit)}
    </div>`,
  }
}

function signUpHint({ runtime, language }: PortalVisit): Html | null {
  if (runtime.config.sign_up.mode !== 'open') return null
  const t = accountTexts[language]
  return html`<p class="hint">${t.no_account} <a href="/portal/sign-up">${t.create_account}</a></p>`
}

/** Accepts any passkey of the browser, which also offers it as autofill in the email field. */
export function passkeySignIn(visit: PortalVisit, next: string): Html | null {
  const { runtime, cookies, request, reply, language } = visit
  const secret = cookies.read(request, 'passkey')
  const question = people.createSignInOptions(runtime, { realm: 'portal', secret })
  if (!question) return null
  const kept_s = limits.passkey_challenge_s
  cookies.set(reply, 'passkey', { value: question.secret, kept_s })
  return passkeyForm({
    action: '/portal/sign-in/passkey',
    language,
    question,
    fields: nextField(next),
    button: accountTexts[language].by_passkey,
  })
}

export async function signInByPasskey(visit: PortalVisit): Promise<PortalReply> {
  const { runtime, cookies, request, reply, form, device, rates } = visit
  rates.step(device.network)
  const next = readNextPath(form.get('next'))
  const secret = cookies.read(request, 'passkey')
  const response = form.get('response') ?? ''
  const given = { realm: 'portal', secret, device, response } as const
  const proven = await people.signInByPasskey(runtime, given)
  if (!proven) {
    const above = renderNotice('bad', html`<p>${accountTexts[visit.language].passkey_fault}</p>`)
    return { ...addressPage(visit, { next, above }), status: 422 }
  }
  const before = await findSession(visit)
  if (before) await people.endSession(runtime, before, before.session_id)
  cookies.clear(reply, 'passkey')
  return finishSignIn(visit, proven, next)
}

export function nextField(next: string): Html {
  return html`<input type="hidden" name="next" value="${next}" />`
}

export async function submitAddress(visit: PortalVisit): Promise<PortalReply> {
  const { runtime, form, rates, device } = visit
  const next = readNextPath(form.get('next'))
  const given = form.get('email') ?? ''
  const email = people.readEmail(given)
  if (email === null) {
    const fault = renderNotice('bad', html`<p>${accountTexts[visit.language].not_email}</p>`)
    const page = addressPage(visit, { next, above: fault, email: given.slice(0, 300) })
    return { ...page, status: 422 }
  }
  rates.step(device.network)
  setSignInCookie(visit, await people.beginSignIn(runtime, { realm: 'portal', email }))
  return { to: withNext(PROOF, next) }
}

/** Confirms the identity of a signed-in person before a sensitive action. */
export async function confirmPage(
  visit: PersonVisit,
  fault: string | null = null,
): Promise<PortalReply> {
  const { runtime, who, language } = visit
  const t = accountTexts[language]
  const next = readNextPath((fault === null ? visit.query : visit.form).get('next'))
  if (who.fresh) return { to: next }
  const question = await people.createConfirmationOptions(runtime, 'portal', who)
  return {
    title: t.confirm,
    language,
    here: withNext('/portal/confirm', next),
    email: who.person.email,
    ...(fault !== null && { status: 422 }),
    main: html`<div class="narrow">
      <h1>${t.confirm}</h1>
      ${fault !== null && renderNotice('bad', html`<p>${fault}</p>`)}
      <p>${t.confirm_about}</p>
      <form method="post" action="/portal/confirm">
        ${nextField(next)}
        <button class="primary" type="submit">${t.continue_as(who.person.email)}</button>
      </form>
      ${
        question &&
        passkeyForm({
          action: '/portal/confirm/passkey',
          language,
          question,
          fields: nextField(next),
          button: t.use_passkey,
        })
      }
    </div>`,
  }
}

export async function confirmByPasskey(visit: PersonVisit): Promise<PortalReply> {
  const { runtime, who, form, rates, device } = visit
  rates.step(device.network)
  const response = form.get('response') ?? ''
  const confirmed = await people.confirmByPasskey(runtime, who, { realm: 'portal', response })
  if (confirmed) return { to: readNextPath(form.get('next')) }
  return confirmPage(visit, accountTexts[visit.language].not_your_passkey)
}

export async function beginConfirmation(visit: PersonVisit): Promise<PortalReply> {
  const { runtime, who, form, rates, device } = visit
  rates.step(device.network)
  setSignInCookie(visit, await people.beginConfirmation(runtime, 'portal', who))
  return { to: withNext(PROOF, readNextPath(form.get('next'))) }
}

export async function proofPage(
  visit: PortalVisit,
  fault: string | null = null,
): Promise<PortalReply> {
  const t = accountTexts[visit.language]
  const source = fault === null ? visit.query : visit.form
  const next = readNextPath(source.get('next'))
  const found = await people.findSignIn(visit.runtime, 'portal', secretOf(visit))
  if (!found) return { to: withNext('/portal/sign-in', next) }
  if (found.first_proven) return { to: withNext('/portal/sign-in/second', next) }
  const { email, confirms } = found
  return {
    title: confirms ? t.confirm : t.sign_in,
    language: visit.language,
    here: withNext(PROOF, next),
    ...(fault !== null && { status: 422 }),
    main: html`<div class="narrow">
      <h1>${confirms ? t.confirm : t.sign_in}</h1>
      <p>
        ${email}
        ${!confirms && html`<a href="${withNext('/portal/sign-in', next)}">${t.another_address}</a>`}
      </p>
      ${fault !== null && renderNotice('bad', html`<p>${fault}</p>`)}
      ${await proofForms(visit, found, next)} ${!confirms && signUpHint(visit)}
    </div>`,
  }
}

/**
 * The ways to prove an address. A signed-in person is offered a password only if they have one; about
 * anyone else that is not revealed.
 */
async function proofForms(
  visit: PortalVisit,
  found: people.SignInFacts,
  next: string,
): Promise<Html> {
  const t = accountTexts[visit.language]
  const { email, confirms, code_sent } = found
  const has_password = !confirms || ((await findSession(visit))?.person.has_password ?? false)
  return html`${code_sent && codeForm(t, next, found)}
  ${!code_sent && has_password && passwordForm(t, next, email)}
  ${mailForm(visit, { ...found, has_password }, next)}`
}

function passwordForm(t: AccountTexts, next: string, email: string): Html {
  return html`<form method="post" action="/portal/sign-in/password">
    ${nextField(next)}
    <input type="hidden" name="username" autocomplete="username" value="${email}" />
    <div class="field">
      <label for="password">${t.password}</label>
      <input
        id="password"
        name="password"
        type="password"
        autocomplete="current-password"
        required
      />
    </div>
    <button class="primary" type="submit">${t.sign_in}</button>
  </form>`
}

function codeForm(t: AccountTexts, next: string, found: people.SignInFacts): Html {
  const { email, code_delayed } = found
  const sent = html`<p>${t.code_sent(email)}</p>
    ${code_delayed && html`<p>${t.code_delayed}</p>`}`
  return html`${renderNotice('quiet', sent)}
    <form method="post" action="/portal/sign-in/code">
      ${nextField(next)}
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
      <button class="primary" type="submit">${t.sign_in}</button>
    </form>`
}

function mailForm(
  { runtime, language }: PortalVisit,
  { code_sent, has_password }: people.SignInFacts & { has_password: boolean },
  next: string,
): Html {
  const t = accountTexts[language]
  const { provider } = runtime.config.mail
  if (provider === 'none') {
    return html`<p class="hint">${t.no_mail} <code>people sign-in-link</code>.</p>`
  }
  return html`<form class="second" method="post" action="/portal/sign-in/code/send">
      ${nextField(next)}
      <button type="submit" class="${has_password || code_sent ? '' : 'primary'}">
        ${code_sent ? t.another_code : has_password ? t.send_code : t.mail_code}
      </button>
    </form>
    ${provider === 'log' && html`<p class="hint">${t.in_log}<a href="/dev/mail">/dev/mail</a>.</p>`}`
}

export async function submitPassword(visit: PortalVisit): Promise<PortalReply> {
  const { runtime, form, device, rates } = visit
  const secret = secretOf(visit)
  const found = await people.findSignIn(runtime, 'portal', secret)
  if (!found) return { to: '/portal/sign-in' }
  rates.step(device.network)
  rates.guess(attemptAt(visit, found.email))
  const password = form.get('password') ?? ''
  const proven = await people.verifySignInPassword(runtime, {
    realm: 'portal',
    secret,
    device,
    password,
  })
  if (proven) return finishSignIn(visit, proven, readNextPath(form.get('next')))
  return proofPage(visit, accountTexts[visit.language].wrong_password)
}

export async function sendCode(visit: PortalVisit): Promise<PortalReply> {
  const { runtime, request, form, device, rates } = visit
  const secret = secretOf(visit)
  const found = await people.findSignIn(runtime, 'portal', secret)
  if (!found || runtime.config.mail.provider === 'none') return { to: '/portal/sign-in' }
  rates.step(device.network)
  const delay_s = found.is_sign_up
    ? rates.signUp({ address: request.ip, ...found })
    : rates.mail(attemptAt(visit, found.email))
  await people.requestCode(runtime, { realm: 'portal', secret, device, delay_s })
  return { to: withNext(PROOF, readNextPath(form.get('next'))) }
}

export async function submitCode(visit: PortalVisit): Promise<PortalReply> {
  const { runtime, form, device, rates } = visit
  const secret = secretOf(visit)
  rates.step(device.network)
  const code = form.get('code') ?? ''
  const proven = await people.verifyCode(runtime, { realm: 'portal', secret, device, code })
  if (proven) return finishSignIn(visit, proven, readNextPath(form.get('next')))
  return proofPage(visit, accountTexts[visit.language].wrong_code)
}

function secretOf({ cookies, request }: PortalVisit): string | undefined {
  return cookies.read(request, 'sign_in')
}

export async function signOut(visit: PortalVisit): Promise<PortalReply> {
  const { runtime, cookies, reply } = visit
  const who = await findSession(visit)
  if (who) await people.endSession(runtime, who, who.session_id)
  cookies.clear(reply, 'session')
  cookies.clear(reply, 'sign_in')
  return { to: '/portal/sign-in?done=signed-out' }
}
