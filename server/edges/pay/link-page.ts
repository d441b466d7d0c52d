/** The HTML of the page of a payment link. */
import { euroFromCents, type OpenedLink } from '../../areas/payments/service.ts'
import { limits } from '../../contract/limits.ts'
import { html, type Html } from '../html/html.ts'
import type { PageLanguage } from '../html/language.ts'
import { formatMoney, render, type PayPage } from './pay-pages.ts'
import { payTexts } from './pay-texts.ts'

/** What the customer entered, and the fields that are wrong. */
export interface LinkForm {
  amount: string
  name: string
  email: string
  faults: readonly ('amount' | 'email')[]
}

const untouched: LinkForm = { amount: '', name: '', email: '', faults: [] }

export interface ShownLink {
  opened: OpenedLink
  language: PageLanguage
  form?: LinkForm
}

export function renderLink({ opened, language, form = untouched }: ShownLink): PayPage {
  const { link, business, is_open } = opened
  if (!is_open) return renderClosed(opened, language)
  const t = payTexts[language]
  const main = html`<p class="note">${business}</p>
    <h1>${link.description}</h1>
    ${
      link.amount_cents !== null &&
      html`<div class="total">
        <span>${t.total}</span>
        <span>${formatMoney(link.amount_cents, language)}</span>
      </div>`
    }
    ${link.test && html`<p class="note">${t.link_test}</p>`}
    <form method="post" novalidate>
      ${link.amount_cents === null && renderAmount(form, language)}
      ${renderField({ name: 'name', label: t.link_name, value: form.name, autocomplete: 'name' })}
      ${renderField({
        name: 'email',
        label: t.link_email,
        value: form.email,
        autocomplete: 'email',
        fault: form.faults.includes('email') ? t.link_email_fault : null,
      })}
      <button>${t.link_pay}</button>
    </form>`
  const status = form.faults.length > 0 ? 422 : 200
  return render({ status, language, title: link.description, main, origins: [] })
}

function renderClosed({ link, business }: OpenedLink, language: PageLanguage): PayPage {
  const t = payTexts[language]
  const main = html`<p class="note">${business}</p>
    <h1>${t.link_closed}</h1>
    <p>${link.description}</p>
    <p>${t.link_closed_about(business)}</p>`
  return render({ status: 410, language, title: t.link_closed, main, origins: [] })
}

function renderAmount({ amount, faults }: LinkForm, language: PageLanguage): Html {
  const t = payTexts[language]
  const inEuro = (euro: number) => formatMoney(euro * 100, language)
  const least = inEuro(limits.payment_link_amount_eur_min)
  const fault = faults.includes('amount')
    ? t.link_amount_fault(least, inEuro(limits.order_amount_eur_max))
    : null
  const hint = t.link_amount_hint(least)
  return renderField({ name: 'amount', label: t.link_amount, value: amount, hint, fault })
}

interface FieldFacts {
  name: 'amount' | 'name' | 'email'
  label: string
  value: string
  autocomplete?: string
  hint?: string
  fault?: string | null
}

function renderField({ name, label, value, autocomplete = 'off', ...notes }: FieldFacts): Html {
  const { hint = null, fault = null } = notes
  const type = name === 'email' ? 'email' : 'text'
  const mode = name === 'amount' ? 'decimal' : type
  return html`<label class="field">
      ${label}
      <input
        type="${type}"
        inputmode="${mode}"
        name="${name}"
        value="${value}"
        maxlength="200"
        autocomplete="${autocomplete}"
        aria-describedby="${name}-note"
        aria-invalid="${fault === null ? 'false' : 'true'}"
      />
    </label>
    <p id="${name}-note" class="${fault === null ? 'note' : 'fault'}">${fault ?? hint ?? ''}</p>`
}

/** The amount in cents; null unless it is one that a customer may choose. */
export function readLinkAmount(text: string): number | null {
  const plain = text.trim().replace(',', '.')
  if (!/^\d{1,6}(\.\d{1,2})?$/.test(plain)) return null
  const cents = Math.round(Number(plain) * 100)
  const { payment_link_amount_eur_min: least, order_amount_eur_max: most } = limits
  return euroFromCents(cents) >= least && euroFromCents(cents) <= most ? cents : null
}
