/**
 * The navigation of the documentation: groups on the left, the sections of the page on the right.
 */
import { groupByArea, toTitle } from '../describe/words.ts'
import { html, type Html } from '../html/html.ts'
import { listHeadings } from './search-index.ts'
import { toAreaPath, toGuidePath, paths, type DocsPage, type DocsSite } from './site.ts'

type Entry = readonly [path: string, title: string]

/** Groups with the pages that every server has; guides of areas are added to their group. */
const groups: readonly (readonly [title: string, entries: readonly Entry[]])[] = [
  [
    'Get started',
    [
      [paths.home, 'Start'],
      [paths.connect, 'Connect an assistant'],
    ],
  ],
  ['Phone', []],
  ['Chat', [[paths.chat_demo, 'Demo of the chat']]],
  ['Email', []],
  ['Websites and data', []],
  ['Events', [[paths.events, 'Events and webhooks']]],
  [
    'Basics',
    [
      [paths.errors, 'Errors'],
      [paths.scopes, 'Scopes'],
      [paths.limits, 'Limits'],
    ],
  ],
  [
    'Operate',
    [
      [paths.production, 'Production'],
      [paths.settings, 'Settings'],
    ],
  ],
]

/** The path and title of each area guide in the navigation group with this title. */
function guidesIn({ guides = [] }: DocsSite, title: string): Entry[] {
  return guides
    .filter(({ group }) => group === title)
    .map((guide) => [toGuidePath(guide.page), guide.title] as const)
}

/** Renders all groups. The entry of the current page is marked and lists the parts of the page. */
export function renderNavigation(site: DocsSite, page: DocsPage): Html {
  const reference: readonly Entry[] = [
    [paths.reference, 'All operations'],
    ...[...groupByArea(site.operations).keys()].map(
      (area) => [toAreaPath(area), toTitle(area)] as const,
    ),
    [paths.portal_api, 'Portal API'],
  ]
  return html`<nav class="side" id="menu" aria-label="Documentation">
    <p class="close"><a href="#main">Close the menu</a></p>
    ${[...groups, ['Reference', reference] as const].map(
      ([title, entries]) =>
        html`<section>
          <h2>${title}</h2>
          <ul>
            ${[...entries, ...guidesIn(site, title)].map((entry) => entryItem(entry, page))}
          </ul>
        </section> `,
    )}
  </nav>`
}

function entryItem([path, title]: Entry, page: DocsPage): Html {
  const is_here = path === page.path
  const is_inside =
    path !== paths.home && path !== paths.reference && page.path.startsWith(`${path}/`)
  const mark = is_here ? 'page' : is_inside && 'true'
  return html`<li>
    <a href="${path}" ${mark && html` aria-current="${mark}"`}>${title}</a>
    ${
      is_here &&
      page.inside &&
      html`<ul>
        ${page.inside.map(({ href, text }) => html`<li><a href="${href}">${text}</a></li> `)}
      </ul>`
    }
  </li> `
}

/** Renders the sections of a page; null if there are fewer than two. */
export function renderPageSections({ main, wide }: DocsPage): Html | null {
  const headings = wide ? [] : listHeadings(main)
  if (headings.length < 2) return null
  return html`<nav class="contents" aria-label="On this page">
    <h2>On this page</h2>
    <ul>
      ${headings.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li> `)}
    </ul>
  </nav>`
}
