/**
 * The frame around every page of the portal, and the headers of every page: only first-party
 * scripts and resources, no framing, no indexing. Pages work without a script.
 */
import type { FastifyReply } from 'fastify'
import { PORTAL_APP_PATH } from '../../contract/manifest/portal-pages.ts'
import { renderHead, renderLogo } from '../html/frame.ts'
import { html, renderToText, type Html } from '../html/html.ts'
import type { PageLanguage } from '../html/language.ts'

export interface PortalPage {
  title: string
  main: Html
  /** English by default. */
  language?: PageLanguage
  /** The path to return to after a change of the language. The switch is shown only with one. */
  here?: string
  /** The address of the signed-in person. */
  email?: string
  /** The project of the page. */
  project?: { id: string; name: string }
  /** Another origin to which the form of the page may redirect, as a source for `form-action`. */
  form_leads_to?: string
}

export const STYLE_PATH = '/portal/assets/portal.css'
const ICON_PATH = '/docs/assets/icon.svg'
const notIndexed = html`<meta name="robots" content="noindex" />`

const policy = (form_leads_to?: string) =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "connect-src 'self'",
    "img-src 'self' data:",
    ["form-action 'self'", form_leads_to].filter(Boolean).join(' '),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

export function sendPage(reply: FastifyReply, page: PortalPage, status = 200): FastifyReply {
  return setPageHeaders(reply, page)
    .code(status)
    .type('text/html; charset=utf-8')
    .send(renderPage(page))
}

export function setPageHeaders(
  reply: FastifyReply,
  page: Pick<PortalPage, 'form_leads_to'> = {},
): FastifyReply {
  return reply.headers(pageHeaders(page))
}

/**
 * Referrer-Policy is not `no-referrer`, because browsers would then send `Origin: null` with forms.
 */
export function pageHeaders({
  form_leads_to,
}: Pick<PortalPage, 'form_leads_to'>): Record<string, string> {
  return {
    'Content-Security-Policy': policy(form_leads_to),
    'Referrer-Policy': 'same-origin',
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
  }
}

const frameTexts = {
  en: {
    skip: 'Skip to content',
    documentation: 'Documentation',
    you: 'You',
    sign_out: 'Sign out',
    project: 'Project',
    projects: 'Projects',
    other: 'nl',
    other_title: 'Nederlands',
  },
  nl: {
    skip: 'Naar de inhoud',
    documentation: 'Documentatie',
    you: 'U',
    sign_out: 'Afmelden',
    project: 'Project',
    projects: 'Projecten',
    other: 'en',
    other_title: 'English',
  },
} as const

export function renderPage(page: PortalPage): string {
  const { title, main, email, project, here, language = 'en' } = page
  const t = frameTexts[language]
  return renderToText(
    html`<!doctype html>
      <html lang="${language}">
        ${renderHead({ title, style: STYLE_PATH, icon: ICON_PATH, more: notIndexed })}
        <body>
          <a class="skip" href="#main">${t.skip}</a>
          <header class="top">
            ${renderLogo('/portal')} ${email === undefined ? null : accountNavigation(email, t)}
          </header>
          ${project && projectNavigation(project, t)}
          <main id="main">${main}</main>
          <footer>
            <p><a href="/docs">${t.documentation}</a></p>
            ${here !== undefined && languageSwitch(here, t)}
          </footer>
        </body>
      </html> `,
  )
}

type FrameTexts = (typeof frameTexts)[keyof typeof frameTexts]

function accountNavigation(email: string, t: FrameTexts): Html {
  return html`<nav class="who" aria-label="${t.you}">
    <a href="${PORTAL_APP_PATH}/account">${email}</a>
    <form method="post" action="/portal/sign-out">
      <button class="plain" type="submit">${t.sign_out}</button>
    </form>
  </nav>`
}

export const LANGUAGE_PATH = '/portal/language'

function languageSwitch(here: string, t: FrameTexts): Html {
  return html`<form method="post" action="${LANGUAGE_PATH}">
    <input type="hidden" name="here" value="${here}" />
    <button class="plain" type="submit" name="language" value="${t.other}" lang="${t.other}">
      ${t.other_title}
    </button>
  </form>`
}

function projectNavigation({ id, name }: NonNullable<PortalPage['project']>, t: FrameTexts): Html {
  return html`<nav class="project" aria-label="${t.project}">
    <p>
      <a href="${PORTAL_APP_PATH}/">${t.projects}</a> <span aria-hidden="true">/</span>
      <a href="${PORTAL_APP_PATH}/projects/${id}">${name}</a>
    </p>
  </nav>`
}
