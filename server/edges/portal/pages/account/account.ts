/** The account page: password, second factor, passkeys and sessions. */
import * as people from '../../../../areas/people/service.ts'
import { limits } from '../../../../contract/limits.ts'
import { html, type Html } from '../../../html/html.ts'
import { renderMoment, renderNotice, renderPill, renderTable } from '../../pieces.ts'
import { browserOf } from './browser-name.ts'
import { readId, type PortalReply, type PersonVisit } from '../../visit.ts'
import { passkeysSection } from './passkeys-section.ts'

const ACCOUNT = '/portal/account'

const results: Readonly<Record<string, string>> = {
  password: 'The password is saved, and you are signed out everywhere else.',
  ended: 'The session is ended.',
  'totp-removed': 'The second factor is removed.',
  'passkey-added': 'The passkey is added. You can sign in with it from now on.',
  'passkey-named': 'The passkey is renamed.',
  'passkey-removed': 'The passkey is removed, and you are signed out everywhere else.',
}

export async function renderAccountPage(
  visit: PersonVisit,
  fault: string | null = null,
): Promise<PortalReply> {
  const { runtime, who, query } = visit
  const done = results[query.get('done') ?? '']
  const sessions = await people.listSessions(runtime.db, runtime, who)
  return {
    title: 'Your account',
    email: who.person.email,
    ...(fault !== null && { status: 422 }),
    main: html`<h1>Your account</h1>
      ${done !== undefined && renderNotice('good', html`<p>${done}</p>`)}
      ${fault !== null && renderNotice('bad', html`<p>${fault}</p>`)}
      <p>You sign in as <b>${who.person.email}</b>.</p>
      ${passwordSection(who)} ${await passkeysSection(visit)} ${secondFactorSection(who)}
      ${sessionsSection(sessions)}`,
  }
}

function passwordSection({ person, fresh }: people.SignedIn): Html {
  return html`<section class="card">
    <h2>Password</h2>
    <p>
      ${
        person.has_password
          ? 'You have a password.'
          : 'You have no password, and sign in with a code by mail or a link.'
      }
    </p>
    ${
      fresh
        ? html`<form class="narrow-form" method="post" action="${ACCOUNT}/password">
            <input type="hidden" name="username" autocomplete="username" value="${person.email}" />
            <div class="field">
              <label for="password">New password</label>
              <input
                id="password"
                name="password"
                type="password"
                autocomplete="new-password"
                minlength="${limits.password_characters_min}"
                aria-describedby="password-hint"
                required
              />
              <p class="hint" id="password-hint">
                At least ${limits.password_characters_min} characters. Several words make a good
                password.
              </p>
            </div>
            <button type="submit">Save password</button>
          </form>`
        : html`<p>
            <a href="/portal/confirm?next=${ACCOUNT}">Confirm your identity to change it</a>
          </p>`
    }
  </section>`
}

function secondFactorSection({ person, fresh }: people.SignedIn): Html {
  const asked = html`<p>
    <a href="/portal/confirm?next=${ACCOUNT}">Confirm your identity to change it</a>
  </p>`
  const buttons = html`<div class="buttons">
    <form method="post" action="${ACCOUNT}/recovery-codes">
      <button type="submit">New recovery codes</button>
    </form>
    <form method="post" action="${ACCOUNT}/totp/remove">
      <button class="danger" type="submit">Remove the second factor</button>
    </form>
  </div>`
  return html`<section class="card">
    <h2>Second factor</h2>
    ${
      person.has_totp
        ? html`<p>Each sign-in needs a code from your authenticator app.</p>
            ${fresh ? buttons : asked}`
        : html`<p>With an authenticator app, a stolen password alone is not enough to sign in.</p>
            <p><a href="${ACCOUNT}/totp">Set up an authenticator app</a></p>`
    }
  </section>`
}

function sessionsSection(sessions: readonly people.SessionFacts[]): Html {
  return html`<section class="card">
    <h2>Where you are signed in</h2>
    ${renderTable(
      'Sessions',
      ['Browser', 'Network', 'Signed in', 'Last used', 'Action'],
      sessions.map(({ id, device, network, created_at, seen_at, current }) => [
        current
          ? html`${browserOf(device)} ${renderPill('good', 'this browser')}`
          : browserOf(device),
        network,
        renderMoment(created_at),
        renderMoment(seen_at),
        html`<form method="post" action="${ACCOUNT}/sessions/${id}/end">
          <button type="submit">${current ? 'Sign out' : 'End'}</button>
        </form>`,
      ]),
    )}
  </section>`
}

export async function savePassword(visit: PersonVisit): Promise<PortalReply> {
  const { runtime, who, form } = visit
  if (!who.fresh) return { to: `/portal/confirm?next=${ACCOUNT}` }
  const password = form.get('password') ?? ''
  const fault = people.passwordFault(password, who.person.email)
  if (fault !== null) return renderAccountPage(visit, fault)
  await people.setPassword(runtime, who, password)
  return { to: `${ACCOUNT}?done=password` }
}

export async function endSession(visit: PersonVisit): Promise<PortalReply> {
  const { runtime, who, cookies, reply } = visit
  const id = readId(visit.request, 'session_id')
  await people.endSession(runtime, who, id)
  if (id !== who.session_id) return { to: `${ACCOUNT}?done=ended` }
  cookies.clear(reply, 'session')
  return { to: '/portal/sign-in?done=signed-out' }
}
