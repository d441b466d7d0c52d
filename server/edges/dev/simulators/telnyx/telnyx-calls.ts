/**
 * Calls of the simulated Telnyx: call control over HTTP, signed callbacks, and the conversation relay
 * as the client of a WebSocket. `POST /inbound_calls` plays a caller, who follows `turns` or waits for
 * `POST /inbound_calls/{id}/turns`. The last three digits of a number choose what the person there
 * does: 001 does not answer, 002 is busy, 003 cannot be reached, 004 is an answering machine. Running
 * calls are in memory: they end with the process, as calls do.
 */
import { Type, type Static } from 'typebox'
import { schemaChecks } from '../../../../kernel/values/typebox.ts'
import type { Runtime } from '../../../../kernel/runtime.ts'
import { newId } from '../../../../kernel/values/ids.ts'
import type { SimulatedReply, SimulatedRequest, SimulatedRoute } from '../simulator.ts'
import { sendCallback } from './telnyx-messages.ts'

/** The caller speaks when the other side has been silent for so long. */
const THINK_MS = 60

const Turn = Type.Union([
  Type.Object({ say: Type.String() }),
  Type.Object({ digits: Type.String({ pattern: '^[0-9*#]{1,32}$' }) }),
  Type.Object({ interrupt: Type.String(), heard: Type.String() }),
  Type.Object({ hangup: Type.Literal(true) }),
])
type Turn = Static<typeof Turn>

const Number = Type.String({ pattern: String.raw`^\+[1-9][0-9]{6,14}$` })
const Inbound = Type.Object({
  from: Type.String(),
  to: Number,
  turns: Type.Optional(Type.Array(Turn)),
})
const Turns = Type.Object({ turns: Type.Array(Turn) })
const Dial = Type.Object({
  from: Type.String(),
  to: Number,
  client_state: Type.Optional(Type.String()),
  webhook_url: Type.Optional(Type.String()),
  link_to: Type.Optional(Type.String()),
  command_id: Type.Optional(Type.String()),
})
const RelayStart = Type.Object({ url: Type.String({ pattern: '^wss?://' }) })
const Heard = Type.Object({ type: Type.Literal('text'), token: Type.String() })
const Played = Type.Object({ type: Type.Literal('play'), source: Type.String() })

export interface SimulatedCall {
  id: string
  direction: 'incoming' | 'outgoing'
  from: string
  to: string
  webhook_url: string
  client_state: string | null
  turns: Turn[]
  heard: string[]
  /** Both sides, in order. */
  conversation: { mine: boolean; text: string }[]
  state: 'ringing' | 'answered' | 'ended'
  hangup_cause: string | null
  relay: WebSocket | null
  /** Legs that ring for this call, or the call for which this leg rings. */
  legs: SimulatedCall[]
  link_to: SimulatedCall | null
  thinking: ReturnType<typeof setTimeout> | undefined
  /** Ids of commands, of which each is done once. */
  commands: Set<string>
  /** The id of the command that dialed it, which is done once; null for none. */
  dialed_by: string | null
}

const callsOf = new WeakMap<Runtime['metrics'], Map<string, SimulatedCall>>()

function all({ metrics }: Runtime): Map<string, SimulatedCall> {
  const known = callsOf.get(metrics) ?? new Map<string, SimulatedCall>()
  callsOf.set(metrics, known)
  return known
}

export const callRoutes: readonly SimulatedRoute[] = [
  { method: 'POST', path: /^\/inbound_calls$/, answer: receive },
  { method: 'GET', path: /^\/inbound_calls\/([^/]+)$/, answer: show },
  { method: 'POST', path: /^\/inbound_calls\/([^/]+)\/turns$/, answer: addTurns },
  { method: 'POST', path: /^\/v2\/calls$/, answer: dial },
  { method: 'POST', path: /^\/v2\/calls\/([^/]+)\/actions\/([a-z_]+)$/, answer: act },
]

const incomplete = refuse(400, '10015', 'The request is incomplete.')
const unknown = refuse(404, '10005', 'The requested resource could not be found.')

function refuse(status: number, code: string, detail: string): SimulatedReply {
  return { status, json: { errors: [{ code, title: detail, detail }] } }
}

function readJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return null
  }
}

type NewCall = Pick<SimulatedCall, 'direction' | 'from' | 'to' | 'webhook_url'> &
  Partial<SimulatedCall>

function addCall(runtime: Runtime, parts: NewCall): SimulatedCall {
  const call: SimulatedCall = {
    id: `v3:${newId(runtime.clock)}`,
    client_state: null,
    turns: [],
    heard: [],
    conversation: [],
    state: 'ringing',
    hangup_cause: null,
    relay: null,
    legs: [],
    link_to: null,
    thinking: undefined,
    commands: new Set(),
    dialed_by: null,
    ...parts,
  }
  all(runtime).set(call.id, call)
  return call
}

