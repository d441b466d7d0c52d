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
import { hashAddress } from '../../http/visitor-address.ts'
import type { PortalPage } from '../layout.ts'
import { renderMoment, renderNotice } from '../pieces.ts'
import {
  hereOf,
  readParameters,
  type Handler,
  type PortalReply,
  type Portal,
  type PortalVisit,
} from '../visit.ts'
import { appealTexts, type AppealTexts } from './appeal-texts.ts'

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
  return appealPage(visit, appeal, { token: tokenOf(visit), filled: nothing, faults: {} })
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
    return { ...appealPage(visit, appeal, { token, filled, faults }), status: 422 }
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
  faults: sites.AppealFaults
}

function appealPage(
  { language, request }: PortalVisit,
  appeal: sites.Appeal,
  filled: Filled,
): PortalPage {
  const t = appealTexts[language]
  const { slug, is_offline, findings, decision } = appeal
  const title = is_offline ? t.offline(slug) : t.refused(slug)
  return {
    title,
    language,
    here: hereOf(request),
    main: html`<div class="reading">
      <h1>${title}</h1>
      ${appealState(appeal, t)}
      ${decision === null && html`<p>${is_offline ? t.offline_about : t.refused_about(findings.length)}</p>`}
      <ul class="findings">
        ${findings.map((one) => renderFinding(one, appeal, t))}
      </ul>
      ${decision === null && objection(appeal, filled, t)}
    </div>`,
  }
}

type Finding = sites.Appeal['findings'][number]

/** The texts of the check exist in English only. The language of an operator's reason is unknown. */
function renderFinding(
  { path, line, what, why, instead }: Finding,
  { is_offline }: sites.Appeal,
  t: AppealTexts,
): Html {
  return html`<li class="card">
    ${
      path !== '' &&
      html`<p class="hint"><code>${path}</code>${line !== null && html`, ${t.line(line)}`}</p>`
    }
    <div ${!is_offline && html`lang="en"`}>
      <p><b>${what}</b></p>
      ${why !== '' && html`<p>${why}</p>`} ${instead !== '' && html`<p>${instead}</p>`}
    </div>
  </li>`
}

function appealState(
  { appeal, appealed_at, decision, decision_note, is_offline }: sites.Appeal,
  t: AppealTexts,
): Html | null {
  if (decision !== null) {
    const tone = decision === 'allowed' ? 'good' : 'bad'
    return renderNotice(
      tone,
      html`<p>${t[`${decision}_${is_offline ? 'offline' : 'refused'}`]}</p>
        ${decision_note !== null && html`<p>${t.their_note}${decision_note}</p>`}`,
    )
  }
  if (appeal === null || appealed_at === null) return null
  return renderNotice(
    'quiet',
    html`<p>${t.appealed_on}${renderMoment(appealed_at)}. ${t.appealed_about}</p>
      <blockquote>${appeal}</blockquote>`,
  )
}

function objection(
  { appeal }: sites.Appeal,
  { token, filled, faults }: Filled,
  t: AppealTexts,
): Html {
  const { message, email } = filled
  return html`<h2>${appeal === null ? t.appeal : t.replace}</h2>
    <p>${t.explain} ${appeal !== null && t.replaces}</p>
    <form method="post" action="/portal/appeals/${token}">
      <div class="field">
        <label for="message">${t.message}</label>
        <textarea
          id="message"
          name="message"
          rows="6"
          required
          maxlength="${limits.site_appeal_characters_max}"
          ${faultReference('message', faults)}
        >
${message}</textarea>
        ${faultOf('message', faults, t)}
      </div>
      <div class="field">
        <label for="email">${t.email} <span class="hint">${t.optional}</span></label>
        <input
          id="email"
          name="email"
          type="email"
          autocomplete="email"
          value="${email}"
          ${faultReference('email', faults)}
        />
        ${faultOf('email', faults, t)}
        <p class="hint">${t.email_about}</p>
      </div>
      <button class="primary" type="submit">${t.send}</button>
    </form>`
}

type Field = keyof sites.AppealForm

function faultReference(field: Field, faults: sites.AppealFaults): Html | null {
  return faults[field] === undefined
    ? null
    : html` aria-invalid="true" aria-describedby="${field}-fault"`
}

function faultOf(field: Field, faults: sites.AppealFaults, t: AppealTexts): Html | null {
  const fault = faults[field]
  return fault === undefined
    ? null
    : html`<p class="fault" id="${field}-fault">${t.faults[fault]}</p>`
}
