/**
 * Charges the rent of live numbers. The first month is charged with the order, every later one once
 * on its first day or as soon as the process runs. A month that the balance or the cap cannot cover
 * stays owed and is charged as soon as possible; the number keeps working.
 */
import { Problem } from '../../../contract/errors.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import * as billing from '../../billing/service.ts'
import * as store from '../store.ts'

const AT_A_TIME = 200

/** Returns the first day of the next month. `month` is the first day of a month. */
export function addMonth(month: string): string {
  return Temporal.PlainDate.from(month).add({ months: 1 }).toString()
}

/** Charges every uncharged month that has begun, for every live number, oldest first. */
export async function chargeDueMonths(runtime: Runtime): Promise<void> {
  const month = billing.findBillingMonth(runtime, runtime.clock.now())
  let after: store.DueNumber | null = null
  for (;;) {
    const due: store.DueNumber[] = await store.listDue(runtime.db, {
      month,
      after,
      limit: AT_A_TIME,
    })
    for (const number of due) await chargeMonths(runtime, number, month)
    after = due.at(-1) ?? null
    if (due.length < AT_A_TIME) return
  }
}

/** Charges month by month, each in its own transaction, until a charge is refused. */
async function chargeMonths(
  runtime: Runtime,
  number: store.DueNumber,
  month: string,
): Promise<void> {
  try {
    while (await chargeMonth(runtime, number, month));
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    runtime.log.info({ number_id: number.id, slug: error.slug }, 'a month of a number stays owed')
  }
}

/** Charges the oldest owed month. Returns false if there is none. */
function chargeMonth(runtime: Runtime, number: store.DueNumber, month: string): Promise<boolean> {
  return runtime.db.transact(async (tx) => {
    const row = await store.lockNumber(tx, number)
    const { next_charge_on = null } = row ?? {}
    if (!row || next_charge_on === null || next_charge_on > month) return false
    await store.setNextCharge(tx, row, addMonth(next_charge_on))
    await billing.charge(tx, runtime, {
      project_id: row.project_id,
      amount_micro: billing.findPrice(runtime, `number.${row.type}`, next_charge_on),
      source: 'number',
      description: `Phone number ${row.e164}, ${next_charge_on.slice(0, 7)}`,
      quantity: 1,
      unit: 'month',
      reference_id: row.id,
      reference: `number:${row.id}:${next_charge_on}`,
      month: next_charge_on,
    })
    return true
  })
}
