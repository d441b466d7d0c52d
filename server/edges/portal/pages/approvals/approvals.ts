/**
 * The pending and decided approvals of a project. All members see them; a member limited to some
 * sites sees those within the limits.
 */
import * as approvals from '../../../../areas/approvals/service.ts'
import { limits } from '../../../../contract/limits.ts'
import type { MemberCaller } from '../../../../contract/people.ts'
import { completeAccess } from '../../../admission.ts'
import { takeFirstSentence } from '../../../docs/describe/words.ts'
import { html, type Html } from '../../../html/html.ts'
import type { PortalPage } from '../../layout.ts'
import {
  formatCount,
  renderMoment,
  renderNotice,
  renderPill,
  renderTable,
  type PillTone,
} from '../../pieces.ts'
import { projectFrame } from '../../project-frame.ts'
import type { ProjectVisit } from '../../visit.ts'

type Listed = approvals.ApprovalOfTeam

const HISTORY_SHOWN = 20

export async function approvalsPage(visit: ProjectVisit): Promise<PortalPage> {
  const history = visit.query.get('show') === 'history'
  const path = approvalsPath(visit)
  return {
    ...projectFrame(visit, 'approvals'),
    main: html`<h1>Approvals</h1>
      <nav class="tabs" aria-label="Approvals">
        <a href="${path}" ${!history && html` aria-current="page"`}>Pending</a>
        <a href="${path}?show=history" ${history && html` aria-current="page"`}>History</a>
      </nav>
      ${history ? await historyOf(visit) : await pendingOf(visit)}`,
  }
}

export function approvalsPath({ membership }: ProjectVisit): string {
  return `/portal/projects/${membership.project.id}/approvals`
}

/** The visitor as the caller of functions that need a person. */
export async function createMemberCaller(visit: ProjectVisit): Promise<MemberCaller> {
  const { runtime, caller, who, membership } = visit
  const { id, email } = who.person
  return {
    ...caller,
    access: await completeAccess(runtime, caller),
    person: { id, email, role: membership.role },
    session_id: who.session_id,
  }
}

async function pendingFor(visit: ProjectVisit): Promise<Listed[]> {
  const page = { limit: limits.approvals_pending_max }
  const caller = await createMemberCaller(visit)
  return (await approvals.listForTeam(caller, { statuses: ['pending'], page })).data
}

/** A notice on the project page. Null if nothing is pending. */
export async function approvalsNotice(visit: ProjectVisit): Promise<Html | null> {
  const pending = await pendingFor(visit)
  if (pending.length === 0) return null
  const things = formatCount(pending.length, 'approval')
  return renderNotice(
    'warning',
    html`<p>
      <b>${things} pending.</b>
      <a href="${approvalsPath(visit)}">Review and decide</a>
    </p>`,
  )
}

async function pendingOf(visit: ProjectVisit): Promise<Html> {
  const pending = await pendingFor(visit)
  if (pending.length === 0) {
    return html`<div class="card">
      <h2>No pending approvals</h2>
      <p>
        When a connected assistant requests to delete something, contact people outside or spend
        money, and cannot ask you directly, the request waits here for your decision.
      </p>
    </div>`
  }
  return html`<ul class="approvals">
    ${pending.map((one) => pendingCard(visit, one))}
  </ul>`
}

function pendingCard(visit: ProjectVisit, one: Listed): Html {
  const now_ms = visit.runtime.clock.now_ms()
  return html`<li class="card">
    <h2>${takeFirstSentence(one.about)}</h2>
    <p>${renderEffect(one.effect)} ${one.cost}</p>
    ${summaryOf(one)}
    <p class="hint">
      Requested by ${one.asked_by}, ${renderMoment(one.created_at)}. Expires
      ${formatTimeLeft(Date.parse(one.expires_at) - now_ms)}.
    </p>
    <p>
      <a href="${approvalsPath(visit)}/${one.id}"
        >Review and decide<span class="unseen"> about: ${takeFirstSentence(one.about)}</span></a
      >
    </p>
  </li>`
}

async function historyOf(visit: ProjectVisit): Promise<Html> {
  const cursor = visit.query.get('cursor')
  const { data, next_cursor } = await approvals.listForTeam(await createMemberCaller(visit), {
    statuses: ['approved', 'executed', 'failed', 'rejected'],
    page: { limit: HISTORY_SHOWN, ...(cursor !== null && { cursor }) },
  })
  if (data.length === 0) return html`<p>No decisions yet.</p>`
  const path = approvalsPath(visit)
  return html`${renderTable(
    'Decided',
    ['Request', 'Requested by', 'Decided', 'Result'],
    data.map((one) => [
      html`<a href="${path}/${one.id}">${takeFirstSentence(one.about)}</a> ${summaryOf(one)}`,
      one.asked_by,
      html`${one.decided_at === null ? null : renderMoment(one.decided_at)}
        <br />${one.decided_email}`,
      renderOutcome(one),
    ]),
  )}
  ${
    next_cursor !== null &&
    html`<p><a href="${path}?show=history&amp;cursor=${next_cursor}">Older approvals</a></p>`
  }`
}

const SHOWN_ARGUMENTS = 3
const SHOWN_CHARACTERS = 80

/** Renders the target and the loss; the arguments only if there is neither. */
function summaryOf(one: Listed): Html {
  const { subject, loss } = one
  if (subject === null && loss === null) return html`<p>${shortArguments(one)}</p>`
  return html`${subject !== null && html`<p>About: <b>${subject}</b></p>`}
  ${loss !== null && html`<p><b>${loss}</b></p>`}`
}

/** The first arguments, shortened, so that similar approvals can be distinguished. */
function shortArguments({ arguments: given }: Listed): Html {
  const entries = Object.entries(given)
  const shown = entries.slice(0, SHOWN_ARGUMENTS).map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    const short = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text
    return html`<span class="argument">${name}: <b>${short}</b></span> `
  })
  return html`${shown}${entries.length > shown.length && '…'}`
}

const effectWords: Readonly<Record<Listed['effect'], readonly [PillTone, string]>> = {
  deletes: ['bad', 'deletes data'],
  outside: ['warning', 'contacts an outside person'],
  money: ['warning', 'costs money'],
}

export function renderEffect(effect: Listed['effect']): Html {
  return renderPill(...effectWords[effect])
}

const outcomes: Readonly<Record<Listed['status'], readonly [PillTone, string]>> = {
  pending: ['warning', 'pending'],
  approved: ['warning', 'executing'],
  executed: ['good', 'done'],
  failed: ['bad', 'approved, but failed'],
  rejected: ['quiet', 'rejected'],
}

export function renderOutcome({ status, decided_by }: Pick<Listed, 'status' | 'decided_by'>): Html {
  return decided_by === 'expiry' ? renderPill('quiet', 'expired') : renderPill(...outcomes[status])
}

/** Formats a remaining time, in hours from two hours on, otherwise in minutes: `in 71 hours`. */
export function formatTimeLeft(left_ms: number): string {
  const minutes = Math.max(1, Math.ceil(left_ms / 60_000))
  const hours = Math.floor(minutes / 60)
  return `in ${hours >= 2 ? formatCount(hours, 'hour') : formatCount(minutes, 'minute')}`
}
