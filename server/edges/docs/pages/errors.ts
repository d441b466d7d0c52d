/** The list of errors, and a page per error, to which its `type` points. */
import { errorCatalogue, type ErrorSlug } from '../../../contract/error-catalogue.ts'
import { ProblemSchema, statusTitle, statusesOf } from '../../../contract/errors.ts'
import {
  writeNextStep,
  restPhrasing,
  type NextStep,
} from '../../../contract/problems/next-steps.ts'
import { createMcpPhrasing } from '../../describe/mcp-phrasing.ts'
import { jsonBlock } from '../render/code-block.ts'
import { createProblemExample } from '../../describe/samples/problem-example.ts'
import {
  listProblems,
  problemsOfAll,
  problemsOfKeys,
  errorSlugs,
} from '../../describe/problems-of.ts'
import { renderFieldTable } from '../field-table.ts'
import { html, type Html } from '../../html/html.ts'
import { isErrorPossible, NOT_YET } from '../available.ts'
import { renderNotYet } from '../not-yet.ts'
import { toSentence, renderBreakable, renderCode, renderProse } from '../render/prose.ts'
import { toErrorPath, paths, type DocsPage, type DocsSite } from '../site.ts'
import { renderOperationLinks } from './reference.ts'

export function errorsPage(site: DocsSite): DocsPage {
  return {
    path: paths.errors,
    title: 'Errors',
    about: 'Every error of the Homeport API, its meaning and the next step.',
    main: html`<h1>Errors</h1>
      <p class="lead">
        Every error is a problem document (RFC 9457), sent as
        ${renderCode('application/problem+json')}. Its ${renderCode('type')} is the address of its
        page here. Branch on that, never on ${renderCode('detail')}, whose wording may change.
      </p>
      ${jsonBlock('A problem', createProblemExample('version_conflict', { status: 412, docs_url: site.docs_url }))}
      <h2 id="fields">Fields</h2>
      ${renderFieldTable(site, ProblemSchema, { caption: 'Fields of a problem' })}
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
          ${errorSlugs.map(
            (slug) =>
              html`<tr>
                <td>
                  ${errorCatalogue[slug].http === false ? 'not sent' : statusesOf(slug).join(', ')}
                </td>
                <td>
                  <a href="${toErrorPath(slug)}">${renderBreakable(slug)}</a>
                  <p>
                    ${renderNotYet(isErrorPossible(site, slug))}
                    ${renderProse(site, toSentence(errorCatalogue[slug].about))}
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
    path: toErrorPath(slug),
    title: slug,
    about,
    not_yet: !isErrorPossible(site, slug),
    main: html`<p class="crumb"><a href="${paths.errors}">Errors</a></p>
      <h1>${renderBreakable(slug)}</h1>
      ${http === false ? html`<p class="statuses">Never sent as a reply</p>` : html`<p class="statuses">${statuses.map((one) => html`<span><strong>${one}</strong> ${statusTitle(one)}</span> `)}</p>`}
      <p class="lead">${renderNotYet(isErrorPossible(site, slug))} ${renderProse(site, about)}</p>
      <h2>What to show a user</h2>
      <blockquote><p>${user}</p></blockquote>
      <h2>What to do next</h2>
      <p>${renderProse(site, writeNextStep(restPhrasing, next))}</p>
      ${overMcp(site, next)}
      ${http === false ? null : jsonBlock('Example', createProblemExample(slug, { status, docs_url: site.docs_url }))}
      <h2>Where it occurs</h2>
      ${occurrence(site, slug)} ${neighbours(slug)}`,
  }
}

/** The next step for MCP clients, if its wording differs. */
function overMcp(site: DocsSite, next: NextStep): Html | null {
  const text = writeNextStep(createMcpPhrasing(site.operations), next)
  if (text === writeNextStep(restPhrasing, next)) return null
  return html`<p>Over MCP: ${renderProse(site, text)}</p>`
}

function occurrence(site: DocsSite, slug: ErrorSlug): Html {
  if (errorCatalogue[slug].http === false) {
    return html`<p>
      It appears as the reason for an omission in a reply, and is never the status of a reply.
    </p>`
  }
  if (!isErrorPossible(site, slug))
    return html`<p>${NOT_YET}: no operation of this version returns it.</p>`
  const giving = site.operations.filter((operation) => listProblems(operation).includes(slug))
  if (problemsOfAll.includes(slug)) return html`<p>Every operation can return it.</p>`
  if (problemsOfKeys.includes(slug))
    return html`<p>Every operation that needs a key can return it.</p>`
  if (giving.length === 0) return html`<p>It does not depend on the operation.</p>`
  return renderOperationLinks(giving)
}

function neighbours(slug: ErrorSlug): Html {
  const at = errorSlugs.indexOf(slug)
  const [before, after] = [errorSlugs[at - 1], errorSlugs[at + 1]]
  return html`<nav class="neighbours" aria-label="Neighbours">
    ${before && html`<a rel="prev" href="${toErrorPath(before)}">${before}</a>`}
    ${after && html`<a rel="next" href="${toErrorPath(after)}">${after}</a>`}
  </nav>`
}
