/**
 * One approval: what it does, its cost, its requester and its exact arguments, with forms to
 * approve, edit and reject it; after the decision, its result. Text from requesters is escaped.
 */
import * as approvals from '../../../../areas/approvals/service.ts'
import { Problem } from '../../../../contract/errors.ts'
import type { MemberCaller } from '../../../../contract/people.ts'
import { limits } from '../../../../contract/limits.ts'
import { PORTAL_APP_PATH } from '../../../../contract/manifest/portal-pages.ts'
import { completeAccess } from '../../../admission.ts'
import { readJson } from '../../../http/request.ts'
import { takeFirstSentence } from '../../../describe/words.ts'
import { html, type Html } from '../../../html/html.ts'
import { renderFacts, renderMoment, renderNotice, renderPill } from '../../pieces.ts'
import { withNext } from '../../session-cookie.ts'
import { readId, type PortalReply, type ProjectVisit } from '../../visit.ts'
import { argumentsTable } from './arguments.ts'
import { approvalPath, decisionForms, type Fault } from './forms.ts'
import { approvalTexts } from './texts.ts'
import {
  formatTimeLeft,
  renderCost,
  renderEffect,
  renderEnglish,
  renderMessage,
  renderOutcome,
} from './wording.ts'

type Approval = approvals.ApprovalOfTeam

/** Why a submitted form had no effect. */
interface FormFeedback {
  fault?: Fault | null
  /** Why the decision was not taken: another member decided first, or the proposal changed. */
  conflict?: Problem | null
}

export async function approvalPage(
  visit: ProjectVisit,
  { fault = null, conflict = null }: FormFeedback = {},
): Promise<PortalReply> {
  const member = await createMemberCaller(visit)
  const approval = await approvals.findForTeam(member, readId(visit.request, 'approval_id'))
  const waits = approval.status === 'pending'
  const subject = waits ? await approvals.readSubject(member, approval) : null
  const { effect, cost, edited } = approval
  const { language } = visit
  const t = approvalTexts[language]
  return {
    ...frameOf(visit, approval),
    ...(fault !== null && { status: 422 }),
    ...(conflict !== null && { status: conflict.status }),
    main: html`<div class="reading">
      <p><a href="${toApprovalsPage(visit)}">${t.all}</a></p>
      ${descriptionOf(visit, approval)}
      <p>
        ${renderEffect(effect, t)} ${renderOutcome(approval, t)}
        ${edited && renderPill('quiet', t.edited)}
      </p>
      ${conflict !== null && renderNotice('bad', html`<p>${renderMessage(conflict.extra.user_message ?? '', language)}</p>`)}
      ${done(visit)} ${resultNotice(visit, approval)}
      ${renderFacts([
        ...subjectOf(visit, approval),
        [t.cost, renderCost(cost, language) ?? t.free],
        [t.asked_by, approval.asked_by],
        [t.asked, renderMoment(approval.created_at)],
        ...decisionFacts(visit, approval),
      ])}
      ${lossOf(visit, approval)}
      <h2>${t.arguments}</h2>
      ${argumentsTable(approval.arguments, t)} ${subject !== null && subjectDetails(visit, subject)}
      ${waits && decisionForms(visit, approval, fault)}
    </div>`,
  }
}

function frameOf(visit: ProjectVisit, { id }: Approval) {
  const { who, language, membership } = visit
  const { project } = membership
  return {
    title: approvalTexts[language].title(project.name),
    language,
    here: approvalPath(visit, id),
    email: who.person.email,
    project: { id: project.id, name: project.name },
  }
}

/** The list of approvals, in the portal with scripts. */
function toApprovalsPage({ membership }: ProjectVisit): string {
  return `${PORTAL_APP_PATH}/projects/${membership.project.id}/approvals`
}

/** The visitor as the caller of functions that need a person. */
async function createMemberCaller(visit: ProjectVisit): Promise<MemberCaller> {
  const { runtime, caller, who, membership } = visit
  const { id, email } = who.person
  return {
    ...caller,
    access: await completeAccess(runtime, caller),
    person: { id, email, role: membership.role },
    session_id: who.session_id,
  }
}

/** The description of the operation; in English if it has no Dutch one. */
function descriptionOf({ language }: ProjectVisit, { about, about_nl }: Approval): Html {
  const text = language === 'nl' ? about_nl : about
  const is_english = language === 'nl' && about_nl === about
  const more = furtherSentences(text)
  return html`<h1 ${is_english && html`lang="en"`}>${takeFirstSentence(text)}</h1>
    ${more !== '' && html`<p ${is_english && html`lang="en"`}>${more}</p>`}`
}

function subjectOf({ language }: ProjectVisit, { subject }: Approval) {
  return subject === null ? [] : [[approvalTexts[language].about, subject] as const]
}

/** Returns what would be deleted. */
function lossOf({ language }: ProjectVisit, { loss }: Approval): Html | false {
  return loss !== null && html`<p><b>${renderEnglish(loss, language)}</b></p>`
}

/** The description without its first sentence. */
function furtherSentences(about: string): string {
  return about.slice(takeFirstSentence(about).length).replace(/^\./, '').trim()
}

