/**
 * What a carrier does for the rest of the server: it is searched for numbers, sells them, tells what
 * became of an order and takes numbers back. What can go wrong is sorted by one question: may
 * something have been ordered all the same?
 */

/** The one country whose numbers are sold: its ISO 3166 code and its calling code. */
export const country = { iso: 'NL', calling_code: '31' } as const

export type NumberType = 'national' | 'geographic'

export interface CarrierSearch {
  type: NumberType
  /** As it is dialled within the country, such as 020; left out for any national prefix. */
  area?: string | undefined
  count: number
}

export interface CarrierOffer {
  e164: string
  /** It works as soon as it is ordered. */
  from_stock: boolean
}

/** `active`: the number is in the account. `failed`: it will not be, and nothing is owed. */
export type CarrierOrderState = 'active' | 'pending' | 'failed'

export interface CarrierOrder {
  carrier_id: string
  e164: string
  state: CarrierOrderState
}

/**
 * `number_taken`: somebody else has the number. `refused`: the carrier does not do it.
 * `unavailable`: it did not even begin, so trying again later is safe. `unknown`: it may have
 * been done; `find` tells.
 */
export type CarrierFault = 'number_taken' | 'refused' | 'unavailable' | 'unknown'

/** The message is one sentence for a log, and never has a secret in it. */
export class CarrierError extends Error {
  override readonly name = 'CarrierError'
  readonly fault: CarrierFault
  constructor(fault: CarrierFault, message: string, cause?: unknown) {
    super(message, { cause })
    this.fault = fault
  }
}

export interface Carrier {
  /** Numbers that can be ordered, those from stock first. */
  search(search: CarrierSearch): Promise<CarrierOffer[]>
  /** `reference` is ours and new for each order: at most 64 characters. */
  order(order: { e164: string; reference: string }): Promise<CarrierOrder>
  /**
   * What became of an order, by our reference; null when the carrier has none. Should it have
   * another number by that reference, it is that one.
   */
  find(order: { e164: string; reference: string }): Promise<CarrierOrder | null>
  /** Gives a number back. One that is already gone is fine. */
  release(order: { carrier_id: string; e164: string }): Promise<void>
}
