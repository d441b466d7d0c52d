/**
 * The frame around every page of the portal, and the headers of every page: only first-party
 * scripts and resources, no framing, no indexing. Pages work without a script.
 */
import type { FastifyReply } from 'fastify'
import { renderHead, renderLogo } from '../html/frame.ts'
import { html, renderToText, type Html } from '../html/html.ts'

export interface PortalPage {
  title: string
  main: Html
  /** The address of the signed-in person. */
  email?: string
  /** The project of the page, and the current entry of its navigation. */
  project?: { id: string; name: string; is_limited: boolean; here: ProjectPage }
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

/** The pages of a project: path and title. */
export const projectPages = {
  overview: ['', 'Overview'],
  approvals: ['/approvals', 'Approvals'],
  calls: ['/calls', 'Calls'],
  go_live: ['/go-live', 'Go live'],
  billing: ['/billing', 'Billing'],
  webhooks: ['/webhooks', 'Webhooks'],
  team: ['/team', 'Team'],
  keys: ['/keys', 'Keys'],
  connections: ['/connections', 'Connections'],
} as const

type ProjectPage = keyof typeof projectPages

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

export function renderPage({ title, main, email, project }: PortalPage): string {
  return renderToText(
    html`<!doctype html>
      <html lang="en">
        ${renderHead({ title, style: STYLE_PATH, icon: ICON_PATH, more: notIndexed })}
        <body>
          <a class="skip" href="#main">Skip to content</a>
          <header class="top">
            ${renderLogo('/portal')} ${email === undefined ? null : accountNavigation(email)}
          </header>
          ${project && projectNavigation(project)}
          <main id="main">${main}</main>
          <footer>
            <p><a href="/docs">Documentation</a></p>
          </footer>
        </body>
      </html> `,
  )
}

function accountNavigation(email: string): Html {
  return html`<nav class="who" aria-label="You">
    <a href="/portal/account">${email}</a>
    <form method="post" action="/portal/sign-out">
      <button class="plain" type="submit">Sign out</button>
    </form>
  </nav>`
}

function projectNavigation({
  id,
  name,
  is_limited,
  here,
}: NonNullable<PortalPage['project']>): Html {
  const pages = is_limited ? [] : Object.entries(projectPages)
  return html`<nav class="project" aria-label="Project">
    <p><a href="/portal">Projects</a> <span aria-hidden="true">/</span> <b>${name}</b></p>
    ${
      pages.length > 0 &&
      html`<div>
        ${pages.map(
          ([page, [path, title]]) =>
            html`<a
              href="/portal/projects/${id}${path}"
              ${page === here && html` aria-current="page"`}
              >${title}</a
            > `,
        )}
      </div>`
    }
  </nav>`
}
