/**
 * One approval: what it does, its cost, its requester and its exact arguments, with forms to
 * approve, edit and reject it; after the decision, its result. Text from requesters is escaped.
 */
import * as approvals from '../../../../areas/approvals/service.ts'
import { Problem } from '../../../../contract/errors.ts'
import type { MemberCaller } from '../../../../contract/people.ts'
import { limits } from '../../../../contract/limits.ts'
import { readJson } from '../../../http/request.ts'
import { takeFirstSentence } from '../../../docs/describe/words.ts'
import { html, type Html } from '../../../html/html.ts'
import { renderFacts, renderMoment, renderNotice, renderPill } from '../../pieces.ts'
import { projectFrame } from '../../project-frame.ts'
import { withNext } from '../../session-cookie.ts'
import { readId, type PortalReply, type ProjectVisit } from '../../visit.ts'
import { argumentsTable } from './arguments.ts'
import {
  approvalsPath,
  renderEffect,
  createMemberCaller,
  renderOutcome,
  formatTimeLeft,
} from './approvals.ts'

type Approval = approvals.ApprovalOfTeam

/** Why a submitted form had no effect. */
interface FormFeedback {
  fault?: Fault | null
  /** Why the decision was not taken: another member decided first, or the proposal changed. */
  conflict?: Problem | null
}

/** The submitted form, and its faults. */
interface Fault {
  text: string
  message: string
  errors: readonly { path: string; message: string }[]
}

export async function approvalPage(
  visit: ProjectVisit,
  { fault = null, conflict = null }: FormFeedback = {},
): Promise<PortalReply> {
  const member = await createMemberCaller(visit)
  const approval = await approvals.findForTeam(member, readId(visit.request, 'approval_id'))
  const waits = approval.status === 'pending'
  const subject = waits ? await approvals.readSubject(member, approval) : null
  const { about, effect, cost, edited } = approval
  return {
    ...projectFrame(visit, 'approvals'),
    ...(fault !== null && { status: 422 }),
    ...(conflict !== null && { status: conflict.status }),
    main: html`<div class="reading">
      <p><a href="${approvalsPath(visit)}">All approvals</a></p>
      <h1>${takeFirstSentence(about)}</h1>
      ${furtherSentences(about) !== '' && html`<p>${furtherSentences(about)}</p>`}
      <p>
        ${renderEffect(effect)} ${renderOutcome(approval)}
        ${edited && renderPill('quiet', 'edited by a person')}
      </p>
      ${conflict !== null && renderNotice('bad', html`<p>${conflict.extra.user_message}</p>`)}
      ${done(visit)} ${resultNotice(approval)}
      ${renderFacts([
        ...subjectOf(approval),
        ['Cost', cost ?? 'nothing'],
        ['Requested by', approval.asked_by],
        ['Requested', renderMoment(approval.created_at)],
        ...decisionFacts(visit, approval),
      ])}
      ${await lossOf(member, approval)}
      <h2>Arguments</h2>
      ${argumentsTable(approval.arguments)} ${subject !== null && subjectDetails(subject)}
      ${waits && decisionForms(visit, approval, fault)}
    </div>`,
  }
}

function subjectOf({ subject }: Approval) {
  return subject === null ? [] : [['About', subject] as const]
}

/**
 * Returns what would be deleted: the current state while the approval is pending, afterwards the
 * stored text.
 */
async function lossOf(member: MemberCaller, approval: Approval): Promise<Html | false> {
  const waits = approval.status === 'pending'
  const now = waits ? await approvals.findLoss(member, approval) : null
  const loss = waits ? (now?.about ?? null) : approval.loss
  return loss !== null && html`<p><b>${loss}</b></p>`
}

/** The description without its first sentence. */
function furtherSentences(about: string): string {
  return about.slice(takeFirstSentence(about).length).replace(/^\./, '').trim()
}

function decisionFacts({ runtime }: ProjectVisit, approval: Approval) {
  const { status, expires_at, decided_at, decided_email } = approval
  if (status !== 'pending') {
    const who = decided_email === null ? null : html`by ${decided_email}, `
    return decided_at === null
      ? []
      : [['Decided', html`${who}${renderMoment(decided_at)}`] as const]
  }
  const left = formatTimeLeft(Date.parse(expires_at) - runtime.clock.now_ms())
  return [['Expires', html`${left}, ${renderMoment(expires_at)}`] as const]
}

function done({ query }: ProjectVisit): Html | null {
  if (query.get('done') !== 'edited') return null
  return renderNotice(
    'good',
    html`<p>Your changes are saved. The request still waits for a decision.</p>`,
  )
}

