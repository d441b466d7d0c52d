/** The mark of what the specification names and this version does not have. */
import { NOT_YET } from './describe/available.ts'
import { html, type Html } from '../html/html.ts'

export function notYet(is_available: boolean): Html | null {
  return is_available ? null : html`<strong class="not-yet">${NOT_YET}.</strong>`
}
