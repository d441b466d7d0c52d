/** The scopes: what a key may do with each, and which operations need it. */
import { scopeNames, scopes, type Scope } from '../../../contract/scopes.ts'
import { html, type Html } from '../../html/html.ts'
import { notYet } from '../not-yet.ts'
import { asSentence, code, renderProse } from '../render/prose.ts'
import { errorPath, paths, type DocsPage, type DocsSite } from '../site.ts'
import { operationLinks } from './reference.ts'

export function scopesPage(site: DocsSite): DocsPage {
  return {
    path: paths.scopes,
    title: 'Scopes',
    about: 'The permissions of keys and connections.',
    main: html`<h1>Scopes</h1>
      <p class="lead">
        A key has one or more scopes, and every operation for keys needs one. A request without it
        gets
        <a href="${errorPath('missing_scope')}">${code('missing_scope')}</a>, which names the
        missing scope.
      </p>
      <div class="scopes">${scopeNames.map((scope) => scopeSection(site, scope))}</div>`,
  }
}

function scopeSection(site: DocsSite, scope: Scope): Html {
  const { about, read_only } = scopes[scope]
  const operations = site.operations.filter((operation) => operation.scope === scope)
  return html`<section id="${scope}">
    <h2>${code(scope)} <span class="badge">${read_only ? 'read only' : 'makes changes'}</span></h2>
    <p>${notYet(operations.length > 0)} ${renderProse(site, asSentence(about))}</p>
    ${operations.length > 0 && operationLinks(operations)}
  </section> `
}
