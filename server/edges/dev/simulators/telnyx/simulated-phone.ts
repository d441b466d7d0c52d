/**
 * The phone of a development server, for this machine only: GET /dev/phone shows the verification codes
 * that the simulated carrier sent, and calls live numbers, whose callers type instead of speaking.
 */
import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../../../../contract/errors.ts'
import type { Runtime } from '../../../../kernel/runtime.ts'
import { html, type Html } from '../../../html/html.ts'
import { renderPlainPage } from '../../../html/plain-page.ts'
import { isLoopbackRequest } from '../../../http/own-host.ts'
import { callNumber, findSimulatedCall, takeTurns, type SimulatedCall } from './telnyx-calls.ts'
import { listSentCodes } from './telnyx-codes.ts'

const style = `
  body { margin: 2rem auto; max-width: 40rem; padding: 0 1rem; font: 16px/1.5 system-ui, sans-serif; color-scheme: light dark; }
  li { margin: 0 0 .8rem; } code { font-size: 1.3rem; letter-spacing: .1em; }
  label { display: block; margin: 0 0 .8rem; } input { font: inherit; padding: .4rem; width: 100%; box-sizing: border-box; }
  button { font: inherit; padding: .4rem 1rem; } .mine { text-align: right; }`

const CALLER = '+31687654321'
const REPLY_MS_MAX = 4_000
const LOOK_MS = 100

export function addSimulatedPhone(app: FastifyInstance, runtime: Runtime): void {
  app.get<{ Querystring: { to?: string } }>('/dev/phone', async (request, reply) => {
    requireThisMachine(request)
    return send(reply, 'Phone', await phonePage(runtime, String(request.query.to ?? '')))
  })
  app.post('/dev/phone/calls', async (request, reply) => {
    requireThisMachine(request)
    const form = readForm(request)
    const [from, to] = [form.get('from') || CALLER, form.get('to') ?? '']
    const call = await callNumber(runtime, { from, to: to.replaceAll(/[^+\d]/g, ''), turns: [] })
    await replied(call, 0)
    return reply.redirect(`/dev/phone/calls/${encodeURIComponent(call.id)}`, 303)
  })
  app.get<{ Params: { id: string } }>('/dev/phone/calls/:id', async (request, reply) => {
    requireThisMachine(request)
    const call = findCall(runtime, request.params.id)
    return send(reply, 'Call', callPage(call))
  })
  app.post<{ Params: { id: string } }>('/dev/phone/calls/:id', async (request, reply) => {
    requireThisMachine(request)
    const call = findCall(runtime, request.params.id)
    const form = readForm(request)
    const text = form.get('text')?.trim() ?? ''
    const is_keys = /^[0-9*#]{1,32}$/.test(text)
    const before = call.conversation.length
    if (form.has('hangup')) takeTurns(runtime, call, [{ hangup: true }])
    else if (text !== '') takeTurns(runtime, call, [is_keys ? { digits: text } : { say: text }])
    await replied(call, before)
    return reply.redirect(`/dev/phone/calls/${encodeURIComponent(call.id)}`, 303)
  })
}

/** Waits a moment for the other side, so that the page shows its reply. */
async function replied(call: SimulatedCall, before: number): Promise<void> {
  for (let waited_ms = 0; waited_ms < REPLY_MS_MAX; waited_ms += LOOK_MS) {
    const last = call.conversation.length > before && call.conversation.at(-1)
    if (call.state === 'ended' || (last && !last.mine)) return
    await delay(LOOK_MS)
  }
}

/** Only pages of this server may use the phone. */
function requireThisMachine(request: FastifyRequest): void {
  const from = request.headers['sec-fetch-site'] ?? 'none'
  const is_ours = from === 'none' || from === 'same-origin' || request.method === 'GET'
  if (isLoopbackRequest(request) && is_ours) return
  throw new Problem('not_found', 'There is no such page.')
}

function readForm({ body }: FastifyRequest): URLSearchParams {
  return new URLSearchParams(Buffer.isBuffer(body) ? body.toString() : '')
}

function findCall(runtime: Runtime, id: string): SimulatedCall {
  const call = findSimulatedCall(runtime, id)
  if (call) return call
  throw new Problem('not_found', 'There is no such call. Calls end with the server.')
}

function send(reply: FastifyReply, title: string, main: Html): FastifyReply {
  const policy = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'"
  return reply
    .headers({ 'Content-Security-Policy': policy })
    .type('text/html; charset=utf-8')
    .send(renderPlainPage({ language: 'en', title, main, style }))
}

async function phonePage(runtime: Runtime, to: string): Promise<Html> {
  const codes = await listSentCodes(runtime)
  return html`<h1>Phone</h1>
    <h2>Call a live number</h2>
    <p>The simulated carrier plays a caller. You type what the caller says.</p>
    <form method="post" action="/dev/phone/calls">
      <label
        >Number <input name="to" type="tel" required placeholder="+31850000000" value="${to}"
      /></label>
      <label>Your number <input name="from" type="tel" value="${CALLER}" /></label>
      <button>Call</button>
    </form>
    <h2>Verification codes</h2>
    <p>The latest verification codes that the simulated carrier sent.</p>
    ${codes.length === 0 && html`<p>There is none yet.</p>`}
    <ul>
      ${codes.map(
        ({ to, code, channel, sent_at }) =>
          html`<li>
            <code>${code}</code><br />${channel === 'call' ? 'Call' : 'Text message'} to ${to},
            ${sent_at.toISOString().slice(0, 16).replace('T', ' ')} UTC
          </li>`,
      )}
    </ul>`
}

function callPage({ to, state, conversation, hangup_cause }: SimulatedCall): Html {
  const said = conversation.map(
    ({ mine, text }) =>
      html`<p class="${mine ? 'mine' : 'theirs'}">${mine ? 'You: ' : ''}${text}</p>`,
  )
  const form = html`<form method="post">
    <label>You say, or press keys <input name="text" autofocus autocomplete="off" /></label>
    <button>Say it</button> <button name="listen" value="1">Listen</button>
    <button name="hangup" value="1">Hang up</button>
  </form>`
  const end = html`<p>The call has ended (${hangup_cause}). <a href="/dev/phone">Call again</a></p>`
  return html`<h1>Call to ${to}</h1>
    ${said} ${state === 'ended' ? end : form}`
}
