/**
 * Signing in, step by step: the address, then a password or a code by mail. Every step looks the
 * same for an address that has an account and for one that has none.
 */
import * as people from '../../../../areas/people/service.ts'
import { limits } from '../../../../contract/limits.ts'
import { html, type Html } from '../../../html/html.ts'
import { passkeyForm } from './passkey-form.ts'
import { renderNotice } from '../../pieces.ts'
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
  const above = visit.query.get('done') === 'signed-out' ? signedOut() : null
  return addressPage(visit, { next, above })
}

function signedOut(): Html {
  return renderNotice('good', html`<p>You are signed out.</p>`)
}

function addressPage(
  visit: PortalVisit,
  { next, above, email = '' }: { next: string; above: Html | null; email?: string },
): Exclude<PortalReply, { to: string }> {
  return {
    title: 'Sign in',
    main: html`<div class="narrow">
      <h1>Sign in</h1>
      ${above}
      <form method="post" action="/portal/sign-in">
        ${nextField(next)}
        <div class="field">
          <label for="email">Email address</label>
          <input
            id="email"
            name="email"
            type="email"
            autocomplete="username webauthn"
            value="${email}"
            required
          />
        </div>
        <button class="primary" type="submit">Continue</button>
      </form>
      ${passkeySignIn(visit, next)}
    </div>`,
  }
}

