/** The mark of parts of the specification that this version lacks. */
import { NOT_YET } from './available.ts'
import { html, type Html } from '../html/html.ts'

export function renderNotYet(is_available: boolean): Html | null {
  return is_available ? null : html`<strong class="not-yet">${NOT_YET}.</strong>`
}
