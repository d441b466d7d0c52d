/**
 * Text messages at Twilio, and its callbacks: forms that it signs with the auth token over the URL
 * that it was given and every parameter.
 */
import { createHmac } from 'node:crypto'
import { Type } from 'typebox'
import { sameText } from '../../../kernel/secrets/crypto.ts'
import { askCarrier, readReply, refusalError, type CarrierApi } from '../carrier-request.ts'
import type {
  CallbackRequest,
  CarrierMessages,
  DeliveryFault,
  DeliveryState,
  MessageCallback,
  OutgoingMessage,
  RefusedCallback,
} from './message-contract.ts'

const PARAMETERS_MAX = 200
const SentReply = Type.Object({ sid: Type.String({ minLength: 1 }) })

export interface TwilioMessagesAccount {
  auth_token: string
  pathIn(rest: string): string
}

export function twilioMessages(api: CarrierApi, account: TwilioMessagesAccount): CarrierMessages {
  return {
    send: (message) => sendMessage(api, account, message),
    readCallback: (request) => readCallback(request, account.auth_token),
  }
}

async function sendMessage(
  api: CarrierApi,
  { pathIn }: TwilioMessagesAccount,
  { from, to, text, callback_url }: OutgoingMessage,
): Promise<string> {
  const reply = await askCarrier(api, {
    method: 'POST',
    path: pathIn('Messages.json'),
    body: new URLSearchParams({ To: to, From: from, Body: text, StatusCallback: callback_url }),
  })
  if (reply.status >= 400) throw refusalError(api, reply)
  return readReply(api, SentReply, reply).sid
}

function readCallback(
  { url, headers, body }: CallbackRequest,
  auth_token: string,
): MessageCallback | RefusedCallback {
  const form = readSignedForm({ url, headers, body }, auth_token)
  if (form === null) return 'unsigned'
  const carrier_id = form.get('MessageSid') ?? ''
  const [from, to] = [form.get('From') ?? '', form.get('To') ?? '']
  if (carrier_id === '' || to === '') return 'irrelevant'
  const status = form.get('MessageStatus')
  if (status === null) {
    if (from === '' || form.get('Body') === null) return 'irrelevant'
    return { kind: 'received', carrier_id, from, to, text: form.get('Body') ?? '' }
  }
  const state = readState(status, form.get('ErrorCode'))
  return state === null ? 'irrelevant' : { kind: 'report', carrier_id, to, state }
}

/** The form of a callback; null if it is not signed with the token. */
export function readSignedForm(
  { url, headers, body }: CallbackRequest,
  auth_token: string,
): URLSearchParams | null {
  const form = new URLSearchParams(body.toString())
  const signature = headers['x-twilio-signature']
  if (typeof signature !== 'string' || form.size > PARAMETERS_MAX) return null
  return sameText(signature, signForm(url, form, auth_token)) ? form : null
}

/** The signature of a form: HMAC-SHA1 of the URL and the sorted names with their sorted values. */
function signForm(url: string, form: URLSearchParams, auth_token: string): string {
  const signed = [...new Set(form.keys())]
    .toSorted()
    .map((name) =>
      [...new Set(form.getAll(name))]
        .toSorted()
        .map((value) => name + value)
        .join(''),
    )
    .join('')
  return createHmac('sha1', auth_token)
    .update(url + signed)
    .digest('base64')
}

function readState(status: string, code: string | null): DeliveryState | null {
  switch (status) {
    case 'sending':
    case 'sent':
      return { status: 'sent' }
    case 'delivered':
    case 'read':
      return { status: 'delivered' }
    case 'failed':
    case 'undelivered':
    case 'canceled':
      return { status: 'failed', reason: faultsByCode[code ?? ''] ?? 'unknown' }
    default:
      return null
  }
}

const faultsByCode: Readonly<Record<string, DeliveryFault>> = {
  '21211': 'unknown_number',
  '21610': 'blocked_by_carrier',
  '21614': 'landline',
  '30003': 'unreachable',
  '30004': 'blocked_by_carrier',
  '30005': 'unknown_number',
  '30006': 'landline',
  '30007': 'blocked_by_carrier',
  '30036': 'expired',
}
