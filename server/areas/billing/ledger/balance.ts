/** Reads the balance for GET /balance, and computes billing months. */
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import type { Reader } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { paymentsOf } from '../../../providers/payments/payments.ts'
import { toMonth as monthIn } from './ledger.ts'
import { presentBalance } from '../present.ts'
import type { Balance } from '../schema.ts'
import * as store from '../store.ts'

/** Returns the first day of the calendar month that contains a moment, in the billing time zone. */
export function findBillingMonth(runtime: Runtime, moment: Date): string {
  return monthIn(moment, runtime.config.billing_timezone)
}

export async function readBalance(
  db: Reader,
  runtime: Runtime,
  { project_id, test }: { project_id: string; test: boolean },
): Promise<Balance> {
  const month = findBillingMonth(runtime, runtime.clock.now())
  const found = await store.findBalance(db, {
    project_id,
    month,
    limit: limits.balance_transactions_max,
  })
  if (!found) throw new Problem('not_found', 'The project whose balance this is no longer exists.')
  return presentBalance({ ...found, can_take: paymentsOf(runtime) !== null, test })
}
