/** The billing page of a project: balance, expenses by month, top-ups and limits. */
import * as billing from '../../../../areas/billing/service.ts'
import * as people from '../../../../areas/people/service.ts'
import { isUuid } from '../../../../kernel/values/ids.ts'
import { html, type Html } from '../../../html/html.ts'
import { autoReloadForm, capForm, topUpForm } from './billing-forms.ts'
import {
  formatEuro,
  renderFacts,
  renderMoment,
  renderNotice,
  renderPill,
  renderTable,
} from '../../pieces.ts'
import { projectFrame } from '../../project-frame.ts'
import { withNext } from '../../session-cookie.ts'
import { requireWholeProject, type PortalReply, type ProjectVisit } from '../../visit.ts'

const MONTHS_SHOWN = 6

const results: Readonly<Record<string, string>> = {
  cap: 'The monthly cap is saved.',
  reload: 'Automatic top-up is saved.',
}

export interface BillingNotices {
  fault?: string
  /** A top-up that was just ordered and has to be paid now. */
  ordered?: billing.TopUpOrder
}

export async function billingPage(
  visit: ProjectVisit,
  notes: BillingNotices = {},
): Promise<PortalReply> {
  requireWholeProject(visit)
  const { membership, who, caller } = visit
  // The notices are built first, so that the balance includes a payment that was just completed.
  const said = await notices(visit, notes)
  const balance = await billing.show(caller)
  const { data: months } = await billing.listMonths(caller, { months: MONTHS_SHOWN })
  const manages = people.hasRole(membership.role, 'admin')
  return {
    ...projectFrame(visit, 'billing'),
    ...(notes.fault !== undefined && { status: 422 }),
    main: html`<h1>Billing</h1>
      ${said}
      <div class="columns">${balanceCard(balance)} ${monthsCard(months)}</div>
      ${manages && (await settings(visit, { balance, is_fresh: who.fresh }))} ${entries(balance)}`,
  }
}

async function notices(visit: ProjectVisit, { fault, ordered }: BillingNotices): Promise<Html> {
  const done = results[visit.query.get('done') ?? '']
  const id = visit.query.get('top_up') ?? ''
  // After the return from the payment page, the provider is asked for the result at once.
  const returned =
    isUuid(id) && people.hasRole(visit.membership.role, 'admin')
      ? await billing.checkTopUp(visit.caller, id)
      : null
  return html`${done !== undefined && renderNotice('good', html`<p>${done}</p>`)}
  ${fault !== undefined && renderNotice('bad', html`<p>${fault}</p>`)}
  ${ordered && renderNotice('quiet', payLine(ordered))} ${returned && returnedNotice(returned)}`
}

function payLine({ amount_eur, url }: billing.TopUpOrder): Html {
  return html`<p>
    The payment is ready.
    <a class="button" href="${url ?? ''}">Pay ${formatEuro(amount_eur)} now</a>
  </p>`
}

function returnedNotice(order: billing.TopUpOrder): Html {
  if (order.state === 'paid') {
    return renderNotice(
      'good',
      html`<p>${formatEuro(order.amount_eur)} was added to the balance. Thank you.</p>`,
    )
  }
  if (order.state === 'expired') {
    return renderNotice('warning', html`<p>This payment has expired. Nothing was paid.</p>`)
  }
  return renderNotice(
    'warning',
    html`<p>Nothing was paid yet.</p>
      ${payLine(order)}`,
  )
}

type Balance = Awaited<ReturnType<typeof billing.show>>

function balanceCard({
  balance_eur,
  spent_this_month_eur,
  spend_cap_eur,
  auto_reload,
}: Balance): Html {
  const { enabled, active, amount_eur, threshold_eur, card } = auto_reload
  const reload = enabled
    ? html`${renderPill(active ? 'good' : 'warning', active ? 'on' : 'on, but payment is not possible')}
      ${formatEuro(amount_eur)} below ${formatEuro(threshold_eur)}`
    : 'off'
  return html`<section class="card">
    <h2>Balance</h2>
    <p class="figure">${formatEuro(balance_eur)}</p>
    ${renderFacts([
      ['Spent this month', formatEuro(spent_this_month_eur)],
      ['Monthly cap', spend_cap_eur === null ? 'none set' : formatEuro(spend_cap_eur)],
      ['Automatic top-up', reload],
      ['Saved card', card === null ? 'none' : `${card.brand} …${card.last4}, ${card.expiry}`],
    ])}
  </section>`
}

function monthsCard(months: Awaited<ReturnType<typeof billing.listMonths>>['data']): Html {
  return html`<section class="card">
    <h2>By month</h2>
    ${
      months.length === 0
        ? html`<p>No top-ups or expenses yet.</p>`
        : renderTable(
            'Latest months',
            ['Month', 'Topped up', 'Spent', 'Spent on'],
            months.map(({ month, topped_up_eur, spent_eur, spent_on }) => [
              month,
              formatEuro(topped_up_eur),
              formatEuro(spent_eur),
              spent_on
                .map(({ source, amount_eur }) => `${source} ${formatEuro(amount_eur)}`)
                .join(', '),
            ]),
          )
    }
  </section>`
}

async function settings(
  visit: ProjectVisit,
  { balance, is_fresh }: { balance: Balance; is_fresh: boolean },
): Promise<Html> {
  const path = billingPath(visit)
  const { data } = await billing.listTopUps(visit.caller)
  const open = data.filter(({ state }) => state === 'open')
  const waiting = open.length > 0 && openTopUps(open)
  if (!is_fresh) {
    const confirm = withNext('/portal/confirm', path)
    return html`${waiting}
      <p><a href="${confirm}">Confirm your identity to top up or change settings</a></p>`
  }
  return html`${waiting}
    <div class="columns">
      ${topUpForm(path)} ${capForm(path, balance.spend_cap_eur)}
      ${autoReloadForm(path, balance.auto_reload)}
    </div>`
}

function openTopUps(open: readonly billing.TopUpOrder[]): Html {
  return renderTable(
    'Unpaid top-ups',
    ['Amount', 'Ordered', 'Expires', 'Pay'],
    open.map(({ amount_eur, created_at, expires_at, url }) => [
      formatEuro(amount_eur),
      renderMoment(created_at),
      renderMoment(expires_at),
      html`<a href="${url ?? ''}">Pay<span class="unseen"> ${formatEuro(amount_eur)}</span></a>`,
    ]),
  )
}

function entries({ transactions }: Balance): Html {
  if (transactions.length === 0) {
    return html`<h2>Transactions</h2>
      <p>No transactions yet.</p>`
  }
  return renderTable(
    'Latest transactions',
    ['Time', 'Description', 'Amount', 'Balance after'],
    transactions.map(({ created_at, description, amount_eur, balance_after_eur }) => [
      renderMoment(created_at),
      description,
      `${amount_eur < 0 ? '−' : '+'} ${formatEuro(Math.abs(amount_eur))}`,
      formatEuro(balance_after_eur),
    ]),
  )
}

export function billingPath({ membership }: ProjectVisit): string {
  return `/portal/projects/${membership.project.id}/billing`
}