/** The result, or the state of the execution. Null while the approval is pending. */
function resultNotice(approval: Approval): Html | null {
  const { status, note, decided_by, reply, problem } = approval
  const said = note !== null && html`<blockquote>${note}</blockquote>`
  if (status === 'pending') return null
  if (status === 'approved') {
    const text = 'Approved. It is being executed; reload this page in a moment.'
    return renderNotice(
      'warning',
      html`<p>${text}</p>
        ${said}`,
    )
  }
  if (status === 'rejected') {
    const text =
      decided_by === 'expiry'
        ? 'Expired without a decision, so nothing was done.'
        : 'Rejected. Nothing was done.'
    return renderNotice(
      'quiet',
      html`<p>${text}</p>
        ${said}`,
    )
  }
  if (status === 'failed') {
    return renderNotice(
      'bad',
      html`<p>Approved, but it failed: ${problem?.user_message}</p>
        <p>${problem?.detail}</p>
        ${said}`,
    )
  }
  return html`${renderNotice(
    'good',
    html`<p>Done.</p>
      ${said}`,
  )}
  ${
    reply !== null &&
    html`<details>
      <summary>Response</summary>
      <pre tabindex="0"><code>${JSON.stringify(reply, null, 2)}</code></pre>
    </details>`
  }`
}

/** Renders the current data of the target, because an id alone does not help a person. */
function subjectDetails(subject: Record<string, unknown>): Html {
  const words = approvals.joinNames(subject)
  return html`<details>
    <summary>Subject: ${words === '' ? 'details' : html`<b>${words}</b>`}</summary>
    <pre tabindex="0"><code>${JSON.stringify(subject, null, 2)}</code></pre>
  </details>`
}

function decisionForms(visit: ProjectVisit, approval: Approval, fault: Fault | null): Html {
  const { role } = visit.membership
  if (!approvals.mayDecide(role, approval.effect)) {
    const who = approval.effect === 'money' ? 'An owner or admin' : 'A member, admin or owner'
    return html`<p>${who} of the project can decide this.</p>`
  }
  const path = `${approvalsPath(visit)}/${approval.id}`
  if (!visit.who.fresh) {
    return html`<h2>Decide</h2>
      <p>
        <a href="${withNext('/portal/confirm', path)}">Confirm your identity to decide</a>
      </p>`
  }
  return html`${approveForm(path, approval)} ${editForm(path, approval, fault)}
  ${rejectForm(path, approval)}`
}

function inputHashField({ input_hash }: Approval): Html {
  return html`<input type="hidden" name="input_hash" value="${input_hash}" />`
}

function noteField(id: string, label: string): Html {
  return html`<div class="field">
    <label for="${id}">${label}</label>
    <textarea
      id="${id}"
      name="note"
      rows="2"
      maxlength="${limits.approval_note_characters_max}"
    ></textarea>
  </div>`
}

function approveForm(path: string, approval: Approval): Html {
  return html`<section class="card">
    <h2>Approve</h2>
    <p>It is executed at once, one time, with exactly the arguments above.</p>
    <form method="post" action="${path}/approve">
      ${inputHashField(approval)} ${noteField('yes-note', 'Note to the requester (optional)')}
      <button class="primary" type="submit">Approve</button>
    </form>
  </section>`
}

function rejectForm(path: string, approval: Approval): Html {
  return html`<section class="card">
    <h2>Reject</h2>
    <form method="post" action="${path}/reject">
      ${inputHashField(approval)} ${noteField('no-note', 'Reason for the requester (optional)')}
      <button class="danger" type="submit">Reject</button>
    </form>
  </section>`
}

function editForm(path: string, approval: Approval, fault: Fault | null): Html {
  const text = fault?.text ?? JSON.stringify(approval.arguments, null, 2)
  return html`<section class="card">
    <details ${fault !== null && html`open`}>
      <summary>Technical details</summary>
      <p>
        Operation: <code>${approval.operation}</code>. You can edit the arguments before you decide.
      </p>
      <form method="post" action="${path}/edit">
        ${inputHashField(approval)}
        <div class="field">
          <label for="arguments">Arguments, as JSON</label>
          ${argumentsField(text, fault !== null)} ${fault !== null && faultsOf(fault)}
        </div>
        <button type="submit">Save changes</button>
      </form>
    </details>
  </section>`
}

function argumentsField(text: string, is_wrong: boolean): Html {
  const rows = Math.min(24, text.split('\n').length + 1)
  const described = is_wrong && html` aria-invalid="true" aria-describedby="arguments-faults"`
  // Browsers drop a line break at the start of a textarea.
  const content = `\n${text}`
  const opening = html`<textarea id="arguments" class="json" name="arguments" rows="${rows}"
    spellcheck="false"${described}>`
  return html`${opening}${content}</textarea>`
}

function faultsOf({ message, errors }: Fault): Html {
  return html`<div id="arguments-faults" role="alert">
    <p class="fault">${message}</p>
    <ul>
      ${errors.map(({ path, message: what }) => html`<li><code>${path || '/'}</code> ${what}</li>`)}
    </ul>
  </div>`
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
  const path = `${approvalsPath(visit)}/${id}`
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
    return { to: to.startsWith(approvalsPath(visit)) ? `${to}?done=edited` : to }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { slug, detail, extra } = error
    const message = slug === 'validation_failed' ? 'The arguments are invalid:' : detail
    return approvalPage(visit, { fault: { text, message, errors: extra.errors ?? [] } })
  }
}

function readArguments(text: string): Record<string, unknown> {
  const { body } = readJson(Buffer.from(text))
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return { ...body }
  throw new Problem('invalid_json', 'The arguments must be a JSON object.')
}
