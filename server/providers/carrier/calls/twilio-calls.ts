/**
 * Calls at Twilio. A callback that asks what to do gets TwiML, and the URL of each callback says what
 * it is about. Callbacks are forms, signed over the URL and every parameter.
 */
import { Type } from 'typebox'
import { escapeHtml } from '../../../kernel/values/escape-html.ts'
import { askCarrier, readReply, refusalError, type CarrierApi } from '../carrier-request.ts'
import type { CallbackRequest, RefusedCallback } from '../messages/message-contract.ts'
import { readSignedForm, type TwilioMessagesAccount } from '../messages/twilio-messages.ts'
import type {
  CallAddresses,
  CallCallback,
  CallEventAtCarrier,
  CallReference,
  CarrierCalls,
  Instruction,
  LegResult,
  OutgoingCall,
} from './call-contract.ts'
import { toFullTag } from './language-tag.ts'

const StartedReply = Type.Object({ sid: Type.String({ minLength: 1 }) })

export function twilioCalls(api: CarrierApi, account: TwilioMessagesAccount): CarrierCalls {
  return {
    dial: (call) => dial(api, account, call),
    readCallback: (request, readReference) => readCallback(request, account, readReference),
    reply: twiml,
    async instruct(carrier_id, instruction, addresses) {
      const path = account.pathIn(`Calls/${encodeURIComponent(carrier_id)}.json`)
      const body =
        instruction.do === 'hang_up'
          ? new URLSearchParams({ Status: 'completed' })
          : new URLSearchParams({ Twiml: twiml(instruction, addresses) })
      const reply = await askCarrier(api, { method: 'POST', path, body })
      if (reply.status >= 400 && reply.status !== 404) throw refusalError(api, reply)
      return []
    },
  }
}

async function dial(
  api: CarrierApi,
  { pathIn }: TwilioMessagesAccount,
  { from, to, ring_seconds, seconds_max, callback_url }: OutgoingCall,
): Promise<string> {
  const body = new URLSearchParams({
    From: from,
    To: to,
    Url: about(callback_url, 'answer'),
    StatusCallback: about(callback_url, 'status'),
    Timeout: String(ring_seconds),
    TimeLimit: String(seconds_max),
    MachineDetection: 'Enable',
  })
  body.append('StatusCallbackEvent', 'ringing')
  body.append('StatusCallbackEvent', 'completed')
  const reply = await askCarrier(api, { method: 'POST', path: pathIn('Calls.json'), body })
  if (reply.status >= 400) throw refusalError(api, reply)
  return readReply(api, StartedReply, reply).sid
}

function about(url: string, what: string, step?: number): string {
  const extended = new URL(url)
  extended.searchParams.set('about', what)
  if (step !== undefined) extended.searchParams.set('step', String(step))
  return extended.href
}

function twiml(instruction: Instruction, addresses: CallAddresses): string {
  return `<?xml version="1.0" encoding="UTF-8"?><Response>${verbs(instruction, addresses)}</Response>`
}

function verbs(instruction: Instruction, { callback_url, relay_url }: CallAddresses): string {
  switch (instruction.do) {
    case 'wait':
      return ''
    case 'hang_up':
      if (instruction.signal === 'normal') return '<Hangup/>'
      return `<Reject reason="${instruction.signal === 'busy' ? 'busy' : 'rejected'}"/>`
    case 'converse': {
      const [language = 'en-US', ...others] = instruction.languages.map(toFullTag)
      const action = escapeHtml(about(callback_url, 'relay'))
      const more = others.map((code) => `<Language code="${escapeHtml(code)}"/>`).join('')
      return (
        `<Connect action="${action}"><ConversationRelay url="${escapeHtml(relay_url)}" ` +
        `language="${escapeHtml(language)}" dtmfDetection="true" events="tokens-played">` +
        `${more}</ConversationRelay></Connect>`
      )
    }
    case 'ring': {
      const { targets, seconds, step } = instruction
      const action = escapeHtml(about(callback_url, 'dial', step))
      const answered = escapeHtml(about(callback_url, 'leg', step))
      const numbers = targets.map(
        (target) =>
          `<Number statusCallback="${answered}" statusCallbackEvent="answered">` +
          `${escapeHtml(target)}</Number>`,
      )
      return (
        `<Dial action="${action}" timeout="${seconds}" answerOnBridge="true">` +
        `${numbers.join('')}</Dial>`
      )
    }
  }
}

function readCallback(
  request: CallbackRequest,
  { auth_token }: TwilioMessagesAccount,
  readReference: (text: string) => CallReference | null,
): CallCallback | RefusedCallback {
  const form = readSignedForm(request, auth_token)
  if (form === null) return 'unsigned'
  const { searchParams: query } = new URL(request.url)
  const what = query.get('about') ?? (form.get('CallStatus') === 'ringing' ? 'incoming' : 'status')
  const event = readEvent(what, Number(query.get('step')), form)
  const carrier_id = form.get(what === 'leg' ? 'ParentCallSid' : 'CallSid') ?? ''
  if (event === null || carrier_id === '') return 'irrelevant'
  return { carrier_id, about: readReference(query.get('call') ?? ''), event }
}

function readEvent(what: string, step: number, form: URLSearchParams): CallEventAtCarrier | null {
  const status = form.get('CallStatus') ?? ''
  switch (what) {
    case 'incoming':
      return { kind: 'incoming', from: readNumber(form.get('From')), to: form.get('To') ?? '' }
    case 'answer':
      return { kind: 'answered', machine: /^(?:machine|fax)/.test(form.get('AnsweredBy') ?? '') }
    case 'relay':
      return readEnd(status) ?? { kind: 'relay_ended' }
    case 'leg':
      return { kind: 'leg_answered', step, leg_id: null, target: readNumber(form.get('To')) }
    case 'dial':
      return readEnd(status) ?? legEnd(step, form)
    default:
      return status === 'ringing' ? { kind: 'ringing' } : readEnd(status)
  }
}

function legEnd(step: number, form: URLSearchParams): CallEventAtCarrier {
  const result = resultOf(form.get('DialCallStatus') ?? '') ?? 'connected'
  const seconds = Number(form.get('DialCallDuration')) || 0
  return { kind: 'leg_ended', step, leg_id: null, result, seconds }
}

function readEnd(status: string): CallEventAtCarrier | null {
  if (status === 'completed') return { kind: 'ended', reason: 'hung_up' }
  if (status === 'canceled') return { kind: 'ended', reason: 'canceled' }
  const result = resultOf(status)
  return result === null ? null : { kind: 'ended', reason: result }
}

/** A withheld number is no number. */
function readNumber(from: string | null): string | null {
  return from !== null && /^\+[1-9]\d{6,14}$/.test(from) ? from : null
}

/** Null for a status that is not a failure. */
function resultOf(status: string): LegResult | null {
  switch (status) {
    case 'busy':
      return 'busy'
    case 'no-answer':
    case 'canceled':
      return 'no_answer'
    case 'failed':
      return 'failed'
    default:
      return null
  }
}
