/**
 * Live numbers that can be ordered right now: what the carrier has, without what is sold, being
 * ordered or shown to somebody else. A search keeps what it shows for its project for ten minutes.
 */
import type { Caller } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import {
  CarrierError,
  type Carrier,
  type CarrierOffer,
  type CarrierSearch,
} from '../../providers/carrier/carrier.ts'
import * as orders from './order-store.ts'
import type { NumberType } from './schema.ts'

export const AVAILABLE_SHOWN = 10
/** More than are shown, because some may be taken here, and as many more as others are shown. */
const ASKED_OF_CARRIER = 50
const ASKED_OF_CARRIER_MAX = 1000
const RESERVED_MS = 600_000
/** Reserved for one project at a time, over all its searches. */
const RESERVED_MAX = 50
const RETRY_AFTER_S = 60

interface Wanted {
  type: NumberType
  area: string | undefined
}

/** Numbers that this project could order now, those in stock first. */
export async function listOffers(
  { db, house, project }: Caller,
  carrier: Carrier,
  wanted: Wanted,
): Promise<CarrierOffer[]> {
  const elsewhere = await orders.countReserved(db, wanted.type, house.clock.now())
  const count = Math.min(ASKED_OF_CARRIER + elsewhere, ASKED_OF_CARRIER_MAX)
  const offers = await askCarrier(carrier, { ...wanted, count })
  if (offers.length === 0) return []
  const taken = await orders.listTaken(db, {
    project_id: project.id,
    e164s: offers.map(({ e164 }) => e164),
    now: house.clock.now(),
  })
  const free = offers.filter(({ e164 }) => !taken.has(e164))
  return free.toSorted((one, other) => Number(other.from_stock) - Number(one.from_stock))
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

/** The first of them, kept for this project. What another search was faster with is passed over. */
export async function showOffers(
  caller: Caller,
  carrier: Carrier,
  wanted: Wanted,
): Promise<CarrierOffer[]> {
  const { house, project } = caller
  const offers = await listOffers(caller, carrier, wanted)
  const shown: CarrierOffer[] = []
  for (let at = 0; at < offers.length && shown.length < AVAILABLE_SHOWN;) {
    const next = offers.slice(at, at + AVAILABLE_SHOWN - shown.length)
    const now = house.clock.now()
    const rows = next.map(({ e164, from_stock }) => ({
      e164,
      project_id: project.id,
      type: wanted.type,
      from_stock,
      expires_at: new Date(now.getTime() + RESERVED_MS),
    }))
    const kept = await caller.db.transact((tx) =>
      orders.reserve(tx, rows, { now, project_id: project.id, own_max: RESERVED_MAX }),
    )
    shown.push(...next.filter(({ e164 }) => kept.has(e164)))
    at += next.length
  }
  return shown
}