async function receive(runtime: Runtime, { body }: SimulatedRequest): Promise<SimulatedReply> {
  const json = readJson(body)
  if (!schemaChecks().Check(Inbound, json)) return incomplete
  const call = await callNumber(runtime, { turns: [], ...json })
  return { status: 201, json: { data: present(call) } }
}

/** Plays a person who calls a number. */
export async function callNumber(
  runtime: Runtime,
  { from, to, turns }: { from: string; to: string; turns: Turn[] },
): Promise<SimulatedCall> {
  const webhook_url = `${runtime.config.public_url}/hooks/telnyx/calls`
  const call = addCall(runtime, { direction: 'incoming', from, to, webhook_url, turns })
  await report(runtime, call, { event_type: 'call.initiated' })
  return call
}

export function findSimulatedCall(runtime: Runtime, id: string): SimulatedCall | undefined {
  return all(runtime).get(id)
}

/** The person speaks, presses keys or hangs up, as soon as the other side is silent. */
export function takeTurns(runtime: Runtime, call: SimulatedCall, turns: readonly Turn[]): void {
  call.turns.push(...turns)
  think(runtime, call)
}

async function show(runtime: Runtime, _: SimulatedRequest, id = ''): Promise<SimulatedReply> {
  const call = all(runtime).get(decodeURIComponent(id))
  return call ? { status: 200, json: { data: present(call) } } : unknown
}

function present({ id, state, heard, hangup_cause }: SimulatedCall) {
  return { call_control_id: id, state, heard, hangup_cause }
}

async function addTurns(
  runtime: Runtime,
  { body }: SimulatedRequest,
  id = '',
): Promise<SimulatedReply> {
  const call = all(runtime).get(decodeURIComponent(id))
  const json = readJson(body)
  if (!call) return unknown
  if (!schemaChecks().Check(Turns, json)) return incomplete
  takeTurns(runtime, call, json.turns)
  return { status: 200, json: { data: present(call) } }
}

async function dial(runtime: Runtime, { body }: SimulatedRequest): Promise<SimulatedReply> {
  const json = readJson(body)
  if (!schemaChecks().Check(Dial, json)) return incomplete
  const { command_id } = json
  const isSame = ({ dialed_by }: SimulatedCall) => dialed_by !== null && dialed_by === command_id
  const known = all(runtime).values().find(isSame)
  if (known) return { status: 200, json: { data: { call_control_id: known.id } } }
  const link_to = json.link_to === undefined ? null : (all(runtime).get(json.link_to) ?? null)
  if (json.link_to !== undefined && link_to === null) return unknown
  const call = addCall(runtime, {
    direction: 'outgoing',
    from: json.from,
    to: json.to,
    client_state: json.client_state ?? null,
    webhook_url: json.webhook_url ?? `${runtime.config.public_url}/hooks/telnyx/calls`,
    link_to,
    dialed_by: command_id ?? null,
    turns: link_to ? [] : [{ say: 'Hello?' }, { say: 'Thank you, goodbye.' }],
  })
  link_to?.legs.push(call)
  setTimeout(() => void ring(runtime, call), THINK_MS)
  return { status: 200, json: { data: { call_control_id: call.id } } }
}

const causes: Readonly<Record<string, string>> = {
  '001': 'timeout',
  '002': 'user_busy',
  '003': 'not_found',
}

/** What the person who is called does. */
async function ring(runtime: Runtime, call: SimulatedCall): Promise<void> {
  await report(runtime, call, { event_type: 'call.initiated' })
  const ending = call.to.slice(-3)
  const cause = causes[ending]
  if (cause !== undefined) return end(runtime, call, cause)
  if (call.state !== 'ringing') return
  call.state = 'answered'
  if (call.link_to) call.link_to.relay?.close()
  await report(runtime, call, { event_type: 'call.answered' })
  if (ending === '004') {
    const event_type = 'call.machine.detection.ended'
    await report(runtime, call, { event_type, result: 'machine' })
  }
  if (call.link_to) await talk(runtime, call, call.link_to)
}

/** A caller whose next turn is to hang up does so; otherwise the other person hangs up. */
async function talk(runtime: Runtime, leg: SimulatedCall, call: SimulatedCall): Promise<void> {
  const [next] = call.turns
  if (next && 'hangup' in next) return end(runtime, call, 'normal_clearing')
  return end(runtime, leg, 'normal_clearing')
}

