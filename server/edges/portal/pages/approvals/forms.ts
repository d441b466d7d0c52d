/** The forms of the approval page: approve, edit the arguments, and reject. They need no script. */
import * as approvals from '../../../../areas/approvals/service.ts'
import { limits } from '../../../../contract/limits.ts'
import { html, type Html } from '../../../html/html.ts'
import { withNext } from '../../session-cookie.ts'
import type { ProjectVisit } from '../../visit.ts'
import { approvalTexts, type ApprovalTexts } from './texts.ts'
import { renderEnglish } from './wording.ts'

type Approval = approvals.ApprovalOfTeam

/** The submitted form, and its faults. */
export interface Fault {
  text: string
  message: Html
  errors: readonly { path: string; message: string }[]
}

/** The page of the approval, without a script. */
export function approvalPath({ membership }: ProjectVisit, approval_id: string): string {
  return `/portal/projects/${membership.project.id}/approvals/${approval_id}`
}

export function decisionForms(visit: ProjectVisit, approval: Approval, fault: Fault | null): Html {
  const t = approvalTexts[visit.language]
  const { role } = visit.membership
  if (!approvals.mayDecide(role, approval.effect)) {
    return html`<p>${approval.effect === 'money' ? t.admins_decide : t.members_decide}</p>`
  }
  const path = approvalPath(visit, approval.id)
  if (!visit.who.fresh) {
    return html`<h2>${t.decide}</h2>
      <p>
        <a href="${withNext('/portal/confirm', path)}">${t.confirm}</a>
      </p>`
  }
  return html`${approveForm(path, approval, t)} ${editForm(visit, approval, fault)}
  ${rejectForm(path, approval, t)}`
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

function approveForm(path: string, approval: Approval, t: ApprovalTexts): Html {
  return html`<section class="card">
    <h2>${t.approve}</h2>
    <p>${t.approve_about}</p>
    <form method="post" action="${path}/approve">
      ${inputHashField(approval)} ${noteField('yes-note', t.approve_note)}
      <button class="primary" type="submit">${t.approve}</button>
    </form>
  </section>`
}

function rejectForm(path: string, approval: Approval, t: ApprovalTexts): Html {
  return html`<section class="card">
    <h2>${t.reject}</h2>
    <form method="post" action="${path}/reject">
      ${inputHashField(approval)} ${noteField('no-note', t.reject_note)}
      <button class="danger" type="submit">${t.reject}</button>
    </form>
  </section>`
}

function editForm(visit: ProjectVisit, approval: Approval, fault: Fault | null): Html {
  const t = approvalTexts[visit.language]
  const text = fault?.text ?? JSON.stringify(approval.arguments, null, 2)
  return html`<section class="card">
    <details ${fault !== null && html`open`}>
      <summary>${t.technical}</summary>
      <p>${t.operation}<code>${approval.operation}</code>. ${t.may_edit}</p>
      <form method="post" action="${approvalPath(visit, approval.id)}/edit">
        ${inputHashField(approval)}
        <div class="field">
          <label for="arguments">${t.as_json}</label>
          ${argumentsField(text, fault !== null)} ${fault !== null && faultsOf(fault, visit)}
        </div>
        <button type="submit">${t.save}</button>
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

function faultsOf({ message, errors }: Fault, { language }: ProjectVisit): Html {
  return html`<div id="arguments-faults" role="alert">
    <p class="fault">${message}</p>
    <ul>
      ${errors.map(
        ({ path, message: what }) =>
          html`<li><code>${path || '/'}</code> ${renderEnglish(what, language)}</li>`,
      )}
    </ul>
  </div>`
}
