/**
 * Homeport's own pages at the address of a site: no site here, page not found, site offline,
 * password required. They are self-contained, run no script, refuse framing and are in the
 * visitor's language.
 */
import { sha256 } from '../../kernel/secrets/crypto.ts'
import { toRawFields } from './serving/fields.ts'
import { html, type Html } from '../html/html.ts'
import { renderPlainPage } from '../html/plain-page.ts'
import { selectLanguage, type PageLanguage } from '../http/wording.ts'
import { passwordFormWords, noticeWords, type NoticeName } from './wording.ts'

export const PASSWORD_PATH = '/_homeport/password'

/** The look of our own pages at the address of a site. */
export const noticeStyle = `:root{color-scheme:light dark;font:1.125rem/1.6 system-ui,sans-serif}
body{max-width:30rem;margin:14vh auto;padding:0 1.5rem}h1{line-height:1.2;font-size:1.75rem}
label{display:block;font-weight:600}
input,button{font:inherit;padding:.55rem .75rem;border-radius:.4rem;border:1px solid GrayText}
input{width:100%;box-sizing:border-box;margin:.25rem 0 1rem}
button{border-color:transparent;background:#1a56db;color:#fff;font-weight:600;cursor:pointer}
:focus-visible{outline:3px solid #6aa3ff;outline-offset:2px}.wrong{color:#c81e1e}
@media (prefers-color-scheme:dark){.wrong{color:#ff9b9b}}`

const policy = [
  "default-src 'none'",
  `style-src 'sha256-${sha256(noticeStyle).toString('base64')}'`,
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

const statuses: Readonly<Record<NoticeName, number>> = {
  nowhere: 404,
  missing: 404,
  offline: 403,
  unavailable: 503,
  password: 401,
  wrong: 401,
  wait: 429,
}

export interface SiteNotice {
  status: number
  fields: readonly string[]
  body: Buffer
}

export interface NoticeOptions {
  /** The header Accept-Language of the visitor. */
  languages: string | undefined
  /** The path to return to after the password was entered. */
  to?: string
  retry_after_s?: number
}

export function createNotice(name: NoticeName, options: NoticeOptions): SiteNotice {
  const { languages, to = '/', retry_after_s } = options
  const language = selectLanguage(languages)
  const { title, text } = noticeWords[language][name]
  const asks = name === 'password' || name === 'wrong'
  const main = html`<h1>${title}</h1>
    ${name === 'wrong' ? html`<p class="wrong" role="alert" id="said">${text}</p>` : html`<p>${text}</p>`}
    ${asks && formFor(language, to, name === 'wrong')}`
  const body = Buffer.from(renderPlainPage({ language, title, main, style: noticeStyle }))
  const fields = toRawFields({
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': String(body.length),
    'Content-Language': language,
    Vary: 'Accept-Language',
    'Cache-Control': 'no-store',
    'Content-Security-Policy': policy,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'same-origin',
    'X-Robots-Tag': 'noindex',
    // Status 401 requires a challenge. Browsers do not know this scheme, so they show the page.
    ...(asks ? { 'WWW-Authenticate': 'Form realm="site"' } : {}),
    ...(retry_after_s === undefined ? {} : { 'Retry-After': String(retry_after_s) }),
  })
  return { status: statuses[name], fields, body }
}

function formFor(language: PageLanguage, to: string, is_wrong: boolean): Html {
  const { label, button } = passwordFormWords[language]
  return html`<form method="post" action="${PASSWORD_PATH}">
    <input type="hidden" name="to" value="${to}" />
    <label for="password">${label}</label>
    <input
      id="password"
      name="password"
      type="password"
      autocomplete="current-password"
      required
      autofocus
      ${is_wrong && html`aria-invalid="true" aria-describedby="said"`}
    />
    <button>${button}</button>
  </form>`
}

/** A plain text response for programs, always in English. */
export function plainNotice(status: number, text: string, more = {}): SiteNotice {
  const body = Buffer.from(`${text}\n`)
  const fields = toRawFields({
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Length': String(body.length),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...more,
  })
  return { status, fields, body }
}
