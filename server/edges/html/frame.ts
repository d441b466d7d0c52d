/** The head of a page and the logo, shared by the documentation and the portal. */
import { html, type Html } from './html.ts'

export interface Head {
  title: string
  /** Paths on this server. */
  style: string
  icon: string
  /** Further elements of the head. */
  more: Html
}

export function renderHead({ title, style, icon, more }: Head): Html {
  return html`<head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>${title} · Homeport</title>
    <link rel="icon" href="${icon}" type="image/svg+xml" />
    <link rel="stylesheet" href="${style}" />
    ${more}
  </head>`
}

/** The logo and the name, as a link to the start page. */
export function renderLogo(home: string): Html {
  return html`<a class="mark" href="${home}">${anchor()}<span>Homeport</span></a>`
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
