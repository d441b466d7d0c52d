/** The frame of every page: header, navigation and footer. */
import { renderHead, renderLogo } from '../html/frame.ts'
import { html, renderToText, type Html } from '../html/html.ts'
import { renderNavigation, renderPageSections } from './navigation.ts'
import { toMarkdownPath, paths, type DocsPage, type DocsSite } from './site.ts'

/** The URLs of style sheet, script and icon. */
export interface AssetUrls {
  style: string
  script: string
  icon: string
}

export function renderDocsPage(site: DocsSite, page: DocsPage, assets: AssetUrls): string {
  return renderToText(
    html`<!doctype html>
      <html lang="en">
        ${renderHead({ ...assets, title: page.title, more: headOfPage(page, assets) })}
        <body>
          <a class="skip" href="#main">Skip to content</a>
          <header class="top">
            ${renderLogo(paths.home)}
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
            ${renderNavigation(site, page)}
            <main id="main" class="${page.wide ? 'wide' : 'narrow'}">${page.main}</main>
            ${renderPageSections(page)}
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

function headOfPage(page: DocsPage, { script }: AssetUrls): Html {
  return html`<meta name="description" content="${page.about}" />
    ${hasMarkdown(page) && html`<link rel="alternate" type="text/markdown" href="${toMarkdownPath(page.path)}" />`}
    <script src="${script}" defer></script>`
}

function hasMarkdown({ path }: DocsPage): boolean {
  return path !== '' && path !== paths.search
}
