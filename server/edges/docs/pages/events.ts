/** The list of events, and a page per event type with its payload. */
import type { EventSource } from '../../../contract/events.ts'
import { eventTypeNames, eventTypes, type EventType } from '../../../contract/event-types.ts'
import { limits } from '../../../contract/limits.ts'
import { jsonBlock } from '../render/code-block.ts'
import { createEnvelope, createEventExample } from '../../describe/envelope.ts'
import { listEventHeaders } from '../../describe/headers.ts'
import { formatDuration } from '../../describe/words.ts'
import { renderFieldTable, renderHeaderTable } from '../field-table.ts'
import { html, type Html } from '../../html/html.ts'
import { isEventSent } from '../available.ts'
import { renderNotYet } from '../not-yet.ts'
import { toSentence, renderBreakable, renderCode, renderProse } from '../render/prose.ts'
import { toEventPath, toGuidePath, paths, type DocsPage, type DocsSite } from '../site.ts'

export function eventsPage(site: DocsSite): DocsPage {
  const [first] = site.sources
  return {
    path: paths.events,
    title: 'Events',
    about: 'The events that Homeport sends to webhooks.',
    main: html`<h1>Events</h1>
      <p class="lead">
        A webhook is an HTTPS POST to your URL after an event. Every endpoint chooses its events,
        and every request is
        <a href="${toGuidePath('verify-signatures')}">signed</a>.
      </p>
      <table class="events">
        <caption>
          All event types
        </caption>
        <thead>
          <tr>
            <th scope="col">Type</th>
            <th scope="col">When</th>
          </tr>
        </thead>
        <tbody>
          ${eventTypeNames.map(
            (type) =>
              html`<tr>
                <th scope="row"><a href="${toEventPath(type)}">${renderBreakable(type)}</a></th>
                <td>
                  ${renderNotYet(isEventSent(site, type))}
                  ${renderProse(site, toSentence(eventTypes[type]))}
                </td>
              </tr> `,
          )}
        </tbody>
      </table>
      <h2 id="delivery">Delivery</h2>
      ${deliveryRules()}
      <h2 id="headers">Headers</h2>
      ${renderHeaderTable(site, listEventHeaders(first?.type ?? 'webhook.test'), 'Headers of a webhook request')}`,
  }
}

function deliveryRules(): Html {
  const delays = limits.webhook_retry_delays_s.map(formatDuration)
  return html`<ul>
    <li>
      Respond with any 2xx status within ${formatDuration(limits.webhook_response_timeout_s)}. Every
      other response is a failed attempt, including a redirect.
    </li>
    <li>
      A failed attempt is retried after ${delays.slice(0, -1).join(', ')} and ${delays.at(-1)}:
      ${limits.webhook_attempts_max} attempts in total.
    </li>
    <li>
      After ${limits.webhook_failures_in_a_row_max} failed attempts in a row the endpoint is
      disabled, and its pending deliveries are dropped.
    </li>
    <li>
      Events can arrive more than once and out of order. Handle each ${renderCode('id')} once, and
      order by ${renderCode('created_at')}.
    </li>
    <li>
      The payload is built when the event is sent. If its subject has been deleted by then, nothing
      is sent.
    </li>
  </ul>`
}

export function eventPage(site: DocsSite, type: EventType): DocsPage {
  const source = site.sources.find((one) => one.type === type)
  return {
    path: toEventPath(type),
    title: type,
    about: toSentence(eventTypes[type]),
    not_yet: !isEventSent(site, type),
    main: html`<p class="crumb"><a href="${paths.events}">Events</a></p>
      <h1>${renderBreakable(type)}</h1>
      <p class="lead">
        ${renderNotYet(isEventSent(site, type))} ${renderProse(site, toSentence(eventTypes[type]))}
      </p>
      ${source ? payload(site, source) : html`<p>An endpoint may choose this type, but nothing in this version sends it yet.</p>`}
      <h2>Headers</h2>
      ${renderHeaderTable(site, listEventHeaders(type), 'Headers of the request')}`,
  }
}

function payload(site: DocsSite, source: EventSource): Html {
  return html`<h2>Payload</h2>
    ${renderFieldTable(site, createEnvelope(source), { caption: `Fields of ${source.type}` })}
    ${jsonBlock('Example', createEventExample(source))}`
}
