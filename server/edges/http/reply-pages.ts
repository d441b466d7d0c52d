/**
 * The HTML reply to a form without a script: thanks, or a list of errors. It loads nothing, runs
 * nothing, and cannot be framed.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Problem } from '../../contract/errors.ts'
import { findReason } from '../../contract/problems/fault-reasons.ts'
import { sha256 } from '../../kernel/secrets/crypto.ts'
import { html, type Html } from '../html/html.ts'
import { renderPlainPage } from '../html/plain-page.ts'
import { createProblemHeaders } from './problems.ts'
import {
  selectLanguage,
  writeProblemReason,
  writeReason,
  pageWords,
  type PageLanguage,
} from './wording.ts'

const style = `:root{color-scheme:light dark;font:1.125rem/1.6 system-ui,sans-serif}
body{max-width:34rem;margin:12vh auto;padding:0 1.5rem}h1{line-height:1.2}`

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${sha256(style).toString('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Whether a browser displays the reply: it accepts HTML, which a script does not. */
export function wantsPage(request: FastifyRequest): boolean {
  const { accept } = request.headers
  return (
    request.method === 'POST' &&
    accept !== undefined &&
    /\btext\/html\b/i.test(accept) &&
    !/\bapplication\/(?:problem\+)?json\b/i.test(accept)
  )
}

export function sendThanks(reply: FastifyReply, origin: string): FastifyReply {
  return send(reply.code(201), thanksIn(languageOf(reply), origin))
}

function thanksIn(language: PageLanguage, origin: string): Content {
  const { thanks, received, to_site } = pageWords[language]
  return {
    language,
    title: thanks,
    main: html`<p>${received}</p>
      <p><a href="${origin}/">${to_site}</a></p>`,
  }
}

export function sendFaults(reply: FastifyReply, problem: Problem): FastifyReply {
  const answer = reply.code(problem.status).headers(createProblemHeaders(problem))
  return send(answer, faultsIn(languageOf(reply), problem))
}

function languageOf({ request }: FastifyReply): PageLanguage {
  return selectLanguage(request.headers['accept-language'])
}

function faultsIn(
  language: PageLanguage,
  { slug, extra }: Pick<Problem, 'slug' | 'extra'>,
): Content {
  const { not_sent, back } = pageWords[language]
  // Its lines name positions, which mean nothing to a visitor.
  const errors = slug === 'product_unavailable' ? [] : (extra.errors ?? [])
  const lines = linesOf(errors, language)
  return {
    language,
    title: not_sent,
    main: html`<p>${writeProblemReason(slug, language)}</p>
      ${
        lines.length > 0 &&
        html`<ul>
          ${lines.map((line) => html`<li>${line}</li> `)}
        </ul>`
      }
      <p>${back}</p>`,
  }
}

/** Returns one line per field with its first reason: `guests: At most 12.` */
function linesOf(faults: readonly Fault[], language: PageLanguage): string[] {
  const reasons = new Map<string, string>()
  for (const fault of faults) {
    const name = nameOf(fault.path)
    const reason = writeReason(findReason(fault), language)
    if (!reasons.get(name)) reasons.set(name, reason)
  }
  return [...reasons].map(([name, reason]) => (reason ? `${name}: ${reason}` : name))
}

/** `/address/zip_code` → `address, zip code` */
function nameOf(path: string): string {
  const parts = path.split('/').slice(1)
  const names = parts.map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  return names.join(', ').replaceAll(/[_-]/g, ' ') || '…'
}

type Fault = NonNullable<Problem['extra']['errors']>[number]

interface Content {
  language: PageLanguage
  title: string
  main: Html
}

/** The pages as the documentation shows them. */
export const examplePages = {
  thanks: pageOf(thanksIn('en', 'https://www.example.nl')),
  faults: pageOf(
    faultsIn('en', {
      slug: 'schema_mismatch',
      extra: { errors: [{ path: '/guests', message: 'must be at most 12' }] },
    }),
  ),
}

function pageOf({ language, title, main }: Content): string {
  const content = html`<h1>${title}</h1>
    ${main}`
  return renderPlainPage({ language, title, main: content, style })
}

function send(reply: FastifyReply, content: Content): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .headers({ 'Content-Security-Policy': policy, 'Referrer-Policy': 'no-referrer' })
    .send(pageOf(content))
}
