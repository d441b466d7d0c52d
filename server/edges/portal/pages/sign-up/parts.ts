/** Parts of the pages on which an account is created. */
import * as people from '../../../../areas/people/service.ts'
import { Problem } from '../../../../contract/errors.ts'
import { html, type Html } from '../../../html/html.ts'
import type { PortalPage } from '../../layout.ts'
import { renderNotice } from '../../pieces.ts'
import { hereOf, type Handler, type PortalReply, type PortalVisit } from '../../visit.ts'
import { signUpTexts, type SignUpTexts } from './texts.ts'

export const ROOT = '/portal/sign-up'
export const TERMS = '/portal/terms'

type Page = PortalPage & { status?: number }

/** Replies 404 while sign-up is closed. */
export function unlessClosed<V extends PortalVisit>(handler: Handler<V>): Handler<V> {
  return async (visit): Promise<PortalReply> => {
    if (visit.runtime.config.sign_up.mode !== 'closed') return handler(visit)
    throw new Problem('not_found', 'The portal has no such page.', {
      user_message: 'The portal has no such page.',
    })
  }
}

export function textsOf({ device }: Pick<PortalVisit, 'device'>): SignUpTexts {
  return signUpTexts(device.language)
}

interface Content {
  title: string
  step?: 1 | 2 | 3 | 4
  fault?: string | null
  main: Html
  email?: string
}

export function signUpPage(
  { device, request }: Pick<PortalVisit, 'device' | 'request'>,
  { title, step, fault = null, main, email }: Content,
): Page {
  const t = signUpTexts(device.language)
  return {
    title,
    language: device.language,
    here: hereOf(request).replace(/\/method\/\w+$/, '/method'),
    ...(email !== undefined && { email }),
    ...(fault !== null && { status: 422 }),
    main: html`<div class="narrow">
      ${step !== undefined && html`<p class="hint">${t.step(step)}</p>`}
      <h1>${title}</h1>
      ${fault !== null && renderNotice('bad', html`<p>${fault}</p>`)} ${main}
    </div>`,
  }
}

export function termsField({ runtime, device }: PortalVisit): Html {
  const t = signUpTexts(device.language)
  const { url } = people.findTerms(runtime)
  return html`<label class="choice" for="terms">
    <input id="terms" type="checkbox" name="terms" value="accepted" required />
    <span>${t.terms_before}<a href="${url ?? TERMS}" target="_blank">${t.terms}</a></span>
  </label>`
}

export function hasAcceptedTerms({ form }: PortalVisit): boolean {
  return form.get('terms') === 'accepted'
}
