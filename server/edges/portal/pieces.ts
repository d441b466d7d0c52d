/** Small parts that many pages of the portal are made of. */
import { html, type Html } from '../html/html.ts'

/** A moment as people read it; the machine-readable one goes along. */
export function moment(at: Date | string): Html {
  const iso = (typeof at === 'string' ? new Date(at) : at).toISOString()
  return html`<time datetime="${iso}">${iso.slice(0, 16).replace('T', ' ')} UTC</time>`
}

export type Tone = 'good' | 'warning' | 'bad' | 'quiet'

/** A state in a word; the word says it, the colour only helps. */
export function pill(tone: Tone, text: string): Html {
  return html`<span class="pill ${tone}">${text}</span>`
}

/** Something to be seen first. It is read out when it comes after a form was sent. */
export function notice(tone: Tone, content: Html | string): Html {
  return html`<div class="notice ${tone}" role="${tone === 'bad' ? 'alert' : 'status'}">
    ${content}
  </div>`
}

/** Facts in pairs. */
export function facts(pairs: readonly (readonly [name: string, value: Html | string])[]): Html {
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

export interface Choice {
  type: 'checkbox' | 'radio'
  /** Of this choice alone on its page; name and value where it is left out. */
  id?: string
  name: string
  value: string
  text: Html | string
  checked?: boolean
}

/** One of several things to choose; the words beside it choose it too. */
export function choice({ type, name, value, text, checked = false, ...given }: Choice): Html {
  const { id = `${name}-${value}` } = given
  return html`<label class="choice" for="${id}">
    <input id="${id}" type="${type}" name="${name}" value="${value}" ${checked && html`checked`} />
    ${text}
  </label>`
}

/** A table that becomes a list of cards where there is little room. */
export function table(
  label: string,
  headings: readonly string[],
  rows: readonly (readonly (Html | string | number | null)[])[],
): Html {
  return html`<table>
    <caption>
      ${label}
    </caption>
    <thead>
      <tr>
        ${headings.map((heading) => html`<th scope="col">${heading}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (cells) =>
          html`<tr>
            ${cells.map((cell, index) => html`<td data-name="${headings[index]}">${cell}</td>`)}
          </tr>`,
      )}
    </tbody>
  </table>`
}

export function euro(amount: number): string {
  return `€ ${amount.toFixed(2)}`
}

export function count(amount: number, one: string, many = `${one}s`): string {
  return `${amount} ${amount === 1 ? one : many}`
}
