/** The list of errors, and a page per error, to which its `type` points. */
import {
  errorCatalogue,
  ProblemSchema,
  statusTitle,
  statusesOf,
  type ErrorSlug,
} from '../../../contract/errors.ts'
import {
  writeNextStep,
  restPhrasing,
  type NextStep,
} from '../../../contract/problems/next-steps.ts'
import { mcpPhrasing } from '../../mcp/phrasing.ts'
import { jsonBlock } from '../render/code-block.ts'
import { problemExample } from '../describe/samples/problem-example.ts'
import { problemsOf, problemsOfAll, problemsOfKeys, slugs } from '../describe/problems-of.ts'
import { fieldTable } from '../field-table.ts'
import { html, type Html } from '../../html/html.ts'
import { canOccur, NOT_YET } from '../describe/available.ts'
import { notYet } from '../not-yet.ts'
import { asSentence, breakable, code, renderProse } from '../render/prose.ts'
import { errorPath, paths, type DocsPage, type DocsSite } from '../site.ts'
import { operationLinks } from './reference.ts'

export function errorsPage(site: DocsSite): DocsPage {
  return {
    path: paths.errors,
    title: 'Errors',
    about: 'Every error of the Homeport API, its meaning and the next step.',
    main: html`<h1>Errors</h1>
      <p class="lead">
        Every error is a problem document (RFC 9457), sent as ${code('application/problem+json')}.
        Its ${code('type')} is the address of its page here. Branch on that, never on
        ${code('detail')}, whose wording may change.
      </p>
      ${jsonBlock('A problem', problemExample('version_conflict', { status: 412, docs_url: site.docs_url }))}
      <h2 id="fields">Fields</h2>
      ${fieldTable(site, ProblemSchema, { caption: 'Fields of a problem' })}
      <h2 id="types">All types</h2>
      <p class="filter" hidden>
        <input
          type="search"
          placeholder="Filter by name, status or meaning"
          aria-label="Filter errors"
          data-filter="#catalogue tbody tr"
        />
      </p>
      <table class="problems" id="catalogue">
        <caption>
          All error types
        </caption>
        <thead>
          <tr>
            <th scope="col">Status</th>
            <th scope="col">Type</th>
          </tr>
        </thead>
        <tbody>
          ${slugs.map(
            (slug) =>
              html`<tr>
                <td>
                  ${errorCatalogue[slug].http === false ? 'not sent' : statusesOf(slug).join(', ')}
                </td>
                <td>
                  <a href="${errorPath(slug)}">${breakable(slug)}</a>
                  <p>
                    ${notYet(canOccur(site, slug))}
                    ${renderProse(site, asSentence(errorCatalogue[slug].about))}
                  </p>
                </td>
              </tr> `,
          )}
        </tbody>
      </table>`,
  }
}

export function errorPage(site: DocsSite, slug: ErrorSlug): DocsPage {
  const { about, user, next, http } = errorCatalogue[slug]
  const statuses = statusesOf(slug)
  const [status] = statuses
  return {
    path: errorPath(slug),
    title: slug,
    about,
    not_yet: !canOccur(site, slug),
    main: html`<p class="crumb"><a href="${paths.errors}">Errors</a></p>
      <h1>${breakable(slug)}</h1>
      ${http === false ? html`<p class="statuses">Never sent as a reply</p>` : html`<p class="statuses">${statuses.map((one) => html`<span><strong>${one}</strong> ${statusTitle(one)}</span> `)}</p>`}
      <p class="lead">${notYet(canOccur(site, slug))} ${renderProse(site, about)}</p>
      <h2>What to show a user</h2>
      <blockquote><p>${user}</p></blockquote>
      <h2>What to do next</h2>
      <p>${renderProse(site, writeNextStep(restPhrasing, next))}</p>
      ${overMcp(site, next)}
      ${http === false ? null : jsonBlock('Example', problemExample(slug, { status, docs_url: site.docs_url }))}
      <h2>Where it occurs</h2>
      ${occurrence(site, slug)} ${neighbours(slug)}`,
  }
}

/** The next step for MCP clients, if its wording differs. */
function overMcp(site: DocsSite, next: NextStep): Html | null {
  const text = writeNextStep(mcpPhrasing(site.operations), next)
  if (text === writeNextStep(restPhrasing, next)) return null
  return html`<p>Over MCP: ${renderProse(site, text)}</p>`
}

function occurrence(site: DocsSite, slug: ErrorSlug): Html {
  if (errorCatalogue[slug].http === false) {
    return html`<p>
      It appears as the reason for an omission in a reply, and is never the status of a reply.
    </p>`
  }
  if (!canOccur(site, slug))
    return html`<p>${NOT_YET}: no operation of this version returns it.</p>`
  const giving = site.operations.filter((operation) => problemsOf(operation).includes(slug))
  if (problemsOfAll.includes(slug)) return html`<p>Every operation can return it.</p>`
  if (problemsOfKeys.includes(slug))
    return html`<p>Every operation that needs a key can return it.</p>`
  if (giving.length === 0) return html`<p>It does not depend on the operation.</p>`
  return operationLinks(giving)
}

function neighbours(slug: ErrorSlug): Html {
  const at = slugs.indexOf(slug)
  const [before, after] = [slugs[at - 1], slugs[at + 1]]
  return html`<nav class="neighbours" aria-label="Neighbours">
    ${before && html`<a rel="prev" href="${errorPath(before)}">${before}</a>`}
    ${after && html`<a rel="next" href="${errorPath(after)}">${after}</a>`}
  </nav>`
}
