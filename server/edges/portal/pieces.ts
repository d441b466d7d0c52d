/** Components shared by the pages of the portal. */
import { html, type Html } from '../html/html.ts'

/** Renders a time in UTC to the minute, with the exact time in its `datetime` attribute. */
export function renderMoment(at: Date | string): Html {
  const iso = (typeof at === 'string' ? new Date(at) : at).toISOString()
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`
}

export type PillTone = 'good' | 'warning' | 'bad' | 'quiet'

/** Renders a state as a word. The colour repeats the word and carries no meaning alone. */
export function renderPill(tone: PillTone, text: string): Html {
  return html`<span class="pill ${tone}">${text}</span>`
}

/** Renders a message at the top of a page. Screen readers announce it. */
export function renderNotice(tone: PillTone, content: Html | string): Html {
  return html`<div class="notice ${tone}" role="${tone === 'bad' ? 'alert' : 'status'}">
    ${content}
  </div>`
}

/** Renders a definition list. */
export function renderFacts(
  pairs: readonly (readonly [name: string, value: Html | string])[],
): Html {
  return html`<dl class="facts">
    ${pairs.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`
}

export interface ChoiceField {
  type: 'checkbox' | 'radio'
  /** Unique on the page; by default `name-value`. */
  id?: string
  name: string
  value: string
  text: Html | string
  checked?: boolean
}

/** Renders a checkbox or radio button with its label. */
export function renderChoice({
  type,
  name,
  value,
  text,
  checked = false,
  ...given
}: ChoiceField): Html {
  const { id = `${name}-${value}` } = given
  return html`<label class="choice" for="${id}">
    <input id="${id}" type="${type}" name="${name}" value="${value}" ${checked && html`checked`} />
    ${text}
  </label>`
}

export function formatCount(amount: number, one: string, many = `${one}s`): string {
  return `${amount} ${amount === 1 ? one : many}`
}
