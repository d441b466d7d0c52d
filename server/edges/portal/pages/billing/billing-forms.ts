/** The forms of the billing page: top-up, monthly cap and automatic top-up. */
import * as billing from '../../../../areas/billing/service.ts'
import { euroFromMicro } from '../../../../kernel/values/money.ts'
import { html, type Html } from '../../../html/html.ts'
import { renderChoice } from '../../pieces.ts'

const STANDARD_EUR = 25
const { amount_micro, max_per_month } = billing.autoReloadBounds
const least = euroFromMicro(amount_micro.min)
const most = euroFromMicro(amount_micro.max)

interface AmountField {
  id: string
  label: string
  value: number | null
  hint?: string
}

function amountField({ id, label, value, hint }: AmountField): Html {
  return html`<div class="field">
    <label for="${id}">${label}</label>
    <input
      id="${id}"
      name="${id}"
      inputmode="decimal"
      autocomplete="off"
      value="${value ?? ''}"
      ${hint !== undefined && html`aria-describedby="${id}-hint"`}
    />
    ${hint !== undefined && html`<p class="hint" id="${id}-hint">${hint}</p>`}
  </div>`
}

export function topUpForm(path: string): Html {
  const hint = `From ${least} to ${most} euro.`
  return html`<section class="card" id="top-up">
    <h2>Top up</h2>
    <form class="narrow-form" method="post" action="${path}/top-up">
      ${amountField({ id: 'amount', label: 'Amount in euro', value: STANDARD_EUR, hint })}
      ${renderChoice({
        type: 'checkbox',
        id: 'save_card',
        name: 'save_card',
        value: 'yes',
        text: 'Save the card for automatic top-ups',
      })}
      <button class="primary" type="submit">Continue to payment</button>
    </form>
    <p class="hint">
      You pay on a page of the payment provider. Homeport does not receive your card number.
    </p>
  </section>`
}

export function capForm(path: string, cap_eur: number | null): Html {
  return html`<section class="card" id="monthly-cap">
    <h2>Monthly cap</h2>
    <form class="narrow-form" method="post" action="${path}/cap">
      ${amountField({
        id: 'cap',
        label: 'Cap in euro',
        value: cap_eur,
        hint: 'The maximum expenses in a calendar month. Leave empty for no cap.',
      })}
      <button type="submit">Save the cap</button>
    </form>
  </section>`
}

type AutoReload = Awaited<ReturnType<typeof billing.show>>['auto_reload']

export function autoReloadForm(path: string, settings: AutoReload): Html {
  const { enabled, threshold_eur, amount_eur, max_per_month: times, card } = settings
  const about =
    card === null
      ? 'Automatic top-up needs a saved card: top up once and save the card.'
      : `Payments use ${card.brand} …${card.last4}.`
  return html`<section class="card" id="auto-reload">
    <h2>Automatic top-up</h2>
    <p>${about}</p>
    <form class="narrow-form" method="post" action="${path}/auto-reload">
      ${renderChoice({
        type: 'checkbox',
        id: 'enabled',
        name: 'enabled',
        value: 'yes',
        text: 'Top up automatically',
        checked: enabled,
      })}
      ${amountField({ id: 'threshold', label: 'When the balance is below', value: threshold_eur })}
      ${amountField({ id: 'reload', label: 'Add', value: amount_eur })}
      <div class="field">
        <label for="times">Maximum top-ups in a month</label>
        <input
          id="times"
          name="times"
          type="number"
          min="${max_per_month.min}"
          max="${max_per_month.max}"
          value="${times}"
        />
      </div>
      ${
        card !== null &&
        renderChoice({
          type: 'checkbox',
          id: 'forget',
          name: 'forget',
          value: 'yes',
          text: 'Remove the saved card',
        })
      }
      <button type="submit">Save</button>
    </form>
  </section>`
}
