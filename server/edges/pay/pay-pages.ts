/** The HTML of checkout pages. They run no script and load nothing. */
import { CHECKOUT_PATH, euroFromCents, type OrderRow } from '../../areas/payments/service.ts'
import { sha256 } from '../../kernel/secrets/crypto.ts'
import { html, type Html } from '../html/html.ts'
import type { PageLanguage } from '../html/language.ts'
import { renderPlainPage } from '../html/plain-page.ts'
import { payTexts } from './pay-texts.ts'

const style = `:root{color-scheme:light dark;font:1rem/1.5 system-ui,sans-serif}
body{margin:0;background:light-dark(#f5f4f1,#16181a)}
main{box-sizing:border-box;width:calc(100% - 2rem);max-width:30rem;margin:8vh auto;padding:1.5rem 1.75rem;border-radius:1rem;background:light-dark(#fff,#1f2225);border:1px solid light-dark(#e3e1dc,#33373b)}
h1{margin:0 0 1rem;font-size:1.35rem;line-height:1.25}
ul{margin:0;padding:0;list-style:none}
li,.total{display:flex;justify-content:space-between;gap:1rem;padding:.4rem 0}
li span:first-child{overflow-wrap:anywhere}
.total{margin-top:.4rem;padding-top:.8rem;border-top:1px solid light-dark(#e3e1dc,#33373b);font-weight:600;font-size:1.1rem}
.note{color:light-dark(#5d6165,#a5abb0);font-size:.9rem}
button{display:block;width:100%;margin-top:.6rem;padding:.7rem 1rem;border:1px solid light-dark(#c9c6bf,#4a4f54);border-radius:.6rem;background:none;color:inherit;font:inherit;cursor:pointer}
button:first-of-type{border-color:transparent;background:#0b5d66;color:#fff;font-weight:600}
label{display:flex;gap:.5rem;margin-top:1rem;font-size:.9rem}
label.field{display:block;margin-top:1rem}
input[type=text],input[type=email]{box-sizing:border-box;display:block;width:100%;margin-top:.3rem;padding:.6rem .75rem;border:1px solid light-dark(#c9c6bf,#4a4f54);border-radius:.6rem;background:none;color:inherit;font:inherit}
.fault{color:light-dark(#a3271b,#ff9d94);font-size:.9rem}
form{margin-top:1rem}
a,summary{color:light-dark(#0b5d66,#6cc5cf)}
summary{margin-top:1rem;cursor:pointer}`

/** The pages that a form may lead to, also after a redirect. */
function createPolicy(origins: readonly string[]): string {
  return [
    "default-src 'none'",
    `style-src 'sha256-${sha256(style).toString('base64')}'`,
    `form-action ${["'self'", ...origins].join(' ')}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

export interface PayPage {
  status: number
  policy: string
  text: string
}

export interface Shown {
  row: OrderRow
  language: PageLanguage
  /** The payment link of an order that was not paid, to pay by it again. */
  again?: string | null
}

const outcomes = ['paid', 'failed', 'expired', 'canceled', 'pending'] as const
export type PageOutcome = (typeof outcomes)[number]

export function isPageOutcome(text: unknown): text is PageOutcome {
  return outcomes.some((one) => one === text)
}

/** The test page of the built-in provider. */
export function renderTestPage({ row, language }: Shown): PayPage {
  const t = payTexts[language]
  const buttons = outcomes.map(
    (outcome) => html`<button name="outcome" value="${outcome}">${t[outcome]}</button>`,
  )
  const urls = [row.success_url, row.cancel_url].filter((url) => url !== null)
  const origins = [...new Set(urls.map((url) => new URL(url).origin))]
  const main = html`<h1>${t.title(row.number)}</h1>
    ${renderLines({ row, language }, t.total)}
    <p class="note">${t.test}</p>
    <form method="post">
      ${buttons}
      <label><input type="checkbox" name="silent" value="yes" /> ${t.silent}</label>
    </form>`
  return render({ status: 200, language, title: t.title(row.number), main, origins })
}

function renderLines({ row, language }: Shown, total: string): Html {
  const t = payTexts[language]
  const money = (cents: bigint | number) => formatMoney(cents, language)
  const lines = row.items.map(
    ({ name, quantity, amount_cents }) =>
      html`<li>
        <span>${quantity} × ${name}</span>
        <span>${money(amount_cents)}</span>
      </li>`,
  )
  const rates = [...new Set(row.items.map(({ vat_percent }) => `${vat_percent}%`))].join(', ')
  return html`<ul>
      ${lines}
    </ul>
    <div class="total">
      <span>${total}</span>
      <span>${money(row.amount_cents)}</span>
    </div>
    <p class="note">${t.vat(money(row.vat_cents), rates)}</p>`
}

export function formatMoney(cents: bigint | number, language: PageLanguage): string {
  const locale = language === 'nl' ? 'nl-NL' : 'en-IE'
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency: 'EUR' })
  return format.format(euroFromCents(cents))
}

/** What became of the order. */
export function renderOutcome(shown: Shown): PayPage {
  const { row, again, language } = shown
  const t = payTexts[language]
  const [title, outcome] = t.ended[row.status]
  // A page of the business is a way to try again too.
  const next = again || row.cancel_url !== null ? t.can_try : t.ask_new
  const is_unpaid = ['failed', 'expired', 'canceled'].includes(row.status)
  const about = is_unpaid ? `${outcome} ${next}` : outcome
  const more = again && html`<p><a href="${again}">${t.again}</a></p>`
  return renderState(shown, { title, about, more: more || null })
}

/** The customer came back, but the provider reports no payment yet. */
export function renderWaiting(shown: Shown, token: string): PayPage {
  const t = payTexts[shown.language]
  const more = html`<p><a href="${CHECKOUT_PATH}/${token}">${t.waiting_pay}</a></p>`
  return renderState(shown, { title: t.waiting, about: t.waiting_about, more })
}

function renderState(
  { row, language }: Shown,
  { title, about, more }: { title: string; about: string; more: Html | null },
): PayPage {
  const t = payTexts[language]
  const { success_url, cancel_url } = row
  const is_unpaid = row.paid_at === null && row.status !== 'pending'
  const back = is_unpaid ? (cancel_url ?? success_url) : (success_url ?? cancel_url)
  const main = html`<h1>${title}</h1>
    <p>${about}</p>
    ${renderLines({ row, language }, row.status === 'open' ? t.total : t.amount)} ${more}
    ${back !== null && html`<p><a href="${back}">${t.back}</a></p>`}`
  return render({ status: 200, language, title, main, origins: [] })
}

const messages = { not_found: 404, conflict: 409, busy: 429, broken: 502 } as const

export function renderMessage(name: keyof typeof messages, language: PageLanguage): PayPage {
  const t = payTexts[language]
  const main = html`<h1>${t[name]}</h1>
    <p>${t[`${name}_about`]}</p>`
  return render({ status: messages[name], language, title: t[name], main, origins: [] })
}

interface Rendering {
  status: number
  language: PageLanguage
  title: string
  main: Html
  origins: readonly string[]
}

export function render({ status, language, title, main, origins }: Rendering): PayPage {
  const text = renderPlainPage({ language, title, main, style })
  return { status, policy: createPolicy(origins), text }
}
