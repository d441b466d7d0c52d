/**
 * Calls at Telnyx, API v2 (call control). Telnyx reads no instructions from the reply to a callback:
 * each is a request. A target that rings is a call of its own, linked to the first.
 */
import { createHash } from 'node:crypto'
import { Type, type Static } from 'typebox'
import { schemaChecks } from '../../../kernel/values/typebox.ts'
import { CarrierError } from '../carrier-contract.ts'
import {
  askCarrier,
  optionalOrNull,
  readReply,
  refusalError,
  type CarrierApi,
} from '../carrier-request.ts'
import type { CallbackRequest, RefusedCallback } from '../messages/message-contract.ts'
import { isSignedByTelnyx, parseJson } from '../messages/telnyx-messages.ts'
import type {
  CallAddresses,
  CallCallback,
  CallEventAtCarrier,
  CallReference,
  CarrierCalls,
  Instruction,
  LegResult,
  OutgoingCall,
  RingingLeg,
} from './call-contract.ts'
import { toFullTag } from './language-tag.ts'

const DialReply = Type.Object({
  data: Type.Object({ call_control_id: Type.String({ minLength: 1 }) }),
})

const Callback = Type.Object({
  data: Type.Object({
    event_type: Type.String(),
    payload: Type.Object({
      call_control_id: Type.String({ minLength: 1, maxLength: 200 }),
      client_state: optionalOrNull(Type.String({ maxLength: 1_000 })),
      direction: optionalOrNull(Type.String()),
      from: optionalOrNull(Type.String()),
      to: optionalOrNull(Type.String()),
      hangup_cause: optionalOrNull(Type.String()),
      result: optionalOrNull(Type.String()),
    }),
  }),
})
type Event = Static<typeof Callback>['data']

/** The error of a command to a call that has ended. */
const ENDED_CODE = '90018'

export function telnyxCalls(api: CarrierApi, public_key: () => string): CarrierCalls {
  return {
    dial: (call) => dial(api, call),
    readCallback(request, readReference) {
      const now_s = api.runtime.clock.now_ms() / 1000
      if (!isSignedByTelnyx(request, public_key(), now_s)) return 'unsigned'
      return readEvent(request, readReference)
    },
    reply: null,
    instruct: (carrier_id, instruction, addresses) =>
      instruct(api, { carrier_id, instruction, addresses }),
  }
}

/** `client_state` comes back with every callback about the call. */
const clientState = (text: string) => Buffer.from(text).toString('base64')

/** Telnyx ignores a command whose id the call had before, so that repeating one is harmless. */
function commandId(...parts: readonly string[]): string {
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 32)
}

async function dial(api: CarrierApi, call: OutgoingCall): Promise<string> {
  return startCall(api, {
    from: call.from,
    to: call.to,
    timeout_secs: call.ring_seconds,
    time_limit_secs: call.seconds_max,
    answering_machine_detection: 'detect',
    client_state: clientState(call.reference),
    command_id: commandId(call.reference, 'dial'),
    webhook_url: call.callback_url,
  })
}

async function startCall(api: CarrierApi, body: Record<string, unknown>): Promise<string> {
  const connection_id = api.runtime.config.carrier.account
  const reply = await askCarrier(api, {
    method: 'POST',
    path: '/calls',
    body: { connection_id, ...body },
  })
  if (reply.status >= 400) throw refusalError(api, reply)
  return readReply(api, DialReply, reply).data.call_control_id
}

interface Told {
  carrier_id: string
  instruction: Instruction
  addresses: CallAddresses
}

async function instruct(api: CarrierApi, told: Told): Promise<RingingLeg[]> {
  const { carrier_id, instruction, addresses } = told
  switch (instruction.do) {
    case 'wait':
      return []
    case 'hang_up': {
      const { signal } = instruction
      const cause = signal === 'busy' ? 'USER_BUSY' : 'CALL_REJECTED'
      if (signal === 'normal') await act(api, carrier_id, { do: 'hangup' })
      else await act(api, carrier_id, { do: 'reject', cause })
      return []
    }
    case 'converse': {
      const [language = 'en-US', ...others] = instruction.languages.map(toFullTag)
      if (!instruction.answered) {
        const client_state = clientState(addresses.reference)
        await act(api, carrier_id, { do: 'answer', client_state })
        return []
      }
      await act(api, carrier_id, {
        do: 'conversation_relay_start',
        turn: instruction.turn,
        url: addresses.relay_url,
        dtmf_detection: true,
        interruptible: 'any',
        language,
        languages: [language, ...others].map((tag) => ({ language: tag })),
        client_state: clientState(addresses.reference),
      })
      return []
    }
    case 'ring':
      await act(api, carrier_id, {
        do: 'conversation_relay_stop',
        turn: String(instruction.step),
      }).catch(ignoreRefusal)
      return ring(api, told, instruction)
  }
}

