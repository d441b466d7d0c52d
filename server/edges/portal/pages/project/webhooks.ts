/**
 * The webhook endpoints of a project: how each is, which deliveries failed for good, and how to
 * fix it, with the buttons that do so.
 */
import * as people from '../../../../areas/people/service.ts'
import * as webhooks from '../../../../areas/webhooks/service.ts'
import { html, type Html } from '../../../html/html.ts'
import type { PortalPage } from '../../layout.ts'
import { facts, moment, notice, pill, table } from '../../pieces.ts'
import { projectFrame } from '../../project-frame.ts'
import { idOf, requireWhole, type Outcome, type ProjectVisit } from '../../visit.ts'
import { explain, readWebhookState, type Delivery, type EndpointState } from './webhook-state.ts'

export async function webhooksPage(visit: ProjectVisit): Promise<PortalPage> {
  requireWhole(visit)
  const endpoints = await readWebhookState(visit.caller)
  const canWrite = people.hasRole(visit.membership.role, 'member')
  return {
    ...projectFrame(visit, 'webhooks'),
    main: html`<h1>Webhooks</h1>
      ${done(visit.query.get('done'))}
      ${
        endpoints.length === 0
          ? html`<p>
              This project has no webhook endpoint.
              <a href="/docs/reference/webhooks#webhooks.create">Make one with the API</a>.
            </p>`
          : endpoints.map((state) => endpointSection(visit, state, canWrite))
      }`,
  }
}

const results: Readonly<Record<string, readonly ['good' | 'bad', string]>> = {
  enabled: ['good', 'The endpoint is switched on. What it missed is not sent later.'],
  delivered: ['good', 'The test event arrived.'],
  failed: ['bad', 'The test event did not arrive. The reason is given with the endpoint below.'],
  arrived: ['good', 'The delivery arrived this time.'],
  again: ['bad', 'The delivery failed again, for the reason that stands below.'],
}

function done(word: string | null): Html | null {
  const [tone, text] = results[word ?? ''] ?? []
  return tone && text ? notice(tone, html`<p>${text}</p>`) : null
}

function endpointSection(visit: ProjectVisit, state: EndpointState, canWrite: boolean): Html {
  const { endpoint, address, tone, word, sentence, last_failure, failed } = state
  const never = 'never'
  return html`<section class="card">
    <h2>${address} ${pill(tone, word)}</h2>
    ${
      tone === 'bad' || tone === 'warning'
        ? notice(tone, html`<p>${sentence}</p>`)
        : html`<p>${sentence}</p>`
    }
    ${mending(visit, state, canWrite)}
    ${facts([
      ['Events', endpoint.events.join(', ')],
      ['Last success', endpoint.last_success_at ? moment(endpoint.last_success_at) : never],
      ['Last failure', endpoint.last_failure_at ? moment(endpoint.last_failure_at) : never],
      ...(last_failure ? [['Last error', explain(last_failure).what] as const] : []),
      ['Failures in a row, without tests', String(endpoint.consecutive_failures)],
      ['Endpoint id', html`<code>${endpoint.id}</code>`],
    ])}
    ${failed.length > 0 && failedTable(visit, failed, canWrite)}
  </section>`
}

function mending(
  { membership }: ProjectVisit,
  { endpoint, tone, last_failure }: EndpointState,
  canWrite: boolean,
): Html | null {
  const action = `/portal/projects/${membership.project.id}/webhooks/${endpoint.id}`
  const button = (verb: string, text: string) =>
    html`<form method="post" action="${action}/${verb}">
      <button type="submit">${text}</button>
    </form>`
  const buttons =
    canWrite &&
    html`<div class="buttons">
      ${endpoint.active ? button('test', 'Send a test event') : button('enable', 'Switch on again')}
    </div>`
  if (tone !== 'bad' && tone !== 'warning') return html`${buttons}`
  return html`<h3>How to fix it</h3>
    <ol>
      <li>
        ${last_failure ? explain(last_failure).fix : 'Let the address answer with a 2xx status in time.'}
      </li>
      <li>
        Check the signature as <a href="/docs/guides/verify-signatures">the guide</a> says, with the
        secret that begins with <code>${endpoint.secret_prefix}</code>.
      </li>
      <li>
        ${
          endpoint.active
            ? 'Send a test event. One success starts the count again.'
            : 'Switch the endpoint on again, then send a test event. Events from the time it was off are not sent later, but the API can replay them.'
        }
      </li>
    </ol>
    ${buttons}`
}

function failedTable(
  { membership }: ProjectVisit,
  failed: readonly Delivery[],
  canWrite: boolean,
): Html {
  const action = `/portal/projects/${membership.project.id}/deliveries`
  return table(
    'Last deliveries that failed for good',
    ['Event', 'Given up', 'Why', 'What to do', ...(canWrite ? ['Again'] : [])],
    failed.map((delivery) => [
      delivery.type,
      delivery.finished_at ? moment(delivery.finished_at) : null,
      explain(delivery).what,
      explain(delivery).fix,
      ...(canWrite
        ? [
            html`<form method="post" action="${action}/${delivery.id}/redeliver">
              <button type="submit">Send again</button>
            </form>`,
          ]
        : []),
    ]),
  )
}

export async function enableEndpoint(visit: ProjectVisit): Promise<Outcome> {
  requireWhole(visit)
  await webhooks.enable(visit.caller, endpointOf(visit))
  return back(visit, 'enabled')
}

export async function testEndpoint(visit: ProjectVisit): Promise<Outcome> {
  requireWhole(visit)
  const { status } = await webhooks.test(visit.caller, endpointOf(visit))
  return back(visit, status === 'delivered' ? 'delivered' : 'failed')
}

export async function sendAgain(visit: ProjectVisit): Promise<Outcome> {
  requireWhole(visit)
  const { status } = await webhooks.redeliver(visit.caller, idOf(visit.request, 'delivery_id'))
  return back(visit, status === 'delivered' ? 'arrived' : 'again')
}

function endpointOf({ request }: ProjectVisit): string {
  return idOf(request, 'endpoint_id')
}

function back({ membership }: ProjectVisit, word: string): Outcome {
  return { to: `/portal/projects/${membership.project.id}/webhooks?done=${word}` }
}
