/** Returns live numbers to the carrier before their project is removed. */
import type { Runtime } from '../../../kernel/runtime.ts'
import { carrierOf } from '../../../providers/carrier/carrier.ts'
import * as store from '../store.ts'
import { findAtCarrier } from './settle.ts'

/** Idempotent. Throws if the carrier refuses or does not reply, so that the job retries. */
export async function returnNumbers(runtime: Runtime, project_id: string): Promise<void> {
  const live = (await store.list(runtime.db, project_id)).filter(({ test }) => !test)
  if (live.length === 0) return
  const carrier = carrierOf(runtime)
  if (!carrier) throw new Error('There is no carrier to which the phone numbers can be returned.')
  for (const number of live) {
    const found = await findAtCarrier(carrier, number)
    if (found === 'unknown') throw new Error(`The carrier does not say who has ${number.e164}.`)
    if (found) await carrier.release(found)
  }
}
