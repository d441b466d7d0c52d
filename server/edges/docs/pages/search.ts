/** The results of a search, or why there are none. */
import type { Problem } from '../../../contract/errors.ts'
import { takeFirstSentence } from '../../describe/words.ts'
import { NOT_YET } from '../available.ts'
import { html } from '../../html/html.ts'
import type { SearchHit } from '../search-index.ts'
import { paths, type DocsPage } from '../site.ts'

export function searchPage(words: string, found: readonly SearchHit[]): DocsPage {
  return {
    path: paths.search,
    title: words === '' ? 'Search' : `Search for ${words}`,
    about: 'Search the documentation.',
    main: html`<h1>${words === '' ? 'Search' : `Search for “${words}”`}</h1>
      <div id="results" aria-live="polite">
        ${words === '' && html`<p class="lead">Enter search words in the field at the top.</p>`}
        ${words !== '' && found.length === 0 && html`<p>Nothing found for “${words}”. Try fewer or other words, or read the <a href="${paths.reference}">list of operations</a>.</p>`}
        <ul class="results">
          ${found.map(
            ({ href, title, about, not_yet }) =>
              html`<li>
                <a href="${href}"
                  ><strong>${title}</strong
                  ><span>${not_yet && `${NOT_YET}. `}${takeFirstSentence(about)}</span></a
                >
              </li> `,
          )}
        </ul>
      </div>`,
  }
}

export function tooManyPage({ extra }: Problem): DocsPage {
  return {
    path: paths.search,
    title: 'Too many searches',
    about: 'Search the documentation.',
    main: html`<h1>Too many searches</h1>
      <p class="lead">${extra.user_message}</p>
      <p>Meanwhile, read the <a href="${paths.reference}">list of operations</a>.</p>`,
  }
}
