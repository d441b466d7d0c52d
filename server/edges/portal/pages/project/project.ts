/**
 * The overview of a project: open tasks first, then its facts. A member limited to some sites sees
 * only those.
 */
import * as billing from '../../../../areas/billing/service.ts'
import * as numbers from '../../../../areas/numbers/service.ts'
import * as projects from '../../../../areas/projects/service.ts'
import * as sites from '../../../../areas/sites/service.ts'
import type { Caller, ProjectRow } from '../../../../contract/caller.ts'
import { limits } from '../../../../contract/limits.ts'
import { plans } from '../../../../contract/plans.ts'
import { html, type Html } from '../../../html/html.ts'
import type { PortalPage } from '../../layout.ts'
import {
  formatCount,
  formatEuro,
  renderFacts,
  renderMoment,
  renderNotice,
  renderPill,
  renderTable,
} from '../../pieces.ts'
import { projectFrame } from '../../project-frame.ts'
import type { ProjectVisit } from '../../visit.ts'
import { readWebhookState, type EndpointStatus } from './webhook-state.ts'
import { approvalsNotice } from '../approvals/approvals.ts'

export async function projectPage(visit: ProjectVisit): Promise<PortalPage> {
  const { project, access } = visit.membership
  const frame = projectFrame(visit, 'overview')
  if (access !== null) return { ...frame, main: await limitedView(visit) }
  const webhooks = await readWebhookState(visit.caller)
  return {
    ...frame,
    main: html`<h1>${project.name}</h1>
      ${await approvalsNotice(visit)} ${warnings(project.id, webhooks)}
      <div class="columns">
        ${await factsSection(visit)} ${await balanceSection(visit)} ${railsSection(project)}
        ${webhooksSection(project.id, webhooks)}
      </div>
      ${await sitesSection(visit)} ${await numbersSection(visit)}`,
  }
}

async function limitedView(visit: ProjectVisit): Promise<Html> {
  const { project } = visit.membership
  return html`<h1>${project.name}</h1>
    <p>
      You have access to some sites of this project. Its other pages are for members with access to
      the whole project.
    </p>
    ${await approvalsNotice(visit)} ${await sitesSection(visit)}
    <p>Project id: <code>${project.id}</code></p>`
}

/** Renders failing webhooks first, because no other page warns of them. */
function warnings(project_id: string, endpoints: readonly EndpointStatus[]): Html {
  const page = `/portal/projects/${project_id}/webhooks`
  return html`${endpoints
    .filter(({ tone }) => tone === 'warning' || tone === 'bad')
    .map(({ tone, host, sentence }) =>
      renderNotice(
        tone,
        html`<p><b>Webhook endpoint ${host}:</b> ${sentence} <a href="${page}">What to do</a></p>`,
      ),
    )}`
}

async function factsSection({ membership, caller }: ProjectVisit): Promise<Html> {
  const { project, role } = membership
  const { verification } = projects.present(project, caller.mode)
  const approved = verification.levels
    .filter(({ level, status }) => level !== 'test' && status === 'approved')
    .map(({ level }) => level.replaceAll('_', ' '))
  return html`<section class="card">
    <h2>Facts</h2>
    ${renderFacts([
      ['Project id', html`<code>${project.id}</code>`],
      ['Plan', plans[project.plan].title],
      ['Your role', role],
      ['Verified', approved.length === 0 ? 'nothing yet' : approved.join(', ')],
      ['Created', renderMoment(project.created_at)],
    ])}
  </section>`
}

async function balanceSection({ runtime, membership, caller }: ProjectVisit): Promise<Html> {
  const balance = await billing.readBalance(runtime.db, runtime, {
    project_id: projects.findPayingProject(membership.project),
    test: caller.mode === 'test',
  })
  const cap = balance.spend_cap_eur
  return html`<section class="card">
    <h2>Balance</h2>
    <p class="figure">${formatEuro(balance.balance_eur)}</p>
    ${renderFacts([
      ['Spent this month', formatEuro(balance.spent_this_month_eur)],
      ['Monthly cap', cap === null ? 'none set' : formatEuro(cap)],
      ['Automatic top-up', balance.auto_reload.enabled ? 'on' : 'off'],
    ])}
    <p>
      <a href="/portal/projects/${membership.project.id}/billing"
        >Top up, and see what it was spent on</a
      >
    </p>
  </section>`
}

const railWords: Readonly<Record<(typeof projects.railNames)[number], string>> = {
  phone: 'Phone numbers',
  outbound: 'Outbound calls',
  sms: 'Text messages (SMS)',
  email: 'Email to other people',
  payments: 'Payments',
  domains: 'Domains',
}

function railsSection({ id, rails }: ProjectRow): Html {
  const pairs = projects.railNames.map((rail) => {
    const live = rails[rail] === 'live'
    return [railWords[rail], renderPill(live ? 'good' : 'quiet', live ? 'live' : 'test')] as const
  })
  return html`<section class="card">
    <h2>Live or test</h2>
    ${renderFacts(pairs)}
    <p><a href="/portal/projects/${id}/go-live">Required steps to go live</a></p>
  </section>`
}

function webhooksSection(project_id: string, endpoints: readonly EndpointStatus[]): Html {
  const failed = endpoints.reduce((sum, endpoint) => sum + endpoint.failed.length, 0)
  return html`<section class="card">
    <h2>Webhooks</h2>
    ${
      endpoints.length === 0
        ? html`<p>
            No endpoint yet.
            <a href="/docs/reference/webhooks#webhooks.create">How to create one</a>
          </p>`
        : html`<ul class="states">
              ${endpoints.map(
                ({ host, tone, word }) =>
                  html`<li><span>${host}</span> ${renderPill(tone, word)}</li>`,
              )}
            </ul>
            <p>
              <a href="/portal/projects/${project_id}/webhooks">
                ${failed === 0 ? 'No failed deliveries' : `${formatCount(failed, 'failed delivery', 'failed deliveries')}`}
              </a>
            </p>`
    }
  </section>`
}

async function sitesSection({ caller }: ProjectVisit): Promise<Html> {
  const { data } = await sites.list(caller, { limit: limits.page_limit_max })
  if (data.length === 0)
    return html`<h2>Sites</h2>
      <p>No site yet.</p>`
  return renderTable(
    'Sites',
    ['Site', 'URL', 'Visibility', 'State'],
    data.map((site) => {
      const { title, url, visibility } = site
      return [title, html`<a href="${url}">${url}</a>`, visibility, siteState(caller, site)]
    }),
  )
}

/** Renders the state of a site; for an offline site, also the reason and a link to appeal. */
function siteState({ runtime, project }: Caller, { id, status, status_reason }: sites.Site): Html {
  if (status === 'live') return renderPill('good', status)
  const appeal_url = sites.toOfflineAppealUrl(runtime, { id, project_id: project.id })
  return html`${renderPill('bad', status)}
    ${status_reason !== null && html`<p>${status_reason}</p>`}
    <p><a href="${appeal_url}">Appeal</a></p>`
}

async function numbersSection({ caller }: ProjectVisit): Promise<Html> {
  const rows = await numbers.list(caller)
  if (rows.length === 0)
    return html`<h2>Numbers</h2>
      <p>No phone number yet.</p>`
  return renderTable(
    'Numbers',
    ['Number', 'Type', 'State'],
    rows.map(({ e164, type, status, test }) => [
      e164,
      test ? `${type}, test` : type,
      renderPill(status === 'active' ? 'good' : 'warning', status),
    ]),
  )
}
