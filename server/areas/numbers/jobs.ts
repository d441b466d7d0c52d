/** The reconcilers of numbers: unanswered orders, pending registrations and monthly charges. */
import { reconciler } from '../../kernel/jobs/jobs.ts'
import { chargeDueMonths } from './orders/months.ts'
import { updateRegistrations, returnLateNumbers, settleOpenOrders } from './orders/reconcile.ts'

/** Asks the carrier about unanswered orders, and returns stray numbers to it. */
export const settleOrders = reconciler({
  name: 'numbers.open_orders',
  every_s: 60,
  async run(runtime) {
    await settleOpenOrders(runtime)
    await returnLateNumbers(runtime)
  },
})

/** Activates a number once the carrier has confirmed its registration. */
export const checkRegistrations = reconciler({
  name: 'numbers.registrations',
  every_s: 60,
  run: updateRegistrations,
})

/** Charges the months that have begun: on the first of each, or after a restart. */
export const chargeMonthly = reconciler({
  name: 'numbers.monthly_charges',
  every_s: 3600,
  run: chargeDueMonths,
})
