/** The passkeys of a person on their account page. */
import * as people from '../../../../areas/people/service.ts'
import { limits } from '../../../../contract/limits.ts'
import { html, type Html } from '../../../html/html.ts'
import { renderMoment, renderPill } from '../../pieces.ts'
import { withNext } from '../../session-cookie.ts'
import type { PersonVisit } from '../../visit.ts'

const ACCOUNT = '/portal/account'
export const PASSKEYS = `${ACCOUNT}/passkeys`

export async function passkeysSection({ runtime, who }: PersonVisit): Promise<Html> {
  const known = await people.listPasskeys(runtime.db, who)
  return html`<section class="card">
    <h2>Passkeys</h2>
    <p>
      A passkey signs you in with your fingerprint, your face or the PIN of your device, and does
      not work on an imitation of this page. It replaces both password and second factor.
    </p>
    ${known.length > 0 && passkeyList(who, known)} ${addLink(runtime, who)}
  </section>`
}

function addLink(runtime: PersonVisit['runtime'], { fresh }: people.SignedIn): Html {
  if (!people.hasPasskeys(runtime)) {
    return html`<p class="hint">
      Passkeys need an https URL with a host name. This installation has none
      (<code>HOMEPORT_PUBLIC_URL</code>).
    </p>`
  }
  return fresh
    ? html`<p><a href="${PASSKEYS}">Add a passkey</a></p>`
    : html`<p>
        <a href="${withNext('/portal/confirm', ACCOUNT)}">Confirm your identity to change them</a>
      </p>`
}

function passkeyList({ fresh }: people.SignedIn, known: readonly people.PasskeyFacts[]): Html {
  return html`<ul class="cards passkeys">
    ${known.map(
      (one) =>
        html`<li>
          <p>
            <b>${one.name}</b>
            ${renderPill('quiet', one.synced ? 'on your devices' : 'on one device')}
          </p>
          <p>
            Added ${renderMoment(one.created_at)},
            ${one.used_at === null ? 'not used yet' : html`last used ${renderMoment(one.used_at)}`}
          </p>
          ${fresh && changes(one)}
        </li>`,
    )}
  </ul>`
}

function changes({ id, name }: people.PasskeyFacts): Html {
  return html`<details>
    <summary>Rename or remove<span class="unseen"> ${name}</span></summary>
    <form class="narrow-form" method="post" action="${PASSKEYS}/${id}/name">
      <div class="field">
        <label for="name-${id}">Name</label>
        <input
          id="name-${id}"
          name="name"
          value="${name}"
          maxlength="${limits.passkey_name_characters_max}"
          required
        />
      </div>
      <button type="submit">Rename</button>
    </form>
    <form method="post" action="${PASSKEYS}/${id}/remove">
      <button class="danger" type="submit">
        Remove<span class="unseen"> the passkey ${name}</span>
      </button>
      <p class="hint">This signs you out everywhere else.</p>
    </form>
  </details>`
}
