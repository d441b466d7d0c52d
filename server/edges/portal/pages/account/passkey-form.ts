/**
 * A form that a passkey fills in. It is hidden until the script finds that the browser supports
 * passkeys, so browsers without JavaScript show no form that cannot work. The WebAuthn options are
 * in the page; the script sends no request.
 */
import type { PasskeyOptions } from '../../../../areas/people/service.ts'
import { limits } from '../../../../contract/limits.ts'
import { html, type Html } from '../../../html/html.ts'

export const PASSKEY_SCRIPT_PATH = '/portal/assets/passkeys.js'

export interface PasskeyForm {
  /** Registers a passkey, or signs with one. */
  kind: 'create' | 'get'
  action: string
  question: PasskeyOptions
  fields: Html
  button: string
}

export function passkeyForm({ kind, action, question, fields, button }: PasskeyForm): Html {
  return html`<form
      class="passkey"
      method="post"
      action="${action}"
      data-passkey="${kind}"
      data-origin="${question.origin}"
      data-options="${JSON.stringify(question.options)}"
      data-kept-s="${limits.passkey_challenge_s}"
      hidden
    >
      ${fields}
      <input type="hidden" name="response" />
      <button ${kind === 'create' && html`class="primary"`} type="submit">${button}</button>
      <p class="hint" data-passkey-said role="status"></p>
    </form>
    <script src="${PASSKEY_SCRIPT_PATH}" defer></script>`
}
