/** The reference: every operation by area, with request, reply and examples. */
import { errorCatalogue, type ErrorSlug } from '../../../contract/error-catalogue.ts'
import { EVENT_STREAM } from '../../../contract/operations/event-replies.ts'
import { formTypes, takesForms } from '../../../contract/operations/guests.ts'
import type { Operation } from '../../../contract/operation.ts'
import { mediaOf } from '../../../contract/operations/streams.ts'
import { jsonBlock, programBlock, shellBlock, tabs } from '../render/code-block.ts'
import { writeCurlFor } from '../../describe/samples/curl.ts'
import { createExample } from '../../describe/samples/example.ts'
import {
  listResponseHeaders,
  listRequestHeaders,
  requestIdHeader,
  responseHeaders,
} from '../../describe/headers.ts'
import {
  listProblems,
  problemsOfAll,
  problemsOfKeys,
  problemsOfSessions,
  listStatuses,
} from '../../describe/problems-of.ts'
import { writePython, writeTypescript } from '../../describe/samples/samples.ts'
import { groupByArea, takeFirstSentence, toTitle } from '../../describe/words.ts'
import { renderFieldTable, renderHeaderTable } from '../field-table.ts'
import { html, type Html } from '../../html/html.ts'
import { toSentence, renderBreakable, renderCode, renderProse } from '../render/prose.ts'
import {
  toAreaPath,
  toErrorPath,
  toOperationPath,
  paths,
  toScopePath,
  type DocsPage,
  type NavigationLink,
  type DocsSite,
} from '../site.ts'

export function referencePage(site: DocsSite): DocsPage {
  return {
    path: paths.reference,
    title: 'Reference',
    about: 'Every operation of the Homeport API, by area.',
    main: html`<h1>Reference</h1>
      <p class="lead">
        All paths are below ${renderCode(site.base_url)}. Requests are authenticated by a key in the
        header ${renderCode('Authorization: Bearer <key>')}, and bodies are JSON. In the examples,
        the environment variable ${renderCode('HOMEPORT_KEY')} is your key.
      </p>
      ${[...groupByArea(site.operations)].map(
        ([area, operations]) =>
          html`<h2 id="${area}"><a href="${toAreaPath(area)}">${toTitle(area)}</a></h2>
            ${renderOperationLinks(operations)}`,
      )}`,
  }
}

export function areaPage(site: DocsSite, area: string): DocsPage {
  const operations = groupByArea(site.operations).get(area) ?? []
  const title = toTitle(area)
  return {
    path: toAreaPath(area),
    title: `${title} reference`,
    about: `${title}: ${operations.map(({ route }) => route).join(', ')}.`,
    wide: true,
    inside: listLinks(operations),
    main: html`<p class="crumb"><a href="${paths.reference}">Reference</a></p>
      <h1>${title}</h1>
      ${operations.map((operation) => operationSection(site, operation))}`,
  }
}

/** Returns links to the operations within the page. */
export function listLinks(operations: readonly Operation[]): NavigationLink[] {
  return operations.map((operation) => ({
    href: `#${operation.name}`,
    text: routeText(operation),
  }))
}

/** Renders a section for each operation, by area. */
export function renderAreaSections(site: DocsSite, operations: readonly Operation[]): Html[] {
  return [...groupByArea(operations)].map(
    ([area, members]) =>
      html`<section class="area" aria-labelledby="${area}">
        <h2 id="${area}">${toTitle(area)}</h2>
        ${members.map((operation) => operationSection(site, operation))}
      </section>`,
  )
}

function operationSection(site: DocsSite, operation: Operation): Html {
  return html`<article class="operation" id="${operation.name}">
    <div class="says">
      <h3><a href="#${operation.name}">${routeText(operation)}</a></h3>
      ${asSentences(site, operation.about)} ${facts(operation)} ${requestTables(site, operation)}
      ${replyTable(site, operation)} ${problems(site, operation)}
    </div>
    <div class="shows">${samples(site, operation)} ${replyExamples(operation)}</div>
  </article> `
}

function replyExamples(operation: Operation): Html | Html[] {
  const { reply, status } = operation
  if (reply) {
    const json = jsonBlock(`Reply ${status}`, createExample(reply))
    const { events } = operation
    if (!events) return json
    return [json, shellBlock(`Reply ${status}, ${EVENT_STREAM}`, events.example.trimEnd())]
  }
  const { gives = [], examples = {} } = mediaOf(operation) ?? {}
  if (gives.length === 0) return html`<p class="plain">Reply ${status}, without a body.</p>`
  return gives.flatMap((type) => {
    const example = examples[type]
    return example === undefined ? [] : [shellBlock(`Reply ${status}, ${type}`, example.trimEnd())]
  })
}

/** The request in each language. The script remembers the selected one. */
function samples(site: DocsSite, operation: Operation): Html {
  return tabs(`sample-${operation.name}`, [
    { name: 'curl', block: shellBlock('Request', writeCurlFor(operation, site.base_url)) },
    {
      name: 'TypeScript',
      block: programBlock('Request', writeTypescript(operation, site.base_url)),
    },
    { name: 'Python', block: programBlock('Request', writePython(operation, site.base_url)) },
  ])
}

/** Renders `GET /numbers/{id}`, with the method highlighted. */
function routeText({ method, path }: Operation): Html {
  const parts = path.split(/(?=\/)/)
  return html`<span class="method ${method.toLowerCase()}">${method}</span>
    <span class="path">${parts.map((part) => html`<wbr />${part}`)}</span>`
}

