/** The page for an unknown path. */
import { html } from '../../html/html.ts'
import { paths, type DocsPage } from '../site.ts'

export function notFoundPage(): DocsPage {
  return {
    path: '',
    title: 'Not found',
    about: 'There is no such page.',
    main: html`<h1>There is no such page</h1>
      <p class="lead">The address may be mistyped, or the page may have moved.</p>
      <p>
        Try the <a href="${paths.home}">start</a>, the <a href="${paths.reference}">reference</a> or
        the list of <a href="${paths.errors}">errors</a>.
      </p>`,
  }
}