/** Accepts any passkey of the browser, which also offers it as autofill in the email field. */
export function passkeySignIn(visit: PortalVisit, next: string): Html | null {
  const { runtime, cookies, request, reply } = visit
  const secret = cookies.read(request, 'passkey')
  const question = people.createSignInOptions(runtime, { realm: 'portal', secret })
  if (!question) return null
  const kept_s = limits.passkey_challenge_s
  cookies.set(reply, 'passkey', { value: question.secret, kept_s })
  return passkeyForm({
    kind: 'get',
    action: '/portal/sign-in/passkey',
    question,
    fields: nextField(next),
    button: 'Sign in with a passkey',
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
    const above = renderNotice('bad', html`<p>${PASSKEY_FAULT}</p>`)
    return { ...addressPage(visit, { next, above }), status: 422 }
  }
  const before = await findSession(visit)
  if (before) await people.endSession(runtime, before, before.session_id)
  cookies.clear(reply, 'passkey')
  return finishSignIn(visit, proven, next)
}

const PASSKEY_FAULT =
  'The passkey is not registered here, or the page was open too long. ' +
  'Try again, or sign in another way.'

export function nextField(next: string): Html {
  return html`<input type="hidden" name="next" value="${next}" />`
}

export async function submitAddress(visit: PortalVisit): Promise<PortalReply> {
  const { runtime, form, rates, device } = visit
  const next = readNextPath(form.get('next'))
  const given = form.get('email') ?? ''
  const email = people.readEmail(given)
  if (email === null) {
    const fault = renderNotice('bad', html`<p>This is not an email address.</p>`)
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
  const { runtime, who } = visit
  const next = readNextPath((fault === null ? visit.query : visit.form).get('next'))
  if (who.fresh) return { to: next }
  const question = await people.createConfirmationOptions(runtime, 'portal', who)
  return {
    title: 'Confirm your identity',
    email: who.person.email,
    ...(fault !== null && { status: 422 }),
    main: html`<div class="narrow">
      <h1>Confirm your identity</h1>
      ${fault !== null && renderNotice('bad', html`<p>${fault}</p>`)}
      <p>
        This action needs a recent proof that it is you. The proof is valid for
        ${limits.session_fresh_s / 60} minutes.
      </p>
      <form method="post" action="/portal/confirm">
        ${nextField(next)}
        <button class="primary" type="submit">Continue as ${who.person.email}</button>
      </form>
      ${
        question &&
        passkeyForm({
          kind: 'get',
          action: '/portal/confirm/passkey',
          question,
          fields: nextField(next),
          button: 'Use a passkey',
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
  return confirmPage(visit, 'This is not one of your passkeys, or the page was open too long.')
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
  const source = fault === null ? visit.query : visit.form
  const next = readNextPath(source.get('next'))
  const found = await people.findSignIn(visit.runtime, 'portal', secretOf(visit))
  if (!found) return { to: withNext('/portal/sign-in', next) }
  if (found.first_proven) return { to: withNext('/portal/sign-in/second', next) }
  const { email, confirms } = found
  return {
    title: confirms ? 'Confirm your identity' : 'Sign in',
    ...(fault !== null && { status: 422 }),
    main: html`<div class="narrow">
      <h1>${confirms ? 'Confirm your identity' : 'Sign in'}</h1>
      <p>
        ${email}
        ${!confirms && html`<a href="${withNext('/portal/sign-in', next)}">Use another address</a>`}
      </p>
      ${fault !== null && renderNotice('bad', html`<p>${fault}</p>`)}
      ${found.code_sent ? codeForm(next, email) : passwordForm(next, email)}
      ${mailForm(visit, found, next)}
    </div>`,
  }
}

function passwordForm(next: string, email: string): Html {
  return html`<form method="post" action="/portal/sign-in/password">
    ${nextField(next)}
    <input type="hidden" name="username" autocomplete="username" value="${email}" />
    <div class="field">
      <label for="password">Password</label>
      <input
        id="password"
        name="password"
        type="password"
        autocomplete="current-password"
        required
      />
    </div>
    <button class="primary" type="submit">Sign in</button>
  </form>`
}

function codeForm(next: string, email: string): Html {
  return html`${renderNotice(
      'quiet',
      html`<p>
        If ${email} can sign in here, a code was sent to it. It is valid for
        ${limits.sign_in_code_s / 60} minutes.
      </p>`,
    )}
    <form method="post" action="/portal/sign-in/code">
      ${nextField(next)}
      <div class="field">
        <label for="code">Code from the mail</label>
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
      <button class="primary" type="submit">Sign in</button>
    </form>`
}

function mailForm({ runtime }: PortalVisit, { code_sent }: people.SignInFacts, next: string): Html {
  const { provider } = runtime.config.mail
  if (provider === 'none') {
    return html`<p class="hint">
      No password yet? This installation sends no mail. Its operator can create a sign-in link with
      <code>people sign-in-link</code>.
    </p>`
  }
  return html`<form class="second" method="post" action="/portal/sign-in/code/send">
      ${nextField(next)}
      <button type="submit">
        ${code_sent ? 'Send another code' : 'Send a code by mail instead'}
      </button>
    </form>
    ${
      provider === 'log' &&
      html`<p class="hint">This installation does not send mail. It writes mail to the log.</p>`
    }`
}

export async function submitPassword(visit: PortalVisit): Promise<PortalReply> {
  const { runtime, form, device, rates } = visit
  const secret = secretOf(visit)
  const found = await people.findSignIn(runtime, 'portal', secret)
  if (!found) return { to: '/portal/sign-in' }
  rates.step(device.network)
  rates.guess(found.email)
  const password = form.get('password') ?? ''
  const proven = await people.verifySignInPassword(runtime, {
    realm: 'portal',
    secret,
    device,
    password,
  })
  if (proven) return finishSignIn(visit, proven, readNextPath(form.get('next')))
  return proofPage(visit, 'The password is wrong, or this address has none.')
}

export async function sendCode(visit: PortalVisit): Promise<PortalReply> {
  const { runtime, form, device, rates } = visit
  const secret = secretOf(visit)
  const found = await people.findSignIn(runtime, 'portal', secret)
  if (!found || runtime.config.mail.provider === 'none') return { to: '/portal/sign-in' }
  rates.step(device.network)
  rates.mail(found.email)
  await people.requestCode(runtime, { realm: 'portal', secret })
  return { to: withNext(PROOF, readNextPath(form.get('next'))) }
}

export async function submitCode(visit: PortalVisit): Promise<PortalReply> {
  const { runtime, form, device, rates } = visit
  const secret = secretOf(visit)
  rates.step(device.network)
  const code = form.get('code') ?? ''
  const proven = await people.verifyCode(runtime, { realm: 'portal', secret, device, code })
  if (proven) return finishSignIn(visit, proven, readNextPath(form.get('next')))
  return proofPage(
    visit,
    `The code is wrong or no longer valid. After ${limits.sign_in_code_tries_max} attempts, request another one.`,
  )
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
