/**
 * A form that is signed by a passkey. It is hidden until the script finds that the browser supports
 * passkeys, so browsers without JavaScript show no form that cannot work. The WebAuthn options are
 * in the page; the script sends no request.
 */
import type { PasskeyOptions } from '../../../../areas/credentials/service.ts'
import { limits } from '../../../../contract/limits.ts'
import { html, type Html } from '../../../html/html.ts'
import type { PageLanguage } from '../../../html/language.ts'
import { accountTexts } from './texts.ts'

export const PASSKEY_SCRIPT_PATH = '/portal/assets/passkeys.js'

export interface PasskeyForm {
  action: string
  language: PageLanguage
  /** Whether the form creates a passkey instead of signing in with one. */
  creates?: boolean
  question: PasskeyOptions
  fields: Html
  button: string
  /** Where the script is served. */
  script?: string
}

export function passkeyForm(form: PasskeyForm): Html {
  const { action, language, creates = false, question, fields, button } = form
  const { script = PASSKEY_SCRIPT_PATH } = form
  const t = accountTexts[language]
  return html`<form
      class="passkey"
      method="post"
      action="${action}"
      data-passkey="${creates ? 'create' : 'get'}"
      data-origin="${question.origin}"
      data-options="${JSON.stringify(question.options)}"
      data-kept-s="${limits.passkey_challenge_s}"
      data-cancelled="${t.passkey_cancelled}"
      data-failed="${t.passkey_error}"
      hidden
    >
      ${fields}
      <input type="hidden" name="response" />
      <button type="submit">${button}</button>
      <p class="hint" data-passkey-said role="status"></p>
    </form>
    <script src="${script}" defer></script>`
}
