/** The general limits, and those of each plan. */
import type { LimitEntry } from '../../../contract/limits.ts'
import { limitTable } from '../../../contract/limits.ts'
import { planNames, plans, type PlanEntry } from '../../../contract/plans.ts'
import { formatBytes, formatDuration, formatNumber } from '../../describe/words.ts'
import { html, type Html } from '../../html/html.ts'
import { isLimitUsed } from '../available.ts'
import { renderNotYet } from '../not-yet.ts'
import { toSentence, renderProse } from '../render/prose.ts'
import { paths, type DocsPage, type DocsSite } from '../site.ts'

export function limitsPage(site: DocsSite): DocsPage {
  return {
    path: paths.limits,
    title: 'Limits',
    about: 'The limits of the Homeport API, and those of each plan.',
    main: html`<h1>Limits</h1>
      <p class="lead">
        These limits apply to every project. Those of each plan are <a href="#plans">below</a>.
      </p>
      <p class="filter" hidden>
        <input
          type="search"
          placeholder="Filter limits"
          aria-label="Filter limits"
          data-filter="#limits tbody tr"
        />
      </p>
      <table class="limits" id="limits">
        <caption>
          Limits
        </caption>
        <thead>
          <tr>
            <th scope="col">Limit</th>
            <th scope="col">Value</th>
          </tr>
        </thead>
        <tbody>
          ${Object.values<LimitEntry>(limitTable).map(
            (limit) =>
              html`<tr>
                <th scope="row">
                  ${renderProse(site, toSentence(limit.about))}<span class="type"
                    >${renderProse(site, limit.applies_to)}</span
                  >
                  ${renderNotYet(isLimitUsed(site, limit))}
                </th>
                <td>${valueText(limit)}</td>
              </tr> `,
          )}
        </tbody>
      </table>
      <h2 id="plans">Plans</h2>
      ${planTable()}`,
  }
}

function valueText({ value, unit }: LimitEntry): string {
  const values = typeof value === 'object' ? value : [value]
  return values.map((one) => withUnit(one, unit)).join(', ')
}

function withUnit(value: number | string, unit: string): string {
  if (typeof value === 'string') return value
  if (unit === 'seconds') return formatDuration(value)
  return unit === 'bytes' ? formatBytes(value) : `${formatNumber(value)} ${unit}`
}

const rows: readonly (readonly [title: string, show: (plan: PlanEntry) => string])[] = [
  ['Sites', (plan) => formatNumber(plan.sites_max)],
  ['Collections', (plan) => formatNumber(plan.collections_max)],
  ['Data', (plan) => formatBytes(plan.data_bytes_max)],
  ['Files', (plan) => formatBytes(plan.files_bytes_max)],
  ['People in the team', (plan) => formatNumber(plan.team_members_max)],
  ['Modules of one app', (plan) => formatBytes(plan.app_bytes_max)],
  ['Live phone numbers', (plan) => yesOrNo(plan.live_numbers)],
  ['Live payments', (plan) => yesOrNo(plan.live_payments)],
  [
    'Sending address of its own, if the server has one',
    (plan) => yesOrNo(plan.dedicated_sending_ip),
  ],
]

function planTable(): Html {
  return html`<div class="scrolls" tabindex="0" role="region" aria-label="Plans">
    <table class="plans">
      <caption>
        What each plan includes
      </caption>
      <thead>
        <tr>
          <th scope="col"><span class="unseen">Included</span></th>
          ${planNames.map((plan) => html`<th scope="col">${plans[plan].title}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([title, show]) =>
            html`<tr>
              <th scope="row">${title}</th>
              ${planNames.map((plan) => html`<td>${show(plans[plan])}</td>`)}
            </tr> `,
        )}
      </tbody>
    </table>
  </div>`
}

function yesOrNo(included: boolean): string {
  return included ? 'yes' : 'no'
}
