/**
 * Adding, renaming and removing passkeys. Adding one needs JavaScript, because only the browser can
 * create it.
 */
import * as people from '../../../../areas/people/service.ts'
import { Problem } from '../../../../contract/errors.ts'
import { limits } from '../../../../contract/limits.ts'
import { html, type Html } from '../../../html/html.ts'
import { browserOf } from './browser-name.ts'
import { passkeyForm } from './passkey-form.ts'
import { renderNotice } from '../../pieces.ts'
import { askToConfirm, isConfirmed } from '../../question.ts'
import { withNext } from '../../session-cookie.ts'
import { readId, type PortalReply, type PersonVisit } from '../../visit.ts'
import { renderAccountPage } from './account.ts'
import { PASSKEYS } from './passkeys-section.ts'

const ACCOUNT = '/portal/account'

export async function newPasskeyPage(
  visit: PersonVisit,
  fault: string | null = null,
): Promise<PortalReply> {
  const { runtime, who, device, form } = visit
  if (!who.fresh) return { to: withNext('/portal/confirm', PASSKEYS) }
  const question = await people.newPasskeyOptions(runtime, who)
  if (!question) return { to: ACCOUNT }
  const name = fault === null ? browserOf(device.name) : (form.get('name') ?? '')
  return {
    title: 'Add a passkey',
    email: who.person.email,
    ...(fault !== null && { status: 422 }),
    main: html`<div class="narrow">
      <h1>Add a passkey</h1>
      ${fault !== null && renderNotice('bad', html`<p>${fault}</p>`)}
      <p>Your browser asks where to save it: on this device, on your phone or on a security key.</p>
      ${passkeyForm({
        kind: 'create',
        action: PASSKEYS,
        question,
        fields: nameField(name.slice(0, limits.passkey_name_characters_max)),
        button: 'Add a passkey',
      })}
      <p class="hint" data-passkey-missing hidden>
        This browser cannot create passkeys for this address. Use another browser, or open
        ${question.origin}.
      </p>
      <noscript>
        <p>Creating a passkey needs JavaScript, which is disabled in this browser.</p>
      </noscript>
      <p><a href="${ACCOUNT}">Back to your account</a></p>
    </div>`,
  }
}

function nameField(name: string): Html {
  return html`<div class="field">
    <label for="name">Name</label>
    <input
      id="name"
      name="name"
      value="${name}"
      maxlength="${limits.passkey_name_characters_max}"
      aria-describedby="name-hint"
      required
    />
    <p class="hint" id="name-hint">Choose a name that you will recognize.</p>
  </div>`
}

const faults: Readonly<Record<people.PasskeyFault, string>> = {
  name: `A passkey needs a name of at most ${limits.passkey_name_characters_max} characters.`,
  answer: 'The passkey could not be added, or the page was open too long. Try again.',
  known: 'This passkey is already registered.',
  too_many: `You have ${limits.passkeys_max} passkeys, which is the maximum. Remove one first.`,
}

export async function addPasskey(visit: PersonVisit): Promise<PortalReply> {
  const { runtime, who, form, rates, device } = visit
  if (!who.fresh) return { to: withNext('/portal/confirm', PASSKEYS) }
  rates.step(device.network)
  const given = { name: form.get('name') ?? '', response: form.get('response') ?? '' }
  const refused = await people.addPasskey(runtime, who, given)
  if (refused) return newPasskeyPage(visit, faults[refused.fault])
  return { to: `${ACCOUNT}?done=passkey-added` }
}

export async function renamePasskey(visit: PersonVisit): Promise<PortalReply> {
  const { runtime, who, form, request } = visit
  if (!who.fresh) return { to: withNext('/portal/confirm', ACCOUNT) }
  const id = readId(request, 'passkey_id')
  const fault = await people.renamePasskey(runtime, who, { id, name: form.get('name') ?? '' })
  if (fault === 'name') return renderAccountPage(visit, faults.name)
  if (fault === 'missing') throw missing()
  return { to: `${ACCOUNT}?done=passkey-named` }
}

const removal = {
  title: 'Remove this passkey?',
  explanation: 'It no longer signs you in, and your other sessions end. This cannot be undone.',
  button: 'Remove',
  back: ACCOUNT,
}

export async function removePasskey(visit: PersonVisit): Promise<PortalReply> {
  const { runtime, who, request } = visit
  if (!who.fresh) return { to: withNext('/portal/confirm', ACCOUNT) }
  const id = readId(request, 'passkey_id').toLowerCase()
  if (!isConfirmed(visit)) return askToConfirm(visit, removal)
  const fault = await people.removePasskey(runtime, who, id)
  if (fault === 'missing') throw missing()
  if (fault === null) return { to: `${ACCOUNT}?done=passkey-removed` }
  return renderAccountPage(
    visit,
    'This is your only way to sign in. Save a password or add another passkey first.',
  )
}

function missing(): Problem {
  return new Problem('not_found', 'You have no such passkey.', {
    user_message: 'You have no such passkey.',
  })
}
