/**
 * Signing in, step by step: the address, then a password or a code by mail. Every step looks the
 * same for an address that has an account and for one that has none.
 */
import * as people from '../../../areas/people/service.ts'
import { limits } from '../../../contract/limits.ts'
import { html, type Html } from '../../docs/html.ts'
import { notice } from '../pieces.ts'
import { keepSignIn, welcome, withNext } from '../session-cookie.ts'
import { nextPath, whoVisits, type Outcome, type PersonVisit, type Visit } from '../visit.ts'

const PROOF = '/portal/sign-in/proof'

export async function signInPage(visit: Visit): Promise<Outcome> {
  const next = nextPath(visit.query.get('next'))
  if (await whoVisits(visit)) return { to: next }
  return addressPage(next, visit.query.get('done') === 'signed-out' ? signedOut() : null)
}

function signedOut(): Html {
  return notice('good', html`<p>You are signed out.</p>`)
}

function addressPage(
  next: string,
  above: Html | null,
  email = '',
): Exclude<Outcome, { to: string }> {
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
            autocomplete="username"
            value="${email}"
            required
          />
        </div>
        <button class="primary" type="submit">Go on</button>
      </form>
    </div>`,
  }
}

export function nextField(next: string): Html {
  return html`<input type="hidden" name="next" value="${next}" />`
}

export async function giveAddress(visit: Visit): Promise<Outcome> {
  const { house, form, rates, device } = visit
  const next = nextPath(form.get('next'))
  const given = form.get('email') ?? ''
  const email = people.readEmail(given)
  if (email === null) {
    const fault = notice('bad', html`<p>This is not an email address.</p>`)
    return { ...addressPage(next, fault, given.slice(0, 300)), status: 422 }
  }
  rates.step(device.network)
  keepSignIn(visit, await people.beginSignIn(house, { realm: 'portal', email }))
  return { to: withNext(PROOF, next) }
}

/** Somebody who is signed in proves again who they are, before something that matters. */
export async function confirmPage({ who, query }: PersonVisit): Promise<Outcome> {
  const next = nextPath(query.get('next'))
  if (who.fresh) return { to: next }
  return {
    title: 'Is it you?',
    email: who.person.email,
    main: html`<div class="narrow">
      <h1>Is it you?</h1>
      <p>
        Before something that matters we ask again who you are. It holds for
        ${limits.session_fresh_s / 60} minutes.
      </p>
      <form method="post" action="/portal/confirm">
        ${nextField(next)}
        <button class="primary" type="submit">Go on as ${who.person.email}</button>
      </form>
    </div>`,
  }
}

export async function beginConfirmation(visit: PersonVisit): Promise<Outcome> {
  const { house, who, form, rates, device } = visit
  rates.step(device.network)
  keepSignIn(visit, await people.beginConfirmation(house, 'portal', who))
  return { to: withNext(PROOF, nextPath(form.get('next'))) }
}

export async function proofPage(visit: Visit, fault: string | null = null): Promise<Outcome> {
  const source = fault === null ? visit.query : visit.form
  const next = nextPath(source.get('next'))
  const found = await people.findSignIn(visit.house, 'portal', secretOf(visit))
  if (!found) return { to: withNext('/portal/sign-in', next) }
  if (found.first_proven) return { to: withNext('/portal/sign-in/second', next) }
  const { email, confirms } = found
  return {
    title: confirms ? 'Is it you?' : 'Sign in',
    ...(fault !== null && { status: 422 }),
    main: html`<div class="narrow">
      <h1>${confirms ? 'Is it you?' : 'Sign in'}</h1>
      <p>
        ${email}
        ${!confirms && html`<a href="${withNext('/portal/sign-in', next)}">Another one</a>`}
      </p>
      ${fault !== null && notice('bad', html`<p>${fault}</p>`)}
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
  return html`${notice(
      'quiet',
      html`<p>
        If ${email} can sign in here, a code is on its way to it. It works for
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

function mailForm({ house }: Visit, { code_sent }: people.SignInFacts, next: string): Html {
  const { provider } = house.config.mail
  if (provider === 'none') {
    return html`<p class="hint">
      No password yet? This installation sends no mail. Whoever runs it can make you a link with
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
      html`<p class="hint">On this installation mail is not sent; it stands in the log.</p>`
    }`
}

export async function givePassword(visit: Visit): Promise<Outcome> {
  const { house, form, device, rates } = visit
  const secret = secretOf(visit)
  const found = await people.findSignIn(house, 'portal', secret)
  if (!found) return { to: '/portal/sign-in' }
  rates.step(device.network)
  rates.guess(found.email)
  const password = form.get('password') ?? ''
  const proven = await people.tryPassword(house, { realm: 'portal', secret, device, password })
  if (proven) return welcome(visit, proven, nextPath(form.get('next')))
  return proofPage(visit, 'That is not the password of this address, or it has none.')
}

export async function sendCode(visit: Visit): Promise<Outcome> {
  const { house, form, device, rates } = visit
  const secret = secretOf(visit)
  const found = await people.findSignIn(house, 'portal', secret)
  if (!found || house.config.mail.provider === 'none') return { to: '/portal/sign-in' }
  rates.step(device.network)
  rates.mail(found.email)
  await people.orderCode(house, { realm: 'portal', secret })
  return { to: withNext(PROOF, nextPath(form.get('next'))) }
}

export async function giveCode(visit: Visit): Promise<Outcome> {
  const { house, form, device, rates } = visit
  const secret = secretOf(visit)
  rates.step(device.network)
  const code = form.get('code') ?? ''
  const proven = await people.tryCode(house, { realm: 'portal', secret, device, code })
  if (proven) return welcome(visit, proven, nextPath(form.get('next')))
  return proofPage(
    visit,
    `That is not the code, or it no longer works. After ${limits.sign_in_code_tries_max} tries send another one.`,
  )
}

function secretOf({ cookies, request }: Visit): string | undefined {
  return cookies.read(request, 'sign_in')
}

export async function signOut(visit: Visit): Promise<Outcome> {
  const { house, cookies, reply } = visit
  const who = await whoVisits(visit)
  if (who) await people.endSession(house, who, who.session_id)
  cookies.clear(reply, 'session')
  cookies.clear(reply, 'sign_in')
  return { to: '/portal/sign-in?done=signed-out' }
}
