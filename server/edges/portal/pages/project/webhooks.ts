/** The webhook endpoints of a project: state, failed deliveries and the fix for each fault. */
import * as people from '../../../../areas/people/service.ts'
import * as webhooks from '../../../../areas/webhooks/service.ts'
import { html, type Html } from '../../../html/html.ts'
import type { PortalPage } from '../../layout.ts'
import { renderFacts, renderMoment, renderNotice, renderPill, renderTable } from '../../pieces.ts'
import { projectFrame } from '../../project-frame.ts'
import { readId, requireWholeProject, type PortalReply, type ProjectVisit } from '../../visit.ts'
import {
  explainFailure,
  readWebhookState,
  type LoggedDelivery,
  type EndpointStatus,
} from './webhook-state.ts'

export async function webhooksPage(visit: ProjectVisit): Promise<PortalPage> {
  requireWholeProject(visit)
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
              <a href="/docs/reference/webhooks#webhooks.create">Create one with the API</a>.
            </p>`
          : endpoints.map((state) => endpointSection(visit, state, canWrite))
      }`,
  }
}

const results: Readonly<Record<string, readonly ['good' | 'bad', string]>> = {
  enabled: ['good', 'The endpoint is enabled. Events from the time it was disabled are not sent.'],
  delivered: ['good', 'The test event arrived.'],
  failed: ['bad', 'The test event did not arrive. The reason is shown below.'],
  arrived: ['good', 'The delivery arrived.'],
  again: ['bad', 'The delivery failed again. The reason is shown below.'],
}

function done(word: string | null): Html | null {
  const [tone, text] = results[word ?? ''] ?? []
  return tone && text ? renderNotice(tone, html`<p>${text}</p>`) : null
}

function endpointSection(visit: ProjectVisit, state: EndpointStatus, canWrite: boolean): Html {
  const { endpoint, address, tone, word, sentence, last_failure, failed } = state
  const never = 'never'
  return html`<section class="card">
    <h2>${address} ${renderPill(tone, word)}</h2>
    ${
      tone === 'bad' || tone === 'warning'
        ? renderNotice(tone, html`<p>${sentence}</p>`)
        : html`<p>${sentence}</p>`
    }
    ${fixSteps(visit, state, canWrite)}
    ${renderFacts([
      ['Events', endpoint.events.join(', ')],
      ['Last success', endpoint.last_success_at ? renderMoment(endpoint.last_success_at) : never],
      ['Last failure', endpoint.last_failure_at ? renderMoment(endpoint.last_failure_at) : never],
      ...(last_failure ? [['Last error', explainFailure(last_failure).what] as const] : []),
      ['Failures in a row, excluding tests', String(endpoint.consecutive_failures)],
      ['Endpoint id', html`<code>${endpoint.id}</code>`],
    ])}
    ${failed.length > 0 && failedTable(visit, failed, canWrite)}
  </section>`
}

function fixSteps(
  { membership }: ProjectVisit,
  { endpoint, tone, last_failure }: EndpointStatus,
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
      ${endpoint.active ? button('test', 'Send a test event') : button('enable', 'Enable')}
    </div>`
  if (tone !== 'bad' && tone !== 'warning') return html`${buttons}`
  return html`<h3>How to fix it</h3>
    <ol>
      <li>
        ${last_failure ? explainFailure(last_failure).fix : 'Respond with a 2xx status in time.'}
      </li>
      <li>
        Verify signatures as described in <a href="/docs/guides/verify-signatures">the guide</a>,
        with the secret that begins with <code>${endpoint.secret_prefix}</code>.
      </li>
      <li>
        ${
          endpoint.active
            ? 'Send a test event.'
            : 'Enable the endpoint, then send a test event. Events from the time it was disabled are not sent, but the API can replay them.'
        }
      </li>
    </ol>
    ${buttons}`
}

function failedTable(
  { membership }: ProjectVisit,
  failed: readonly LoggedDelivery[],
  canWrite: boolean,
): Html {
  const action = `/portal/projects/${membership.project.id}/deliveries`
  return renderTable(
    'Failed deliveries',
    ['Event', 'Failed', 'Reason', 'Fix', ...(canWrite ? ['Resend'] : [])],
    failed.map((delivery) => [
      delivery.type,
      delivery.finished_at ? renderMoment(delivery.finished_at) : null,
      explainFailure(delivery).what,
      explainFailure(delivery).fix,
      ...(canWrite
        ? [
            html`<form method="post" action="${action}/${delivery.id}/redeliver">
              <button type="submit">Resend</button>
            </form>`,
          ]
        : []),
    ]),
  )
}

export async function enableEndpoint(visit: ProjectVisit): Promise<PortalReply> {
  requireWholeProject(visit)
  await webhooks.enable(visit.caller, endpointOf(visit))
  return redirectBack(visit, 'enabled')
}

export async function testEndpoint(visit: ProjectVisit): Promise<PortalReply> {
  requireWholeProject(visit)
  const { status } = await webhooks.test(visit.caller, endpointOf(visit))
  return redirectBack(visit, status === 'delivered' ? 'delivered' : 'failed')
}

export async function sendAgain(visit: ProjectVisit): Promise<PortalReply> {
  requireWholeProject(visit)
  const { status } = await webhooks.redeliver(visit.caller, readId(visit.request, 'delivery_id'))
  return redirectBack(visit, status === 'delivered' ? 'arrived' : 'again')
}

function endpointOf({ request }: ProjectVisit): string {
  return readId(request, 'endpoint_id')
}

function redirectBack({ membership }: ProjectVisit, word: string): PortalReply {
  return { to: `/portal/projects/${membership.project.id}/webhooks?done=${word}` }
}
