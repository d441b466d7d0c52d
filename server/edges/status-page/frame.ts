/** The frame and the headers of each page of the status page. Pages run no script. */
import type { FastifyReply } from 'fastify'
import type { PageLanguage } from '../../areas/status/service.ts'
import { renderHead, renderLogo } from '../html/frame.ts'
import { html, renderToText, type Html } from '../html/html.ts'
import { pageTexts } from './texts.ts'

export const STATUS_PATH = '/status'
export const STYLE_PATH = `${STATUS_PATH}/assets/status.css`
const ICON_PATH = '/docs/assets/icon.svg'

export const HTML = 'text/html; charset=utf-8'

const policy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

export interface Framed {
  language: PageLanguage
  title: string
  /** The path of the page, for the link to the other language; null for a page of a form. */
  path: string | null
  main: Html
}

export function renderFrame({ language, title, path, main }: Framed): string {
  const t = pageTexts[language]
  const other = language === 'en' ? 'nl' : 'en'
  const more = html`<link
      rel="alternate"
      type="application/atom+xml"
      title="${t.feed}"
      href="${STATUS_PATH}/feed.atom?lang=${language}"
    />
    ${path === null && html`<meta name="robots" content="noindex" />`}`
  return renderToText(
    html`<!doctype html>
      <html lang="${language}">
        ${renderHead({ title, style: STYLE_PATH, icon: ICON_PATH, more })}
        <body>
          <a class="skip" href="#main">${t.skip}</a>
          <header class="top">
            ${renderLogo(`${STATUS_PATH}?lang=${language}`)}
            ${
              path !== null &&
              html`<a
                class="language"
                lang="${other}"
                hreflang="${other}"
                href="${path}?lang=${other}"
                >${t.other_language}</a
              >`
            }
          </header>
          <main id="main">${main}</main>
          <footer>
            <p>
              <a href="${STATUS_PATH}/feed.atom?lang=${language}">${t.feed}</a>
              <a href="${STATUS_PATH}.json">${t.json}</a>
              <a href="/docs">${t.docs}</a>
            </p>
          </footer>
        </body>
      </html> `,
  )
}

/** The result of a form, or an error. */
export function renderMessage(
  language: PageLanguage,
  { title, text, more }: { title: string; text: string; more?: Html },
): string {
  const t = pageTexts[language]
  const main = html`<section class="message">
    <h1>${title}</h1>
    <p>${text}</p>
    ${more}
    <p><a href="${STATUS_PATH}?lang=${language}">${t.back}</a></p>
  </section>`
  return renderFrame({ language, title, path: null, main })
}

export function setSecurityHeaders(reply: FastifyReply): FastifyReply {
  return reply.headers({
    'Content-Security-Policy': policy,
    'Referrer-Policy': 'no-referrer',
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Opener-Policy': 'same-origin',
  })
}
