/**
 * Text messages of the simulated Telnyx. The last three digits of the recipient choose what happens
 * (server/areas/messages/README.md). Nothing is stored: callbacks are sent, as Telnyx signs them.
 */
import { sign } from 'node:crypto'
import { Type, type Static } from 'typebox'
import { schemaChecks } from '../../../../kernel/values/typebox.ts'
import type { Outbound } from '../../../../kernel/outbound/outbound.ts'
import type { Runtime } from '../../../../kernel/runtime.ts'
import { newId } from '../../../../kernel/values/ids.ts'
import { simulatedPrivateKey } from '../../../../providers/carrier/messages/simulated-key.ts'
import { openProviderOutbound } from '../../../../providers/provider-outbound.ts'
import type { SimulatedReply } from '../simulator.ts'

const SLOW_MS = 10_000
const CALLBACK_MS_MAX = 10_000

const MessageRequest = Type.Object({
  from: Type.String({ minLength: 1 }),
  to: Type.String({ pattern: String.raw`^\+[1-9][0-9]{6,14}$` }),
  text: Type.String({ minLength: 1 }),
  encoding: Type.Optional(Type.Enum(['auto', 'gsm7', 'ucs2'])),
  messaging_profile_id: Type.Optional(Type.String()),
  webhook_url: Type.String({ minLength: 1 }),
  use_profile_webhooks: Type.Optional(Type.Boolean()),
})
type MessageRequest = Static<typeof MessageRequest>

const InboundRequest = Type.Object({ from: Type.String(), to: Type.String(), text: Type.String() })

interface Report {
  event: 'message.sent' | 'message.finalized'
  status: string
  code?: string
}

interface Behaviour {
  answer: 'accepted' | 'silence' | 'error' | 'refused' | 'busy'
  reports: readonly Report[]
  after_ms?: number
}

const sent: Report = { event: 'message.sent', status: 'sent' }
const delivered: Report = { event: 'message.finalized', status: 'delivered' }
const failed = (code: string, status = 'delivery_failed'): Report => {
  return { event: 'message.finalized', status, code }
}
const ends = (...reports: Report[]): Behaviour => ({ answer: 'accepted', reports })

const behaviours: Readonly<Record<string, Behaviour>> = {
  '001': ends(sent, failed('40008')),
  '002': ends(sent, failed('40001')),
  '003': ends(sent, failed('40002')),
  '004': ends(sent, { event: 'message.finalized', status: 'delivery_unconfirmed' }),
  '005': { answer: 'error', reports: [] },
  '006': { answer: 'accepted', reports: [delivered], after_ms: SLOW_MS },
  '007': { answer: 'refused', reports: [] },
  '008': ends(sent, failed('40005', 'expired')),
  '009': ends(failed('40012', 'sending_failed')),
  '010': { answer: 'busy', reports: [] },
  '011': { answer: 'silence', reports: [sent, delivered] },
  '012': ends(delivered, delivered, sent, failed('40008'), sent),
}

export async function sendSimulated(runtime: Runtime, body: unknown): Promise<SimulatedReply> {
  if (!schemaChecks().Check(MessageRequest, body))
    return refuse(400, '10015', 'The message is incomplete.')
  const { answer, reports, after_ms = 0 } = behaviours[body.to.slice(-3)] ?? ends(sent, delivered)
  if (answer === 'error') return refuse(500, '10007', 'Unexpected error.')
  if (answer === 'refused') return refuse(422, '40305', 'The from address is not usable.')
  if (answer === 'busy') return refuse(429, '10011', 'Too many requests.')
  const id = newId(runtime.clock)
  setTimeout(() => void sendReports(runtime, { id, body, reports }), after_ms).unref()
  if (answer === 'silence') return 'silence'
  return { status: 200, json: { data: payloadOf(id, body, { status: 'queued' }) } }
}

/** Plays a person who sends a message to a number. */
export async function receiveSimulated(runtime: Runtime, body: unknown): Promise<SimulatedReply> {
  if (!schemaChecks().Check(InboundRequest, body))
    return refuse(400, '10015', 'The message is incomplete.')
  const { from, to, text } = body
  const payload = {
    record_type: 'message',
    direction: 'inbound',
    id: newId(runtime.clock),
    type: 'SMS',
    from: { phone_number: from },
    to: [{ phone_number: to, status: 'webhook_delivered' }],
    text,
    errors: [],
  }
  const url = `${runtime.config.public_url}/hooks/telnyx`
  await sendCallback(runtime, url, { event_type: 'message.received', payload })
  return { status: 200, json: { data: payload } }
}

function refuse(status: number, code: string, detail: string): SimulatedReply {
  return { status, json: { errors: [{ code, title: detail, detail }] } }
}

interface Reported {
  id: string
  body: MessageRequest
  reports: readonly Report[]
}

/** Callbacks follow the reply, in their order. One that fails is not repeated. */
async function sendReports(runtime: Runtime, { id, body, reports }: Reported): Promise<void> {
  for (const { event, ...outcome } of reports) {
    const payload = payloadOf(id, body, outcome)
    await sendCallback(runtime, body.webhook_url, { event_type: event, payload })
  }
}

function payloadOf(
  id: string,
  { from, to, text, encoding = 'auto', webhook_url }: MessageRequest,
  { status, code }: { status: string; code?: string },
) {
  return {
    record_type: 'message',
    direction: 'outbound',
    id,
    type: 'SMS',
    from: { phone_number: from, carrier: 'Simulated', line_type: 'Wireless' },
    to: [{ phone_number: to, status, carrier: 'Simulated', line_type: 'Wireless' }],
    text,
    encoding,
    webhook_url,
    tags: [],
    errors: code === undefined ? [] : [{ code, title: 'Not delivered' }],
  }
}

/** Sends a signed callback. One that fails is not repeated. */
export async function sendCallback(
  runtime: Runtime,
  url: string,
  { event_type, payload }: { event_type: string; payload: object },
): Promise<void> {
  const now = runtime.clock.now()
  const event = { record_type: 'event', id: newId(runtime.clock), event_type, occurred_at: now }
  const body = JSON.stringify({ data: { ...event, payload }, meta: { attempt: 1 } })
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const signed = sign(
    null,
    Buffer.from(`${timestamp}|${body}`),
    simulatedPrivateKey(runtime.config),
  )
  try {
    await outboundOf(runtime).request({
      url,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'telnyx-signature-ed25519': signed.toString('base64'),
        'telnyx-timestamp': timestamp,
      },
      body,
      deadline_ms: CALLBACK_MS_MAX,
    })
  } catch (error) {
    runtime.log.warn({ err: error }, 'the simulated carrier could not deliver a callback')
  }
}

const outbounds = new WeakMap<Runtime['metrics'], Outbound>()

function outboundOf({ config, metrics }: Runtime): Outbound {
  const known = outbounds.get(metrics) ?? openProviderOutbound(config, true)
  outbounds.set(metrics, known)
  return known
}