function decisionFacts({ runtime, language }: ProjectVisit, approval: Approval) {
  const t = approvalTexts[language]
  const { status, expires_at, decided_at, decided_email } = approval
  if (status !== 'pending') {
    const who = decided_email === null ? null : t.decided_by(decided_email)
    return decided_at === null
      ? []
      : [[t.decided, html`${who}${renderMoment(decided_at)}`] as const]
  }
  const left = formatTimeLeft(Date.parse(expires_at) - runtime.clock.now_ms(), t)
  return [[t.expires, html`${left}, ${renderMoment(expires_at)}`] as const]
}

function done({ query, language }: ProjectVisit): Html | null {
  if (query.get('done') !== 'edited') return null
  return renderNotice('good', html`<p>${approvalTexts[language].saved}</p>`)
}

/** The result, or the state of the execution. Null while the approval is pending. */
function resultNotice({ language }: ProjectVisit, approval: Approval): Html | null {
  const t = approvalTexts[language]
  const { status, note, decided_by, reply, problem } = approval
  const said = note !== null && html`<blockquote>${note}</blockquote>`
  if (status === 'pending') return null
  if (status === 'approved') {
    return renderNotice(
      'warning',
      html`<p>${t.executing}</p>
        ${said}`,
    )
  }
  if (status === 'rejected') {
    const text = decided_by === 'expiry' ? t.expired : t.rejected
    return renderNotice(
      'quiet',
      html`<p>${text}</p>
        ${said}`,
    )
  }
  if (status === 'failed') {
    return renderNotice(
      'bad',
      html`<p>${t.failed}${renderMessage(problem?.user_message ?? '', language)}</p>
        <p>${renderEnglish(problem?.detail ?? '', language)}</p>
        ${said}`,
    )
  }
  return html`${renderNotice(
    'good',
    html`<p>${t.done}</p>
      ${said}`,
  )}
  ${
    reply !== null &&
    html`<details>
      <summary>${t.response}</summary>
      <pre tabindex="0"><code>${JSON.stringify(reply, null, 2)}</code></pre>
    </details>`
  }`
}

/** Renders the current data of the target, because an id alone does not help a person. */
function subjectDetails({ language }: ProjectVisit, subject: Record<string, unknown>): Html {
  const t = approvalTexts[language]
  const words = approvals.joinNames(subject)
  return html`<details>
    <summary>${t.subject}${words === '' ? t.details : html`<b>${words}</b>`}</summary>
    <pre tabindex="0"><code>${JSON.stringify(subject, null, 2)}</code></pre>
  </details>`
}

/**
 * Approving, editing and rejecting need a recent confirmation of identity, which may have expired
 * since the page was loaded.
 */
async function decideWith(
  visit: ProjectVisit,
  decide: (decider: approvals.Decider, id: string, input_hash: string) => Promise<unknown>,
): Promise<{ to: string }> {
  const id = readId(visit.request, 'approval_id')
  const path = approvalPath(visit, id)
  if (!visit.who.fresh) return { to: withNext('/portal/confirm', path) }
  const caller = await createMemberCaller(visit)
  const { role, ...person } = caller.person
  const decider = await approvals.buildDecider(caller, { person, role })
  await decide(decider, id, visit.form.get('input_hash') ?? '')
  return { to: path }
}

function noteOf({ form }: ProjectVisit): { note: string } {
  const note = (form.get('note') ?? '').replaceAll('\r\n', '\n').trim()
  const most = limits.approval_note_characters_max
  if ([...note].length <= most) return { note }
  const user_message = `A note has at most ${most} characters.`
  throw new Problem('validation_failed', user_message, { user_message })
}

export function approve(visit: ProjectVisit): Promise<PortalReply> {
  return showConflict(
    visit,
    decideWith(visit, (decider, id, input_hash) =>
      approvals.approve(decider, id, { input_hash, ...noteOf(visit) }),
    ),
  )
}

export function reject(visit: ProjectVisit): Promise<PortalReply> {
  return showConflict(
    visit,
    decideWith(visit, (decider, id, input_hash) =>
      approvals.reject(decider, id, { input_hash, ...noteOf(visit) }),
    ),
  )
}

/** Shows the current state to a person whose decision was too late or about an older version. */
async function showConflict(
  visit: ProjectVisit,
  outcome: Promise<PortalReply>,
): Promise<PortalReply> {
  try {
    return await outcome
  } catch (error) {
    if (!(error instanceof Problem) || error.slug !== 'conflict') throw error
    return approvalPage(visit, { conflict: error })
  }
}

/** Saves the edited arguments, or shows the form again with its faults. */
export async function edit(visit: ProjectVisit): Promise<PortalReply> {
  const text = (visit.form.get('arguments') ?? '').replaceAll('\r\n', '\n')
  try {
    const { to } = await decideWith(visit, (decider, id, input_hash) =>
      approvals.editArguments(decider, id, { input_hash, arguments: readArguments(text) }),
    )
    const isSaved = to === approvalPath(visit, readId(visit.request, 'approval_id'))
    return { to: isSaved ? `${to}?done=edited` : to }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { slug, detail, extra } = error
    const is_invalid = slug === 'validation_failed'
    const message = is_invalid
      ? html`${approvalTexts[visit.language].invalid}`
      : renderEnglish(detail, visit.language)
    return approvalPage(visit, { fault: { text, message, errors: extra.errors ?? [] } })
  }
}

function readArguments(text: string): Record<string, unknown> {
  const { body } = readJson(Buffer.from(text))
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return { ...body }
  throw new Problem('invalid_json', 'The arguments must be a JSON object.')
}
