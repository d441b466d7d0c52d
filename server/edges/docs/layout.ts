/** The frame around every page: what is linked at the top, the navigation beside, the end. */
import { headOf, mark } from './frame.ts'
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
        ${headOf({ ...assets, title: page.title, more: headOfPage(page, assets) })}
        <body>
          <a class="skip" href="#main">Skip to the text</a>
          <header class="top">
            ${mark(paths.home)}
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

function headOfPage(page: Page, { script }: Assets): Html {
  return html`<meta name="description" content="${page.about}" />
    ${page.path !== '' && html`<link rel="alternate" type="text/markdown" href="${markdownPath(page.path)}" />`}
    <script src="${script}" defer></script>`
}

function chapterLink(path: string, title: string, here: string): Html {
  const inside = path === here || (path !== paths.home && here.startsWith(`${path}/`))
  return html`<a
    href="${path}"
    ${inside && html` aria-current="${path === here ? 'page' : 'true'}"`}
    >${title}</a
  >`
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
