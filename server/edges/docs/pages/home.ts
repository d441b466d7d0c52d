/** The start page: an introduction, a tour with curl, and the general rules of the API. */
import { limits } from '../../../contract/limits.ts'
import { jsonBlock, shellBlock } from '../render/code-block.ts'
import { bearerHeader, writeCurl } from '../../describe/samples/curl.ts'
import { createExample } from '../../describe/samples/example.ts'
import { formatDuration } from '../../describe/words.ts'
import { html, type Html } from '../../html/html.ts'
import { renderCode, renderProse } from '../render/prose.ts'
import {
  toErrorPath,
  findOperation,
  toGuidePath,
  toOperationPath,
  paths,
  type DocsPage,
  type DocsSite,
} from '../site.ts'
import { tour, type TourStep } from '../guides/tour.ts'

export function homePage(site: DocsSite): DocsPage {
  return {
    path: paths.home,
    title: 'Start',
    about: 'Homeport is the back-end that a chat assistant or an agent builds on for a business.',
    main: html`<h1>The back-end for an assistant that works for a business</h1>
      <p class="lead">
        Phone numbers with an AI receptionist, data and forms, websites and media, signed webhooks
        and a prepaid balance. A chat assistant uses them over MCP, a program over one REST API. A
        test key never reaches the phone network and costs nothing.
      </p>
      ${cards(site)}
      <h2 id="tour">Start in five minutes</h2>
      <p>
        You need ${renderCode('curl')} and a test key. The server prints one at its first start;
        create another one with ${renderCode('npm run -s homeport -- keys create')}.
      </p>
      ${shellBlock('Set the key', 'export HOMEPORT_KEY=hm_test_…')}
      <ol class="tour">
        ${tour.map((step) => tourStep(site, step))}
      </ol>
      <h2 id="rules">General rules</h2>
      ${rules(site)}`,
  }
}

function cards({ guides = [] }: DocsSite): Html {
  const links: readonly (readonly [path: string, title: string, text: string])[] = [
    [paths.connect, 'Connect', 'Connect a chat assistant to your project.'],
    ...guides.map(({ page, card }) => [toGuidePath(page), card.title, card.text] as const),
    [paths.events, 'Events', 'What webhooks receive.'],
    [paths.reference, 'Reference', 'Every operation, with examples.'],
    [paths.errors, 'Errors', 'Meaning and next step of each error.'],
  ]
  return html`<ul class="cards">
    ${links.map(
      ([path, title, text]) =>
        html`<li>
          <a href="${path}"><strong>${title}</strong><span>${text}</span></a>
        </li> `,
    )}
  </ul>`
}

function tourStep(site: DocsSite, step: TourStep): Html {
  const { title, text, route, keep } = step
  const operation = findOperation(site, route)
  return html`<li>
    <h3>${title}</h3>
    <p>
      ${renderProse(site, text)}${operation && html` <a href="${toOperationPath(operation)}">More about ${renderCode(route)}</a>`}
    </p>
    ${shellBlock(route, tourCommand(step, site.base_url))}
    ${
      operation?.reply &&
      html`<details>
        <summary>A reply</summary>
        ${jsonBlock(`Reply ${operation.status}`, createExample(operation.reply))}
      </details>`
    }
    ${
      keep &&
      html`<p>Keep the ${renderCode(keep.field)} of the reply:</p>
        ${shellBlock('Keep', `export ${keep.variable}=…`)}`
    }
  </li> `
}

function tourCommand({ route, path, headers = [], body }: TourStep, base_url: string): string {
  const [method = 'GET', ownPath = ''] = route.split(' ')
  return writeCurl({
    method,
    url: base_url + (path ?? ownPath),
    headers: [
      bearerHeader,
      ...(body === undefined ? [] : ['Content-Type: application/json']),
      ...headers,
    ],
    body,
  })
}

function rules(site: DocsSite): Html {
  const error = (slug: Parameters<typeof toErrorPath>[0]) =>
    html`<a href="${toErrorPath(slug)}">${renderCode(slug)}</a>`
  return html`<dl class="rules">
    <dt>Address</dt>
    <dd>
      Every path is below ${renderCode(site.base_url)}. The
      <a href="${site.base_url}/openapi.json">OpenAPI document</a> describes all of it to machines.
    </dd>
    <dt>Keys</dt>
    <dd>
      A key belongs to one project and is sent as ${renderCode('Authorization: Bearer <key>')}, in
      no other way. ${renderCode('hm_test_')} keys work in test mode, which never reaches the phone
      network and costs nothing; ${renderCode('hm_live_')} keys have real effects. Use keys on
      servers only, never in a browser or an app. The permissions of a key are its
      <a href="${paths.scopes}">scopes</a>.
    </dd>
    <dt>Errors</dt>
    <dd>
      Every error is a <a href="${paths.errors}">problem document</a>. Branch on its
      ${renderCode('type')}; show its ${renderCode('user_message')} to people.
    </dd>
    <dt>Request ids</dt>
    <dd>
      Every reply has ${renderCode('X-Request-Id')}: your own id if you send one. Include it in
      support requests.
    </dd>
    <dt>Rate limit</dt>
    <dd>
      ${limits.requests_max} requests in ${formatDuration(limits.request_window_s)} per key; after
      that ${error('rate_limited')}, with ${renderCode('Retry-After')}. There are more
      <a href="${paths.limits}">limits</a>.
    </dd>
    <dt>Retries</dt>
    <dd>
      An operation that must not run twice, such as an order, takes an
      ${renderCode('Idempotency-Key')}. Retries with the same key run it once. A key is valid for
      ${formatDuration(limits.idempotency_key_remembered_s)}.
    </dd>
    <dt>Concurrent changes</dt>
    <dd>
      Send the ${renderCode('ETag')} of your last read as ${renderCode('If-Match')}. If the resource
      has changed since, the change is refused: ${error('version_conflict')}.
    </dd>
    <dt>Lists</dt>
    <dd>
      Long lists take ${renderCode('limit')} (1 to ${limits.page_limit_max},
      ${limits.page_limit_default} by default) and ${renderCode('cursor')}: the
      ${renderCode('next_cursor')} of the previous page, null on the last one.
    </dd>
    <dt>Values</dt>
    <dd>
      Times are in UTC with milliseconds, money is in euro without VAT, phone numbers are in E.164,
      names are in snake_case. Only call plans are camelCase, and are kept exactly as sent.
    </dd>
    <dt>Compatibility</dt>
    <dd>
      New fields may be added to any reply at any time: ignore unknown fields. Fields are removed or
      renamed only in a new version.
    </dd>
  </dl>`
}
