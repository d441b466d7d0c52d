/**
 * The calls of a project, newest first, and one call with its messages, summary and transcript.
 * Text of callers is escaped. Allowed with the same permissions as `GET /calls`.
 */
import * as calls from '../../../../areas/calls/service.ts'
import { html, type Html } from '../../../html/html.ts'
import type { PortalPage } from '../../layout.ts'
import { formatCount, renderFacts, renderMoment, renderPill, renderTable } from '../../pieces.ts'
import { projectFrame } from '../../project-frame.ts'
import { readId, requireWholeProject, type ProjectVisit } from '../../visit.ts'

type Call = Awaited<ReturnType<typeof calls.list>>['data'][number]
type Detail = Awaited<ReturnType<typeof calls.find>>

const CALLS_SHOWN = 20
const NOTE_CHARACTERS = 160

const statuses: Readonly<Record<Call['status'], string>> = {
  ai_handled: 'answered by the assistant',
  forwarded: 'forwarded',
  menu_ended: 'ended in the menu',
  missed: 'missed',
  busy: 'busy',
  failed: 'failed',
  blocked: 'blocked',
}

const speakers = { caller: 'Caller', assistant: 'Assistant', system: 'Call plan' } as const

export async function callsPage(visit: ProjectVisit): Promise<PortalPage> {
  requireWholeProject(visit)
  const cursor = visit.query.get('cursor')
  const page = { limit: CALLS_SHOWN, ...(cursor !== null && { cursor }) }
  const { data, next_cursor } = await calls.listWithNotes(visit.caller, page)
  const path = pathOf(visit)
  const older = `${path}?cursor=${next_cursor}`
  return {
    ...projectFrame(visit, 'calls'),
    main: html`<h1>Calls</h1>
      ${data.length === 0 && nothing}
      ${
        data.length > 0 &&
        renderTable(
          'Calls, newest first',
          ['Caller', 'Time', 'Length', 'Outcome', 'Message or summary'],
          data.map((call) => [
            html`<a href="${path}/${call.id}">${call.from}</a> ${testPill(call)}`,
            renderMoment(call.started_at),
            length(call),
            statuses[call.status],
            call.note === null ? null : html`<span class="words">${inShort(call.note)}</span>`,
          ]),
        )
      }
      ${next_cursor !== null && html`<p><a href="${older}">Older calls</a></p>`}`,
  }
}

const nothing = html`<div class="card">
  <h2>No calls yet</h2>
  <p>
    Calls to a number of this project appear here, with the messages that callers leave.
    <a href="/docs/guides/calls">How to simulate a call</a>
  </p>
</div>`

export async function callPage(visit: ProjectVisit): Promise<PortalPage> {
  requireWholeProject(visit)
  const call = await calls.find(visit.caller, readId(visit.request, 'call_id'))
  return {
    ...projectFrame(visit, 'calls'),
    main: html`<div class="reading">
      <p><a href="${pathOf(visit)}">All calls</a></p>
      <h1>Call from ${call.from}</h1>
      <p>${renderPill('quiet', statuses[call.status])} ${testPill(call)}</p>
      ${renderFacts([
        ['Time', renderMoment(call.started_at)],
        ['Length', length(call)],
        ['Number called', call.to],
        ['Language', call.language ?? 'unknown'],
        ['Call id', html`<code>${call.id}</code>`],
      ])}
      ${messagesOf(call)} ${summaryOf(call)} ${transcriptOf(call)}
    </div>`,
  }
}

function messagesOf({ messages }: Detail): Html {
  return html`<h2>Messages</h2>
    ${messages.length === 0 && html`<p>The caller left no message.</p>`}
    ${messages.map(({ text }) => html`<blockquote class="words">${text}</blockquote>`)}`
}

function summaryOf({ summary, status }: Detail): Html {
  const none =
    status === 'ai_handled' ? 'The summary is not ready yet.' : 'The assistant did not take part.'
  if (summary === null)
    return html`<h2>Summary</h2>
      <p>${none}</p>`
  const { text, action_items } = summary
  return html`<h2>Summary</h2>
    <p class="words">${text}</p>
    ${
      action_items.length > 0 &&
      html`<h3>To do</h3>
        <ul>
          ${action_items.map((item) => html`<li>${item}</li>`)}
        </ul>`
    }`
}

function transcriptOf({ transcript }: Detail): Html {
  if (transcript.length === 0)
    return html`<h2>Transcript</h2>
      <p>Nothing was said.</p>`
  return html`<h2>Transcript</h2>
    <p class="hint">This is an automatic transcript and may contain errors.</p>
    ${renderFacts(transcript.map(({ role, text }) => [speakers[role], text] as const))}`
}

function testPill({ test }: Call): Html | false {
  return test && renderPill('quiet', 'test call')
}

function length({ duration_sec }: Call): string {
  const minutes = Math.floor(duration_sec / 60)
  const seconds = formatCount(duration_sec % 60, 'second')
  return minutes === 0 ? seconds : `${formatCount(minutes, 'minute')} ${seconds}`
}

function inShort(text: string): string {
  const characters = [...text]
  if (characters.length <= NOTE_CHARACTERS) return text
  return `${characters.slice(0, NOTE_CHARACTERS).join('')}…`
}

function pathOf({ membership }: ProjectVisit): string {
  return `/portal/projects/${membership.project.id}/calls`
}
