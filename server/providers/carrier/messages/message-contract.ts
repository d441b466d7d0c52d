/** Text messages at a carrier: sending, and its callbacks about sent and received messages. */

export interface OutgoingMessage {
  /** E.164, or a name of letters. */
  from: string
  /** E.164. */
  to: string
  text: string
  encoding: 'gsm7' | 'ucs2'
  /** Gets the callbacks about this message. */
  callback_url: string
}

/** Reasons why a message was not delivered, in our words. */
export type DeliveryFault =
  | 'unreachable'
  | 'unknown_number'
  | 'landline'
  | 'blocked_by_carrier'
  | 'expired'
  | 'unknown'

export type DeliveryState =
  | { status: 'sent' | 'delivered' }
  | { status: 'failed'; reason: DeliveryFault }

export interface MessageReport {
  kind: 'report'
  carrier_id: string
  to: string
  state: DeliveryState
}

export interface ReceivedMessage {
  kind: 'received'
  carrier_id: string
  from: string
  to: string
  text: string
}

export type MessageCallback = MessageReport | ReceivedMessage

export interface CallbackRequest {
  /** The URL under which the carrier knows us, with the query of the request. */
  url: string
  /** Names are lower-case. */
  headers: Readonly<Record<string, string | string[] | undefined>>
  body: Buffer
}

/** `unsigned`: the signature is missing, wrong or old. `irrelevant`: it is signed, but about no message. */
export type RefusedCallback = 'unsigned' | 'irrelevant'

export interface CarrierMessages {
  /**
   * Sends a message. Returns its id at the carrier. Throws a CarrierError, whose fault `unknown`
   * means that it may have been sent.
   */
  send(message: OutgoingMessage): Promise<string>
  readCallback(request: CallbackRequest): MessageCallback | RefusedCallback
}
