/** The frame of every page: header, navigation and footer. */
import { headOf, mark } from '../html/frame.ts'
import { html, textOf, type Html } from '../html/html.ts'
import { mainNavigation, onThisPage } from './navigation.ts'
import { markdownPath, paths, type DocsPage, type DocsSite } from './site.ts'

/** The URLs of style sheet, script and icon. */
export interface Assets {
  style: string
  script: string
  icon: string
}

export function renderDocsPage(site: DocsSite, page: DocsPage, assets: Assets): string {
  return textOf(
    html`<!doctype html>
      <html lang="en">
        ${headOf({ ...assets, title: page.title, more: headOfPage(page, assets) })}
        <body>
          <a class="skip" href="#main">Skip to content</a>
          <header class="top">
            ${mark(paths.home)}
            <form class="search" action="${paths.search}" role="search">
              <input
                type="search"
                name="q"
                maxlength="100"
                placeholder="Search"
                aria-label="Search the documentation"
                aria-keyshortcuts="/ Control+K"
              />
            </form>
            <a class="menu" href="#menu">Menu</a>
          </header>
          <div class="frame">
            ${mainNavigation(site, page)}
            <main id="main" class="${page.wide ? 'wide' : 'narrow'}">${page.main}</main>
            ${onThisPage(page)}
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

function headOfPage(page: DocsPage, { script }: Assets): Html {
  return html`<meta name="description" content="${page.about}" />
    ${hasMarkdown(page) && html`<link rel="alternate" type="text/markdown" href="${markdownPath(page.path)}" />`}
    <script src="${script}" defer></script>`
}

function hasMarkdown({ path }: DocsPage): boolean {
  return path !== '' && path !== paths.search
}