/** There may be no relay to stop. */
function ignoreRefusal(error: unknown): void {
  if (error instanceof CarrierError && error.fault === 'refused') return
  throw error
}

async function ring(
  api: CarrierApi,
  { carrier_id, addresses }: Told,
  { targets, seconds, step, from }: Extract<Instruction, { do: 'ring' }>,
) {
  const legs: RingingLeg[] = []
  for (const target of targets) {
    const started = startCall(api, {
      from,
      to: target,
      timeout_secs: seconds,
      link_to: carrier_id,
      bridge_intent: true,
      bridge_on_answer: true,
      client_state: clientState(`${addresses.reference} leg ${step}`),
      command_id: commandId(carrier_id, 'leg', String(step), target),
      webhook_url: addresses.callback_url,
    })
    legs.push(await started.then((leg_id) => ({ leg_id, target }), refusedLeg(target)))
  }
  if (legs.every(({ is_failed }) => is_failed)) {
    throw new CarrierError('refused', 'Telnyx rings none of the targets.')
  }
  return legs
}

/** A target that the carrier refuses counts as one that cannot be reached. */
const refusedLeg = (target: string) => (error: unknown) => {
  if (!(error instanceof CarrierError) || error.fault !== 'refused') throw error
  return { leg_id: `refused ${target}`, target, is_failed: true } as const
}

/** Acting on a call that has ended succeeds: its callback says so. */
async function act(
  api: CarrierApi,
  carrier_id: string,
  { do: action, turn = '', ...rest }: { do: string; turn?: string } & Record<string, unknown>,
): Promise<void> {
  const path = `/calls/${encodeURIComponent(carrier_id)}/actions/${action}`
  const body = { ...rest, command_id: commandId(carrier_id, action, turn) }
  const reply = await askCarrier(api, { method: 'POST', path, body })
  if (reply.status < 400 || api.reasonIn(reply.json)?.code === ENDED_CODE) return
  throw refusalError(api, reply)
}

function readEvent(
  { body }: CallbackRequest,
  readReference: (text: string) => CallReference | null,
): CallCallback | RefusedCallback {
  const json = parseJson(body)
  if (!schemaChecks().Check(Callback, json)) return 'irrelevant'
  const { payload } = json.data
  const state = Buffer.from(payload.client_state ?? '', 'base64').toString()
  const [reference = '', mark, step] = state.split(' ')
  const about = readReference(reference)
  const event = mark === 'leg' ? legEvent(json.data, Number(step)) : callEvent(json.data)
  // A new call that we started is known already, and one that comes in is about none.
  if (event === null || (mark === 'leg' && about === null)) return 'irrelevant'
  return { carrier_id: payload.call_control_id, about, event }
}

function legEvent({ event_type, payload }: Event, step: number): CallEventAtCarrier | null {
  const leg_id = payload.call_control_id
  if (event_type === 'call.answered')
    return { kind: 'leg_answered', step, leg_id, target: payload.to ?? null }
  if (event_type !== 'call.hangup') return null
  return { kind: 'leg_ended', step, leg_id, result: resultOf(payload.hangup_cause) ?? 'connected' }
}

function callEvent({ event_type, payload }: Event): CallEventAtCarrier | null {
  switch (event_type) {
    case 'call.initiated':
      if (payload.direction !== 'incoming') return { kind: 'ringing' }
      return { kind: 'incoming', from: readNumber(payload.from), to: payload.to ?? '' }
    case 'call.answered':
      return { kind: 'answered', machine: false }
    case 'call.machine.detection.ended':
      // Whoever cannot be told apart counts as a person.
      return payload.result === 'machine' ? { kind: 'answered', machine: true } : null
    case 'call.hangup': {
      if (payload.hangup_cause === 'originator_cancel') return { kind: 'ended', reason: 'canceled' }
      return { kind: 'ended', reason: resultOf(payload.hangup_cause) ?? 'hung_up' }
    }
    default:
      return null
  }
}

/** A withheld number is no number. */
function readNumber(from: string | null | undefined): string | null {
  return from && /^\+[1-9]\d{6,14}$/.test(from) ? from : null
}

/** Null for a call that was answered and ended in the normal way. */
function resultOf(cause: string | null | undefined): LegResult | null {
  switch (cause) {
    case 'normal_clearing':
    case 'time_limit':
      return null
    case 'user_busy':
      return 'busy'
    case 'no_answer':
    case 'timeout':
    case 'originator_cancel':
      return 'no_answer'
    default:
      return 'failed'
  }
}
