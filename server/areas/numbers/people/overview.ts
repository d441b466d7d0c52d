/** The numbers of a project as people see them: with their costs and the first steps of a call. */
import { limits } from '../../../contract/limits.ts'
import type { MemberCaller } from '../../../contract/people.ts'
import { euroFromMicro } from '../../../kernel/values/money.ts'
import * as billing from '../../billing/service.ts'
import * as callPlans from '../../call-plans/service.ts'
import * as orders from '../orders/order-store.ts'
import { present } from '../present.ts'
import * as store from '../store.ts'
import type { NumberDetails, NumbersOverview } from './people-schema.ts'

export async function showOverview(caller: MemberCaller): Promise<NumbersOverview> {
  const { db, runtime, project } = caller
  const rows = await store.list(db, project.id)
  const open = await orders.listOpenOrders(db, project.id)
  const outlines = await callPlans.outlinePlans(db, project.id)
  const month = billing.findBillingMonth(runtime, runtime.clock.now())
  const detailsOf = (row: store.NumberRow): NumberDetails => {
    const { source, steps } = outlines.of(row.id)
    const { next_charge_on } = row
    return {
      ...present(row),
      price_eur: row.test ? 0 : euroFromMicro(billing.findPrice(runtime, `number.${row.type}`)),
      next_charge_on,
      is_owed: next_charge_on !== null && next_charge_on <= month,
      plan_source: source,
      steps,
    }
  }
  return {
    data: rows.map(detailsOf),
    open_orders: open.map(({ e164, type, created_at }) => ({
      e164,
      type,
      created_at: created_at.toISOString(),
    })),
    test_numbers_max: limits.test_numbers_max,
    live_numbers_max: limits.live_numbers_max,
  }
}
