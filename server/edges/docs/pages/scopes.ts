/** The scopes: what a key may do with each, and which operations need it. */
import { scopeNames, scopes, type Scope } from '../../../contract/scopes.ts'
import { html, type Html } from '../../html/html.ts'
import { renderNotYet } from '../not-yet.ts'
import { toSentence, renderCode, renderProse } from '../render/prose.ts'
import { toErrorPath, paths, type DocsPage, type DocsSite } from '../site.ts'
import { renderOperationLinks } from './reference.ts'

export function scopesPage(site: DocsSite): DocsPage {
  return {
    path: paths.scopes,
    title: 'Scopes',
    about: 'The permissions of keys and connections.',
    main: html`<h1>Scopes</h1>
      <p class="lead">
        A key has one or more scopes, and every operation for keys needs one. A request without it
        gets
        <a href="${toErrorPath('missing_scope')}">${renderCode('missing_scope')}</a>, which names
        the missing scope.
      </p>
      <div class="scopes">${scopeNames.map((scope) => scopeSection(site, scope))}</div>`,
  }
}

function scopeSection(site: DocsSite, scope: Scope): Html {
  const { about, read_only } = scopes[scope]
  const operations = site.operations.filter((operation) => operation.scope === scope)
  return html`<section id="${scope}">
    <h2>
      ${renderCode(scope)} <span class="badge">${read_only ? 'read only' : 'makes changes'}</span>
    </h2>
    <p>${renderNotYet(operations.length > 0)} ${renderProse(site, toSentence(about))}</p>
    ${operations.length > 0 && renderOperationLinks(operations)}
  </section> `
}
