/** The free model requests of a day in test mode, for other areas that use the language model. */
import { limits } from '../../../contract/limits.ts'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import * as billing from '../../billing/service.ts'
import * as store from './store.ts'

const replies_max = limits.test_replies_free_per_day

/** Counts a free request. Returns its day, or null, counting nothing, if none is left today. */
export async function takeFreeReply(
  tx: Transaction,
  runtime: Runtime,
  project_id: string,
): Promise<string | null> {
  const day = today(runtime)
  return (await store.countReply(tx, { project_id, day, replies_max })) ? day : null
}

/** Takes back a free request that failed. */
export function returnFreeReply(
  tx: Transaction,
  counted: { project_id: string; day: string },
): Promise<void> {
  return store.uncountReply(tx, counted)
}

export async function hasFreeReply(
  db: Reader,
  runtime: Runtime,
  project_id: string,
): Promise<boolean> {
  return (await store.countUsed(db, { project_id, day: today(runtime) })) < replies_max
}

function today({ clock, config }: Runtime): string {
  return billing.toDay(clock.now(), config.billing_timezone)
}
