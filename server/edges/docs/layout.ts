/** The frame around every page: what is linked at the top, the navigation beside, the end. */
import { html, textOf, type Html } from './html.ts'
import { markdownPath, paths, type Page, type Site } from './site.ts'

/** Names the files of the design by their content, so that a browser can keep them for good. */
export interface Assets {
  style: string
  script: string
  icon: string
}

const chapters: readonly (readonly [path: string, title: string])[] = [
  [paths.home, 'Start'],
  [paths.reference, 'Reference'],
  [paths.events, 'Events'],
  [paths.errors, 'Errors'],
  [paths.scopes, 'Scopes'],
  [paths.limits, 'Limits'],
  [paths.connect, 'Connect'],
  [paths.filters, 'Filters'],
  [paths.forms, 'Forms'],
  [paths.sites, 'Sites'],
  [paths.media, 'Media'],
  [paths.verify_signatures, 'Signatures'],
  [paths.portal_api, 'Portal'],
]

export function layOut(site: Site, page: Page, assets: Assets): string {
  return textOf(
    html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="color-scheme" content="light dark" />
          <meta name="description" content="${page.about}" />
          <title>${page.title} · Homeport</title>
          <link rel="icon" href="${assets.icon}" type="image/svg+xml" />
          <link rel="stylesheet" href="${assets.style}" />
          ${page.path !== '' && html`<link rel="alternate" type="text/markdown" href="${markdownPath(page.path)}" />`}
          <script src="${assets.script}" defer></script>
        </head>
        <body>
          <a class="skip" href="#main">Skip to the text</a>
          <header class="top">
            <a class="mark" href="${paths.home}">${anchor()}<span>Homeport</span></a>
            <nav aria-label="Chapters">
              ${chapters.map(([path, title]) => chapterLink(path, title, page.path))}
            </nav>
          </header>
          <div class="${page.side ? 'frame beside' : 'frame'}">
            ${page.side && html`<aside>${page.side}</aside>`}
            <main id="main" class="${page.wide ? 'wide' : 'narrow'}">${page.main}</main>
          </div>
          <footer>
            <p>
              Homeport API, version 1. <a href="${site.base_url}/openapi.json">OpenAPI document</a>
            </p>
          </footer>
        </body>
      </html> `,
  )
}

function chapterLink(path: string, title: string, here: string): Html {
  const inside = path === here || (path !== paths.home && here.startsWith(`${path}/`))
  return html`<a
    href="${path}"
    ${inside && html` aria-current="${path === here ? 'page' : 'true'}"`}
    >${title}</a
  >`
}

function anchor(): Html {
  return html`<svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
    <g
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
      stroke-linejoin="round"
    >
      <circle cx="12" cy="5" r="2.4" />
      <path
        d="M12 7.4V21M8 11h8M4 13.5c0 4.5 3.5 7.5 8 7.5s8-3 8-7.5M4 13.5l-1.6 2M4 13.5l2.2 1.4M20 13.5l1.6 2M20 13.5l-2.2 1.4"
      />
    </g>
  </svg>`
}

/** A navigation beside a page: groups of links, the page itself marked. */
export function sideNavigation(label: string, groups: Iterable<SideGroup>): Html {
  return html`<nav class="side" aria-label="${label}">
    <p class="filter" hidden>
      <input
        type="search"
        placeholder="Filter"
        aria-label="Filter ${label.toLowerCase()}"
        data-filter="nav.side li"
      />
    </p>
    ${[...groups].map(
      ({ title, href, links }) =>
        html`<section>
          <h2>${href ? html`<a href="${href}">${title}</a>` : title}</h2>
          <ul>
            ${links.map(
              ({ href: to, text, current }) =>
                html`<li>
                  <a href="${to}" ${current && html` aria-current="page"`}>${text}</a>
                </li> `,
            )}
          </ul>
        </section> `,
    )}
  </nav>`
}

export interface SideGroup {
  title: string
  href?: string
  links: readonly { href: string; text: Html | string; current?: boolean }[]
}
