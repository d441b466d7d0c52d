/**
 * The page where a site owner appeals against a refused deploy or a takedown. The token in the URL
 * is the only credential; it was in the refusal or in a mail.
 */
import * as sites from '../../../areas/sites/service.ts'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { createSlidingWindow } from '../../../kernel/limits/sliding-window.ts'
import { html, type Html } from '../../html/html.ts'
import { hashAddress } from '../../public/visitors/visitor-address.ts'
import type { PortalPage } from '../layout.ts'
import { renderMoment, renderNotice } from '../pieces.ts'
import {
  readParameters,
  type Handler,
  type PortalReply,
  type Portal,
  type PortalVisit,
} from '../visit.ts'

const HOUR_MS = 3_600_000

export function addAppeals(portal: Portal, runtime: Runtime): void {
  const limit = limits.site_appeals_per_hour_max
  const senders = createSlidingWindow(runtime.clock, { limit, window_ms: HOUR_MS })
  const send: Handler<PortalVisit> = async (visit) => {
    const { allowed, retry_after_s } = senders.pass(hashAddress(visit.request.ip))
    if (allowed) return submitAppeal(visit)
    const user_message =
      'Too many appeals were sent from this address within an hour. Please try again later.'
    throw new Problem('rate_limited', user_message, { user_message, retry_after_s })
  }
  portal.open('GET /portal/appeals/:token', show)
  portal.open('POST /portal/appeals/:token', send)
}

async function show(visit: PortalVisit): Promise<PortalReply> {
  const appeal = await findAppeal(visit)
  return appealPage(appeal, { token: tokenOf(visit), filled: nothing, faults: {} })
}

async function submitAppeal(visit: PortalVisit): Promise<PortalReply> {
  const { runtime, form } = visit
  const appeal = await findAppeal(visit)
  const token = tokenOf(visit)
  const filled = {
    message: (form.get('message') ?? '').replaceAll('\r\n', '\n'),
    email: (form.get('email') ?? '').trim(),
  }
  const faults = sites.findObjectionFaults(filled)
  if (Object.keys(faults).length > 0) {
    return { ...appealPage(appeal, { token, filled, faults }), status: 422 }
  }
  await sites.submitAppeal(runtime, token, filled)
  return { to: `/portal/appeals/${token}` }
}

const nothing: sites.AppealForm = { message: '', email: '' }

function tokenOf({ request }: PortalVisit): string {
  return readParameters(request)['token'] ?? ''
}

async function findAppeal(visit: PortalVisit): Promise<sites.Appeal> {
  const appeal = await sites.findAppeal(visit.runtime, tokenOf(visit))
  if (appeal) return appeal
  const user_message = 'This link is incomplete or no longer valid.'
  throw new Problem('not_found', user_message, { user_message })
}

interface Filled {
  token: string
  filled: sites.AppealForm
  faults: Partial<sites.AppealForm>
}

function appealPage(appeal: sites.Appeal, filled: Filled): PortalPage {
  const { slug, is_offline, findings, decision } = appeal
  const title = is_offline ? `${slug} was taken offline` : `${slug} was not published`
  return {
    title,
    main: html`<div class="reading">
      <h1>${title}</h1>
      ${appealState(appeal)}
      ${decision === null && (is_offline ? whyOffline() : whyRefused(findings.length))}
      <ul class="findings">
        ${findings.map(finding)}
      </ul>
      ${decision === null && objection(appeal, filled)}
    </div>`,
  }
}

function whyOffline(): Html {
  return html`<p>The site is offline, and nothing can be published to it. The reasons:</p>`
}

function whyRefused(count: number): Html {
  return html`<p>
    Every site is checked for deception and malware before it is published. The check found
    ${count === 1 ? 'one problem' : `${count} problems`}. The version that was online before is
    unchanged.
  </p>`
}

function finding({ path, line, what, why, instead }: sites.Appeal['findings'][number]): Html {
  return html`<li class="card">
    ${
      path !== '' &&
      html`<p class="hint"><code>${path}</code>${line !== null && html`, line ${line}`}</p>`
    }
    <p><b>${what}</b></p>
    ${why !== '' && html`<p>${why}</p>`} ${instead !== '' && html`<p>${instead}</p>`}
  </li>`
}

function appealState({
  appeal,
  appealed_at,
  decision,
  decision_note,
  is_offline,
}: sites.Appeal): Html | null {
  if (decision !== null) {
    const tone = decision === 'allowed' ? 'good' : 'bad'
    return renderNotice(
      tone,
      html`<p>${decided(decision, is_offline)}</p>
        ${decision_note !== null && html`<p>Their note: ${decision_note}</p>`}`,
    )
  }
  if (appeal === null || appealed_at === null) return null
  return renderNotice(
    'quiet',
    html`<p>
        You appealed on ${renderMoment(appealed_at)}. A person reviews the appeal and answers by
        email; the answer will also be shown here.
      </p>
      <blockquote>${appeal}</blockquote>`,
  )
}

function decided(decision: 'allowed' | 'upheld', is_offline: boolean): string {
  if (decision === 'allowed') {
    return is_offline
      ? 'A person reviewed it and agrees with you. The site is online again.'
      : 'A person reviewed it and agrees with you. Publish the site again to put it online.'
  }
  return is_offline
    ? 'A person reviewed it, and the site stays offline.'
    : 'A person reviewed it, and the decision stands. Remove the findings to publish the site.'
}

function objection({ appeal }: sites.Appeal, { token, filled, faults }: Filled): Html {
  const { message, email } = filled
  return html`<h2>${appeal === null ? 'Appeal' : 'Replace your appeal'}</h2>
    <p>
      Explain why this is wrong, and a person will review it.
      ${appeal !== null && 'A new appeal replaces the previous one.'}
    </p>
    <form method="post" action="/portal/appeals/${token}">
      <div class="field">
        <label for="message">Why it is wrong</label>
        <textarea
          id="message"
          name="message"
          rows="6"
          required
          maxlength="${limits.site_appeal_characters_max}"
          ${faultReference('message', faults)}
        >
${message}</textarea>
        ${faultOf('message', faults)}
      </div>
      <div class="field">
        <label for="email">Your email address <span class="hint">(optional)</span></label>
        <input
          id="email"
          name="email"
          type="email"
          autocomplete="email"
          value="${email}"
          ${faultReference('email', faults)}
        />
        ${faultOf('email', faults)}
        <p class="hint">The answer is sent to this address, or else to the owner of the project.</p>
      </div>
      <button class="primary" type="submit">Send</button>
    </form>`
}

type Field = keyof sites.AppealForm

function faultReference(field: Field, faults: Partial<sites.AppealForm>): Html | null {
  return faults[field] === undefined
    ? null
    : html` aria-invalid="true" aria-describedby="${field}-fault"`
}

function faultOf(field: Field, faults: Partial<sites.AppealForm>): Html | null {
  const fault = faults[field]
  return fault === undefined ? null : html`<p class="fault" id="${field}-fault">${fault}</p>`
}
