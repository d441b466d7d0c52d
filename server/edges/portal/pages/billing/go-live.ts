/**
 * The rails of a project: which are live, which steps are missing before each can go live, and
 * their switches, which need a recent confirmation of identity.
 */
import * as goLive from '../../../../areas/go-live/service.ts'
import * as projects from '../../../../areas/projects/service.ts'
import * as people from '../../../../areas/people/service.ts'
import { Problem } from '../../../../contract/errors.ts'
import { html, type Html } from '../../../html/html.ts'
import { renderNotice, renderPill } from '../../pieces.ts'
import { projectFrame } from '../../project-frame.ts'
import { withNext } from '../../session-cookie.ts'
import {
  readParameters,
  requireWholeProject,
  type PortalReply,
  type ProjectVisit,
} from '../../visit.ts'

const results: Readonly<Record<string, string>> = {
  live: 'It is live. From now on it affects real people and costs money.',
  test: 'It works in test mode again and has no real effects.',
}

export async function goLivePage(
  visit: ProjectVisit,
  fault: string | null = null,
): Promise<PortalReply> {
  requireWholeProject(visit)
  const { data } = await goLive.listRails(visit.caller)
  const done = results[visit.query.get('done') ?? '']
  const manages = people.hasRole(visit.membership.role, 'admin')
  return {
    ...projectFrame(visit, 'go_live'),
    ...(fault !== null && { status: 403 }),
    main: html`<h1>Go live</h1>
      ${done !== undefined && renderNotice('good', html`<p>${done}</p>`)}
      ${fault !== null && renderNotice('bad', html`<p>${fault}</p>`)}
      <p class="intro">
        Sites and data are always real. Calls, messages, payments and domains work in test mode
        until you switch each one to live. A test key never causes a real call, message or payment.
      </p>
      ${manages && !visit.who.fresh && askFirst(visit)}
      <ul class="cards rails">
        ${data.map((row) => railCard(visit, row, manages && visit.who.fresh))}
      </ul>`,
  }
}

function askFirst(visit: ProjectVisit): Html {
  const confirm = withNext('/portal/confirm', pathOf(visit))
  return html`<p><a href="${confirm}">Confirm your identity to change a setting</a></p>`
}

function railCard(visit: ProjectVisit, row: goLive.RailRow, may_switch: boolean): Html {
  const { about, mode, missing, can_go_live } = row
  const is_live = mode === 'live'
  const tasks =
    !is_live &&
    (can_go_live
      ? html`<p>Ready to go live.</p>`
      : html`<p>Required steps:</p>
          <ul class="tasks">
            ${missing.map(({ code, task }) => html`<li>${taskLine(visit, code, task)}</li>`)}
          </ul>`)
  return html`<li>
    <div class="rail">
      <h2>${about}</h2>
      ${renderPill(is_live ? 'good' : 'quiet', is_live ? 'live' : 'test')}
    </div>
    ${tasks} ${may_switch && (is_live || can_go_live) && switchForm(visit, row)}
  </li>`
}

/** Links to the portal page where the task is done, if there is one. */
function taskLine(visit: ProjectVisit, code: string, task: string): Html | string {
  const { project } = visit.membership
  if (code === 'live_project' && project.pair_id) {
    return html`<a href="/portal/projects/${project.pair_id}/go-live">${task}</a>`
  }
  const page = places[code]
  if (page === undefined) return task
  return html`<a href="/portal/projects/${project.id}/${page}">${task}</a>`
}

const places: Readonly<Record<string, string>> = {
  company_details: 'company',
  spending_cap: 'billing#monthly-cap',
  payment_mandate: 'billing#top-up',
  payment_authentication: 'billing#top-up',
}

function switchForm(visit: ProjectVisit, { rail, about, mode }: goLive.RailRow): Html {
  const is_live = mode === 'live'
  return html`<form method="post" action="${pathOf(visit)}/${rail}">
    <input type="hidden" name="mode" value="${is_live ? 'test' : 'live'}" />
    <button class="${is_live ? 'plain' : 'primary'}" type="submit">
      ${is_live ? 'Back to test mode' : 'Go live'}<span class="unseen">: ${about}</span>
    </button>
  </form>`
}

function pathOf({ membership }: ProjectVisit): string {
  return `/portal/projects/${membership.project.id}/go-live`
}

export async function switchRail(visit: ProjectVisit): Promise<PortalReply> {
  requireWholeProject(visit)
  if (!visit.who.fresh) return { to: withNext('/portal/confirm', pathOf(visit)) }
  const { rail: wanted } = readParameters(visit.request)
  const rail = projects.railNames.find((name) => name === wanted)
  if (!rail) throw new Problem('not_found', 'No rail has this name.')
  const mode = visit.form.get('mode')
  if (mode !== 'live' && mode !== 'test') return goLivePage(visit, 'Choose live or test.')
  try {
    await goLive.switchRail(visit.caller, { rail, mode })
  } catch (error) {
    if (!(error instanceof Problem) || error.slug !== 'verification_required') throw error
    return goLivePage(visit, error.extra.user_message ?? error.detail)
  }
  return { to: `${pathOf(visit)}?done=${mode}` }
}
