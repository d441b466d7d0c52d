/**
 * Renders text of the contract as HTML. Routes, names in snake_case and headers become code, and
 * existing routes become links to the reference.
 */
import type { Route } from '../../../contract/operation.ts'
import { html, type Html } from '../../html/html.ts'
import { findOperation, toOperationPath, type DocsSite } from '../site.ts'

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

const named = new RegExp(
  [
    String.raw`(?<route>\b(?:${methods.join('|')})\s/[\w\-/{}.]*[\w}])`,
    String.raw`(?<code>\b(?:null|true|false)\b|\b[a-z]+(?:_[a-z0-9]+)+\b_?|\b(?:hm|whsec)_(?:[a-z]+_)?` +
      String.raw`|\b(?:Authorization|Idempotency-Key(?:-Ignored)?|Idempotent-Replayed|If-Match|ETag|Retry-After|RateLimit(?:-Policy)?)\b` +
      String.raw`|\bX-Request-Id\b|\bService-(?:Event|Delivery|Signature)\b|\bContent-Type(?:: [\w/+]+\w)?)`,
  ].join('|'),
  'g',
)

export function renderProse(site: DocsSite, text: string): Html {
  const pieces: Html[] = []
  let at = 0
  for (const match of text.matchAll(named)) {
    pieces.push(html`${text.slice(at, match.index)}`)
    pieces.push(
      match.groups?.['route'] === undefined ? renderCode(match[0]) : route(site, match[0]),
    )
    at = match.index + match[0].length
  }
  return html`${pieces}${text.slice(at)}`
}

function route(site: DocsSite, text: string): Html {
  const operation = isRoute(text) ? findOperation(site, text) : undefined
  return operation
    ? html`<a href="${toOperationPath(operation)}">${renderCode(text)}</a>`
    : renderCode(text)
}

function isRoute(text: string): text is Route {
  return methods.some((method) => text.startsWith(`${method} /`))
}

export function renderCode(text: string): Html {
  return html`<code>${text}</code>`
}

/** Renders a long name as code that may break into lines only after dots and underscores. */
export function renderBreakable(text: string): Html {
  return html`<code
    >${text.split(/(?<=[._])/).map((part, index) => html`${index > 0 && html`<wbr />`}${part}`)}</code
  >`
}

/** Adds the capital and the full stop of a sentence. */
export function toSentence(text: string): string {
  const trimmed = text.trim()
  // A leading name or value keeps its spelling.
  const named = /^(?:null|true|false)\b|^\w+[_:]/.test(trimmed)
  const begun = named ? trimmed : trimmed.charAt(0).toUpperCase() + trimmed.slice(1)
  return /[.!?]$/.test(begun) ? begun : `${begun}.`
}
