/** Text messages at Telnyx, API v2, and its callbacks, which it signs with Ed25519. */
import { createPublicKey, verify } from 'node:crypto'
import { Type, type Static } from 'typebox'
import { schemaChecks } from '../../../kernel/values/typebox.ts'
import {
  askCarrier,
  optionalOrNull,
  readReply,
  refusalError,
  type CarrierApi,
} from '../carrier-request.ts'
import type {
  CallbackRequest,
  CarrierMessages,
  DeliveryFault,
  DeliveryState,
  MessageCallback,
  OutgoingMessage,
  RefusedCallback,
} from './message-contract.ts'

/** Older callbacks are refused, so that a recorded one cannot be sent again later. */
const TOLERANCE_S = 300
/** The start of an Ed25519 public key in DER (RFC 8410); the 32 bytes of the key follow. */
const SPKI_START = '302a300506032b6570032100'

const SentReply = Type.Object({ data: Type.Object({ id: Type.String({ minLength: 1 }) }) })

const Callback = Type.Object({
  data: Type.Object({
    event_type: Type.String(),
    payload: Type.Object({
      id: Type.String({ minLength: 1, maxLength: 100 }),
      to: Type.Array(
        Type.Object({ phone_number: Type.String(), status: optionalOrNull(Type.String()) }),
        { minItems: 1 },
      ),
      from: optionalOrNull(Type.Object({ phone_number: optionalOrNull(Type.String()) })),
      text: optionalOrNull(Type.String()),
      errors: optionalOrNull(
        Type.Array(Type.Object({ code: Type.Union([Type.String(), Type.Number()]) })),
      ),
    }),
  }),
})
type Payload = Static<typeof Callback>['data']['payload']

/** `public_key` is the base64 text of the key; empty refuses every callback. */
export function telnyxMessages(api: CarrierApi, public_key: () => string): CarrierMessages {
  return {
    send: (message) => sendMessage(api, message),
    readCallback(request) {
      const now_s = api.runtime.clock.now_ms() / 1000
      return isSignedByTelnyx(request, public_key(), now_s) ? readEvent(request.body) : 'unsigned'
    },
  }
}

/** A name as sender has its own route, which needs a messaging profile. */
async function sendMessage(api: CarrierApi, message: OutgoingMessage): Promise<string> {
  const { from, to, text, encoding, callback_url } = message
  const { messaging } = api.runtime.config.carrier
  const is_number = from.startsWith('+')
  const reply = await askCarrier(api, {
    method: 'POST',
    path: is_number ? '/messages' : '/messages/alphanumeric_sender_id',
    body: {
      from,
      to,
      text,
      ...(messaging !== '' && { messaging_profile_id: messaging }),
      ...(is_number && { encoding }),
      webhook_url: callback_url,
      use_profile_webhooks: false,
    },
  })
  if (reply.status >= 400) throw refusalError(api, reply)
  return readReply(api, SentReply, reply).data.id
}

export function isSignedByTelnyx(
  { headers, body }: CallbackRequest,
  public_key: string,
  now_s: number,
): boolean {
  const signature = headers['telnyx-signature-ed25519']
  const timestamp = headers['telnyx-timestamp']
  if (typeof signature !== 'string' || typeof timestamp !== 'string') return false
  if (!/^\d{1,12}$/.test(timestamp)) return false
  if (Math.abs(now_s - Number(timestamp)) > TOLERANCE_S) return false
  const key = readPublicKey(public_key)
  const signed = Buffer.concat([Buffer.from(`${timestamp}|`), body])
  return key !== null && verify(null, signed, key, Buffer.from(signature, 'base64'))
}

function readPublicKey(text: string) {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length !== 32) return null
  const der = Buffer.concat([Buffer.from(SPKI_START, 'hex'), bytes])
  return createPublicKey({ key: der, format: 'der', type: 'spki' })
}

function readEvent(body: Buffer): MessageCallback | RefusedCallback {
  const event = parseJson(body)
  if (!schemaChecks().Check(Callback, event)) return 'irrelevant'
  const { event_type, payload } = event.data
  const [recipient] = payload.to
  if (recipient === undefined) return 'irrelevant'
  const { id: carrier_id } = payload
  const to = recipient.phone_number
  if (event_type === 'message.received') {
    const from = payload.from?.phone_number
    if (!from) return 'irrelevant'
    return { kind: 'received', carrier_id, from, to, text: payload.text ?? '' }
  }
  if (event_type !== 'message.sent' && event_type !== 'message.finalized') return 'irrelevant'
  const state = readState(recipient.status ?? '', payload)
  return state === null ? 'irrelevant' : { kind: 'report', carrier_id, to, state }
}

export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return null
  }
}

function readState(status: string, { errors }: Payload): DeliveryState | null {
  switch (status) {
    case 'sending':
    case 'sent':
    // Many networks confirm nothing.
    case 'delivery_unconfirmed':
      return { status: 'sent' }
    case 'delivered':
      return { status: 'delivered' }
    case 'expired':
      return { status: 'failed', reason: 'expired' }
    case 'sending_failed':
    case 'delivery_failed':
      return { status: 'failed', reason: faultsByCode[String(errors?.[0]?.code)] ?? 'unknown' }
    default:
      return null
  }
}

const faultsByCode: Readonly<Record<string, DeliveryFault>> = {
  '40001': 'landline',
  '40002': 'blocked_by_carrier',
  '40003': 'blocked_by_carrier',
  '40004': 'blocked_by_carrier',
  '40005': 'expired',
  '40006': 'unreachable',
  '40008': 'unreachable',
  '40012': 'unknown_number',
  '40300': 'blocked_by_carrier',
  '40310': 'unknown_number',
}