// oxlint-disable-next-line max-params -- the parts of the path follow the request
async function act(
  runtime: Runtime,
  { body }: SimulatedRequest,
  id = '',
  action = '',
): Promise<SimulatedReply> {
  const call = all(runtime).get(decodeURIComponent(id))
  if (!call) return unknown
  if (call.state === 'ended') return refuse(422, '90018', 'Call has already ended')
  const json = readJson(body)
  if (isRepeated(call, json)) return done
  if (action.startsWith('conversation_relay_')) return relay(runtime, call, { action, json })
  if (action === 'answer') {
    call.state = 'answered'
    call.client_state = readState(json) ?? call.client_state
    setTimeout(() => void report(runtime, call, { event_type: 'call.answered' }), 0)
    return done
  }
  if (action !== 'reject' && action !== 'hangup') return unknown
  const cause = action === 'reject' ? 'call_rejected' : 'normal_clearing'
  setTimeout(() => void end(runtime, call, cause), 0)
  return done
}

const Command = Type.Object({ command_id: Type.String() })

function isRepeated({ commands }: SimulatedCall, json: unknown): boolean {
  if (!schemaChecks().Check(Command, json)) return false
  if (commands.has(json.command_id)) return true
  commands.add(json.command_id)
  return false
}

const done: SimulatedReply = { status: 200, json: { data: { result: 'ok' } } }

function relay(
  runtime: Runtime,
  call: SimulatedCall,
  { action, json }: { action: string; json: unknown },
): SimulatedReply {
  if (action === 'conversation_relay_stop') {
    if (!call.relay) return refuse(422, '90060', 'There is no conversation relay')
    call.relay.close()
    return done
  }
  if (action !== 'conversation_relay_start') return unknown
  if (!schemaChecks().Check(RelayStart, json)) return incomplete
  if (call.state !== 'answered') return refuse(422, '90034', 'The call is not answered')
  connect(runtime, call, json.url)
  return done
}

const State = Type.Object({ client_state: Type.String() })

function readState(json: unknown): string | null {
  return schemaChecks().Check(State, json) ? json.client_state : null
}

function connect(runtime: Runtime, call: SimulatedCall, url: string): void {
  const relay = new WebSocket(url)
  call.relay = relay
  relay.addEventListener('open', () => {
    const { from, to, direction } = call
    relay.send(JSON.stringify({ type: 'setup', sessionId: call.id, from, to, direction }))
  })
  relay.addEventListener('message', ({ data }) => {
    const message = readJson(String(data))
    const text = schemaChecks().Check(Heard, message)
      ? message.token
      : schemaChecks().Check(Played, message) && message.source
    if (text === false) return
    call.heard.push(text)
    call.conversation.push({ mine: false, text })
    think(runtime, call)
  })
  relay.addEventListener('close', () => {
    if (call.relay === relay) call.relay = null
  })
  relay.addEventListener('error', () => relay.close())
}

function think(runtime: Runtime, call: SimulatedCall): void {
  clearTimeout(call.thinking)
  call.thinking = setTimeout(() => void takeTurn(runtime, call), THINK_MS)
}

async function takeTurn(runtime: Runtime, call: SimulatedCall): Promise<void> {
  const { relay } = call
  const is_hanging_up = call.turns[0] && 'hangup' in call.turns[0]
  if (is_hanging_up) return end(runtime, call, 'normal_clearing')
  if (!relay || relay.readyState !== WebSocket.OPEN) return
  const turn = call.turns.shift()
  if (!turn || 'hangup' in turn) return
  const send = (message: object) => relay.send(JSON.stringify(message))
  if ('digits' in turn) {
    call.conversation.push({ mine: true, text: turn.digits })
    for (const digit of turn.digits) send({ type: 'dtmf', digit })
    return
  }
  if ('interrupt' in turn) {
    call.conversation.push({ mine: true, text: turn.interrupt })
    send({ type: 'interrupt', utteranceUntilInterrupt: turn.heard, durationUntilInterruptMs: 400 })
    return send({ type: 'prompt', voicePrompt: turn.interrupt, lang: 'en-US', last: true })
  }
  call.conversation.push({ mine: true, text: turn.say })
  send({ type: 'prompt', voicePrompt: turn.say, lang: 'en-US', last: true })
}

async function end(runtime: Runtime, call: SimulatedCall, hangup_cause: string): Promise<void> {
  if (call.state === 'ended') return
  call.state = 'ended'
  call.hangup_cause = hangup_cause
  call.relay?.close()
  await report(runtime, call, { event_type: 'call.hangup', hangup_cause })
  for (const leg of call.legs) await end(runtime, leg, 'originator_cancel')
}

async function report(
  runtime: Runtime,
  call: SimulatedCall,
  { event_type, ...more }: { event_type: string; hangup_cause?: string; result?: string },
): Promise<void> {
  const { id, client_state, direction, from, to, webhook_url } = call
  const payload = { call_control_id: id, client_state, direction, from, to, ...more }
  await sendCallback(runtime, webhook_url, { event_type, payload })
}
