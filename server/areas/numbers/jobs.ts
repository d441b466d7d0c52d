/** The reconcilers of numbers: unanswered orders, pending registrations and monthly charges. */
import { reconciler } from '../../kernel/jobs/jobs.ts'
import { chargeDueMonths } from './orders/months.ts'
import { followRegistrations, returnLateNumbers, settleOpenOrders } from './orders/reconcile.ts'

/** Queries the carrier about unanswered orders, and returns stray numbers to it. */
export const openOrders = reconciler({
  name: 'numbers.open_orders',
  every_s: 60,
  async run(runtime) {
    await settleOpenOrders(runtime)
    await returnLateNumbers(runtime)
  },
})

/** Activates a number once the carrier has confirmed its registration. */
export const registrations = reconciler({
  name: 'numbers.registrations',
  every_s: 60,
  run: followRegistrations,
})

/** Charges the months that have begun: on the first of each, or after a restart. */
export const monthlyCharges = reconciler({
  name: 'numbers.monthly_charges',
  every_s: 3600,
  run: chargeDueMonths,
})
