/**
 * The interface of a carrier: search, order, look up and release numbers. Errors are classified by
 * whether an order may have been placed.
 */
import type { CarrierCalls } from './calls/call-contract.ts'
import type { CarrierMessages } from './messages/message-contract.ts'

/** The only country whose numbers are sold: its ISO 3166 code and its calling code. */
export const soldCountry = { iso: 'NL', calling_code: '31' } as const

export type CarrierNumberType = 'national' | 'geographic'

export interface CarrierSearch {
  type: CarrierNumberType
  /** Area code as dialled nationally, such as 020; undefined for any national prefix. */
  area?: string | undefined
  count: number
}

export interface CarrierOffer {
  e164: string
  /** Usable immediately after the order. */
  from_stock: boolean
}

/** `active`: the number is in the account. `failed`: it never will be, and nothing is charged. */
export type CarrierOrderState = 'active' | 'pending' | 'failed'

export interface CarrierOrder {
  carrier_id: string
  e164: string
  state: CarrierOrderState
}

/**
 * `number_taken`: another account has the number. `refused`: the carrier refuses the request.
 * `unavailable`: the request was not started, so a retry is safe. `unknown`: the order may have
 * been placed; check with `find`.
 */
export type CarrierFault = 'number_taken' | 'refused' | 'unavailable' | 'unknown'

/** The message is one sentence for the log, without secrets. */
export class CarrierError extends Error {
  override readonly name = 'CarrierError'
  readonly fault: CarrierFault
  constructor(fault: CarrierFault, message: string, cause?: unknown) {
    super(message, { cause })
    this.fault = fault
  }
}

/** A verification code for the owner of a phone number. */
export interface CodeMessage {
  to: string
  /** Six digits. */
  code: string
  channel: 'sms' | 'call'
  language: 'en' | 'nl'
}

export interface Carrier {
  /** Available numbers, those in stock first. */
  search(search: CarrierSearch): Promise<CarrierOffer[]>
  /** `reference` is unique for each order, at most 64 characters. */
  order(order: { e164: string; reference: string }): Promise<CarrierOrder>
  /**
   * Finds an order by its reference; null if there is none. If the reference belongs to another
   * number, returns that one.
   */
  find(order: { e164: string; reference: string }): Promise<CarrierOrder | null>
  /** Releases a number. Releasing a missing one succeeds. */
  release(order: { carrier_id: string; e164: string }): Promise<void>
  /** Sends a text message, or calls and speaks the code. Null if no sender is configured. */
  sendCode: ((message: CodeMessage) => Promise<void>) | null
  messages: CarrierMessages
  calls: CarrierCalls
}
