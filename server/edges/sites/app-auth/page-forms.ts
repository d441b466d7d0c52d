/** The forms of the pages of /api/_auth/. */
import type { FastifyReply } from 'fastify'
import * as apps from '../../../areas/apps/service.ts'
import { limits } from '../../../contract/limits.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { html, type Html } from '../../html/html.ts'
import { passkeyForm } from '../../portal/pages/account/passkey-form.ts'
import { sendAuthPage } from './auth-page.ts'
import {
  ACCOUNT_PATH,
  SCRIPT_PATH,
  SIGN_IN_PATH,
  signInToAccount,
  withReturn,
  type PageState,
} from './page-state.ts'
import { authTexts, type AuthTexts } from './texts.ts'
import { keepPasskeySecret, type AuthVisit } from './visit.ts'

const alertOf = (fault: string | undefined) =>
  fault !== undefined && html`<p class="wrong" role="alert">${fault}</p>`

const returnField = (to: string) => html`<input type="hidden" name="return" value="${to}" />`

export function signInPage(
  runtime: Runtime,
  visit: AuthVisit,
  { to, email = '', fault, status }: PageState,
): FastifyReply {
  const t = authTexts[visit.language]
  const has_passwords = visit.methods.includes('password')
  const main = html`${alertOf(fault)}
    <form method="post" action="${SIGN_IN_PATH}">
      ${returnField(to)}
      <label for="email">${t.email}</label>
      <input
        id="email"
        name="email"
        type="email"
        autocomplete="username webauthn"
        value="${email}"
        required
      />
      ${has_passwords && passwordPart(t)}
      <p>${has_passwords ? t.password_hint : t.code_hint}</p>
      <button name="do" value="code" formnovalidate class="${has_passwords && 'quiet'}">
        ${t.send_code}
      </button>
    </form>
    ${visit.methods.includes('passkey') && passkeySignIn(runtime, visit, to)}`
  return sendAuthPage(visit, { title: t.sign_in, main, ...(status && { status }) })
}

function passwordPart(t: AuthTexts): Html {
  return html`<label for="password">${t.password}</label>
    <input
      id="password"
      name="password"
      type="password"
      autocomplete="current-password"
      maxlength="${limits.password_characters_max}"
      required
    />
    <button name="do" value="password">${t.sign_in}</button>`
}

function passkeySignIn(runtime: Runtime, visit: AuthVisit, to: string): Html | null {
  const question = apps.askForPasskey(runtime, visit, keepPasskeySecret(runtime, visit))
  return (
    question &&
    passkeyForm({
      action: SIGN_IN_PATH,
      script: SCRIPT_PATH,
      language: visit.language,
      question,
      fields: returnField(to),
      button: authTexts[visit.language].by_passkey,
    })
  )
}

export function codePage(
  visit: AuthVisit,
  { to, email = '', fault, status }: PageState,
): FastifyReply {
  const t = authTexts[visit.language]
  const then = visit.methods.includes('password')
    ? t.then_password
    : visit.methods.includes('passkey') && t.then_passkey
  const hidden = html`${returnField(to)} <input type="hidden" name="email" value="${email}" />`
  const main = html`${alertOf(fault)}
    <p>${t.code_sent} <strong>${email}</strong>.</p>
    <form method="post" action="${SIGN_IN_PATH}">
      ${hidden}
      <label for="code">${t.code}</label>
      <input
        id="code"
        name="code"
        inputmode="numeric"
        autocomplete="one-time-code"
        maxlength="20"
        required
        autofocus
      />
      <button name="do" value="verify">${t.sign_in}</button>
      ${then && html`<button class="quiet" name="do" value="verify_then">${then}</button>`}
    </form>
    <form method="post" action="${SIGN_IN_PATH}">
      ${hidden}
      <button class="quiet" name="do" value="code">${t.again}</button>
    </form>
    <p><a href="${withReturn(SIGN_IN_PATH, to)}">${t.other_address}</a></p>`
  return sendAuthPage(visit, { title: t.code_title, main, ...(status && { status }) })
}

export async function accountPage(
  runtime: Runtime,
  visit: AuthVisit,
  {
    session,
    to,
    fault,
    status,
    is_done = false,
  }: PageState & { session: apps.Session; is_done?: boolean },
): Promise<FastifyReply> {
  const t = authTexts[visit.language]
  const again = `${signInToAccount(to)}&again=1`
  const forms = session.is_fresh
    ? [
        visit.methods.includes('password') && passwordForm(t, session, to),
        visit.methods.includes('passkey') && (await passkeyPart(runtime, visit, { session, to })),
      ]
    : html`<p><a href="${again}">${t.sign_in_again}</a></p>`
  const main = html`${alertOf(fault)} ${is_done && html`<p role="status">${t.done}</p>`}
    <p>${t.signed_in_as} <strong>${session.user.email}</strong>.</p>
    ${forms}
    <p><a href="${to}">${t.continue}</a></p>
    <form method="post" action="${ACCOUNT_PATH}">
      ${returnField(to)}
      <button class="quiet" name="do" value="sign_out">${t.sign_out}</button>
    </form>`
  return sendAuthPage(visit, { title: t.account, main, ...(status && { status }) })
}

function passwordForm(t: AuthTexts, { user }: apps.Session, to: string): Html {
  return html`<form method="post" action="${ACCOUNT_PATH}">
    ${returnField(to)}
    <input type="hidden" name="username" autocomplete="username" value="${user.email}" />
    <label for="password">${t.new_password}</label>
    <input
      id="password"
      name="password"
      type="password"
      autocomplete="new-password"
      minlength="${limits.password_characters_min}"
      maxlength="${limits.password_characters_max}"
      required
    />
    <button>${t.save_password}</button>
  </form>`
}

async function passkeyPart(
  runtime: Runtime,
  visit: AuthVisit,
  { session, to }: { session: apps.Session; to: string },
): Promise<Html | null> {
  const t = authTexts[visit.language]
  const service = visit.place
  const question = await apps.askForNewPasskey(runtime, visit, { session, service })
  if (!question) return null
  const known = await apps.listPasskeys(runtime, visit.app, session)
  return html`<h2>${t.passkeys}</h2>
    <p>${t.passkey_hint}</p>
    ${known.map(
      ({ id, name }) =>
        html`<form class="row" method="post" action="${ACCOUNT_PATH}">
          ${returnField(to)}
          <span>${name}</span>
          <button class="quiet" name="remove" value="${id}">${t.remove}</button>
        </form>`,
    )}
    ${passkeyForm({
      action: ACCOUNT_PATH,
      script: SCRIPT_PATH,
      language: visit.language,
      creates: true,
      question,
      fields: html`${returnField(to)}
        <label for="name">${t.passkey_name}</label>
        <input id="name" name="name" maxlength="${limits.passkey_name_characters_max}" required />`,
      button: t.add_passkey,
    })}`
}
