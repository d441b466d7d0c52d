/**
 * Searches live numbers that can be ordered now: the carrier's numbers except those sold, being
 * ordered or reserved. A search reserves its results for its project for ten minutes.
 */
import type { Caller } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import { plans } from '../../contract/plans.ts'
import {
  CarrierError,
  type Carrier,
  type CarrierOffer,
  type CarrierSearch,
} from '../../providers/carrier/carrier.ts'
import * as projects from '../projects/service.ts'
import * as orders from './orders/order-store.ts'
import type { NumberType } from './schema.ts'

export const AVAILABLE_SHOWN = 10
/**
 * Numbers to request from the carrier. More than the results, because some may be taken; the
 * current reservations are added.
 */
const ASKED_OF_CARRIER = 50
const ASKED_OF_CARRIER_MAX = 1000
const RESERVED_MS = 600_000
/** Maximum reservations of one project, over all its searches. */
const RESERVED_MAX = 20
const RETRY_AFTER_S = 60

interface Wanted {
  type: NumberType
  area: string | undefined
}

export interface Offer extends CarrierOffer {
  /**
   * Whether the number is reserved for another project, which may order it until the reservation
   * expires.
   */
  shown: boolean
}

/**
 * Lists the available numbers. Numbers that another project reserved come last; within both groups,
 * numbers in the carrier's stock come first.
 */
export async function listOffers(
  { db, runtime, project }: Caller,
  carrier: Carrier,
  wanted: Wanted,
): Promise<Offer[]> {
  const now = runtime.clock.now()
  const prefix = `+31${wanted.area?.replace(/^0/, '') ?? ''}`
  const elsewhere = await orders.countReserved(db, { type: wanted.type, prefix, now })
  const count = Math.min(ASKED_OF_CARRIER + elsewhere, ASKED_OF_CARRIER_MAX)
  const offers = await askCarrier(carrier, { ...wanted, count })
  if (offers.length === 0) return []
  const e164s = offers.map(({ e164 }) => e164)
  const taken = await orders.findTaken(db, { project_id: project.id, e164s, now })
  const free = offers
    .filter(({ e164 }) => taken.get(e164) !== 'sold')
    .map((offer) => ({ ...offer, shown: taken.get(offer.e164) === 'shown' }))
  const rank = ({ shown, from_stock }: Offer) => (shown ? 2 : 0) + (from_stock ? 0 : 1)
  return free.toSorted((one, other) => rank(one) - rank(other))
}

async function askCarrier(carrier: Carrier, search: CarrierSearch): Promise<CarrierOffer[]> {
  try {
    return await carrier.search(search)
  } catch (error) {
    if (!(error instanceof CarrierError)) throw error
    if (error.fault === 'unavailable') {
      const detail = 'The carrier takes no searches at the moment.'
      const extra = { retry_after_s: RETRY_AFTER_S, cause: error }
      throw new Problem('telephony_unavailable', detail, extra)
    }
    const detail = 'The carrier refused the search or did not answer it.'
    throw new Problem('upstream_error', detail, { cause: error })
  }
}

/**
 * Returns the first offers and reserves them for this project. Skips offers that a concurrent
 * search reserved. A project whose plan has no live numbers sees offers without reserving them.
 */
export async function reserveOffers(
  caller: Caller,
  carrier: Carrier,
  wanted: Wanted,
): Promise<CarrierOffer[]> {
  const { runtime, project } = caller
  const offers = (await listOffers(caller, carrier, wanted)).filter((offer) => !offer.shown)
  if (!plans[project.plan].live_numbers) return offers.slice(0, AVAILABLE_SHOWN)
  const shown: CarrierOffer[] = []
  for (let at = 0; at < offers.length && shown.length < AVAILABLE_SHOWN;) {
    const next = offers.slice(at, at + AVAILABLE_SHOWN - shown.length)
    const now = runtime.clock.now()
    const rows = next.map(({ e164, from_stock }) => ({
      e164,
      project_id: project.id,
      type: wanted.type,
      from_stock,
      expires_at: new Date(now.getTime() + RESERVED_MS),
    }))
    const kept = await caller.db.transact(async (tx) => {
      await projects.lock(tx, project.id)
      return orders.reserve(tx, rows, { now, project_id: project.id, own_max: RESERVED_MAX })
    })
    shown.push(...next.filter(({ e164 }) => kept.has(e164)))
    at += next.length
  }
  return shown
}