function asSentences(site: DocsSite, about: string): Html {
  const first = toSentence(takeFirstSentence(about))
  const rest = about.slice(first.length).trim()
  return html`<p class="lead">${renderProse(site, first)}</p>
    ${rest !== '' && html`<p>${renderProse(site, rest)}</p>`}`
}

const effects = {
  read: 'read only',
  write: 'changes the project',
  outside: 'contacts people or services outside',
  money: 'costs money with a live key',
} as const

const effectsOfPeople = { ...effects, write: 'makes changes', money: 'concerns billing' } as const

const accessWords = {
  person: 'Any signed-in person',
  viewer: 'All members',
  member: 'Members and above',
  admin: 'Admins and owners',
  owner: 'Owners',
  operator: 'Operators',
} as const

function facts(operation: Operation): Html {
  const { scope, effect, reach, mode, name } = operation
  const people = operation.kind === 'people' ? operation : null
  const keyless = operation.kind === 'guest' ? 'Needs a public token' : 'Needs no key'
  return html`<ul class="facts">
    ${
      people
        ? html`<li>${accessWords[people.access]}</li>
            ${people.fresh && html`<li>Needs recent confirmation of identity</li>`}
            ${people.access !== 'person' && reach === 'project' && html`<li>Not for limited members</li>`}`
        : html`<li>
            ${scope === null ? keyless : html`Scope <a href="${toScopePath(scope)}">${renderCode(scope)}</a>`}
          </li>`
    }
    <li>${toTitle((people ? effectsOfPeople : effects)[effect])}</li>
    ${mode === 'test' && html`<li>Test keys only</li>`}
    ${scope !== null && reach === 'project' && html`<li>Not for limited keys</li>`}
    <li>Operation ${renderCode(name)}</li>
  </ul>`
}

function requestTables(site: DocsSite, operation: Operation): Html {
  const { params, query, body } = operation
  const takes = mediaOf(operation)?.takes
  const headers = listRequestHeaders(operation).filter((header) => header !== requestIdHeader)
  return html`${
    params &&
    html`<h4>Path</h4>
      ${renderFieldTable(site, params, { caption: 'Fields of the path' })}`
  }
  ${
    query &&
    html`<h4>Query</h4>
      ${renderFieldTable(site, query, { caption: 'Query parameters' })}`
  }
  ${
    headers.length > 0 &&
    html`<h4>Headers</h4>
      ${renderHeaderTable(site, headers, 'Headers of the request')}`
  }
  ${
    body &&
    html`<h4>Body</h4>
      ${takesForms(operation) && mediaTypes(['application/json', ...formTypes])}${bodyAbout(site, body)}${renderFieldTable(site, body, { caption: 'Fields of the body' })}`
  }
  ${
    takes &&
    html`<h4>Body</h4>
      ${mediaTypes(takes.types)}`
  }`
}

function mediaTypes(types: readonly string[]): Html {
  return html`<p>
    ${types.map((type, index) => html`${index > 0 && ', or '}${renderCode(type)}`)}
  </p>`
}

function bodyAbout(site: DocsSite, { description }: { description?: string }): Html {
  return html`${description !== undefined && html`<p>${renderProse(site, toSentence(description))}</p>`}`
}

function replyTable(site: DocsSite, operation: Operation): Html {
  const { reply, status } = operation
  const gives = mediaOf(operation)?.gives
  const own = listResponseHeaders(operation).filter(
    (name) => name === 'etag' || name === 'replayed',
  )
  const headers = own.map((name) => responseHeaders[name])
  return html`<h4>Reply <span class="status">${status}</span></h4>
    ${headers.map(({ name, about }) => html`<p>With the header ${renderCode(name)}: ${renderProse(site, lowered(about))}</p>`)}
    ${reply ? renderFieldTable(site, reply, { caption: 'Fields of the reply' }) : gives ? mediaTypes(gives) : html`<p>No body.</p>`}`
}

/** Converts the start of a sentence to lower case, for use inside another one. */
function lowered(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}

function problems(site: DocsSite, operation: Operation): Html {
  const family = operation.for_sessions ? problemsOfSessions : problemsOfKeys
  const shared = new Set<ErrorSlug>([...problemsOfAll, ...family])
  const all = listProblems(operation)
  const own = all.filter((slug) => !shared.has(slug))
  const rest = all.filter((slug) => shared.has(slug))
  return html`<h4>Problems</h4>
    ${
      own.length > 0 &&
      html`<table class="problems">
        <caption>
          Problems of ${operation.route}
        </caption>
        <thead>
          <tr>
            <th scope="col">Status</th>
            <th scope="col">Type</th>
          </tr>
        </thead>
        <tbody>
          ${own.map(
            (slug) =>
              html`<tr>
                <td>${listStatuses(operation, slug).join(', ')}</td>
                <td>
                  <a href="${toErrorPath(slug)}">${renderBreakable(slug)}</a>
                  <p>
                    ${renderProse(site, toSentence(takeFirstSentence(errorCatalogue[slug].about)))}
                  </p>
                </td>
              </tr> `,
          )}
        </tbody>
      </table>`
    }
    <details class="shared">
      <summary>
        Errors of ${operation.scope === null ? 'every request' : 'every request with a key'}
      </summary>
      <p>
        ${rest.map((slug, index) => html`${index > 0 && ', '}<a href="${toErrorPath(slug)}">${renderCode(slug)}</a>`)}
      </p>
    </details>`
}

/** Renders a list of operations, by area if there are many. */
export function renderOperationLinks(operations: readonly Operation[]): Html {
  return html`<ul class="routes">
    ${operations.map(
      (operation) =>
        html`<li><a href="${toOperationPath(operation)}">${routeText(operation)}</a></li> `,
    )}
  </ul>`
}
