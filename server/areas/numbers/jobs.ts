/** The standing work of numbers: orders without an answer, registrations under way, months due. */
import { reconciler } from '../../kernel/jobs/jobs.ts'
import { chargeDueMonths } from './months.ts'
import { followRegistrations, returnStrays, settleOpenOrders } from './reconcile.ts'

/** Asks the carrier what became of orders that it did not answer, and gives strays back to it. */
export const openOrders = reconciler({
  name: 'numbers.open_orders',
  every_s: 60,
  async run(runtime) {
    await settleOpenOrders(runtime)
    await returnStrays(runtime)
  },
})

/** Makes a number active once the carrier has confirmed it. */
export const registrations = reconciler({
  name: 'numbers.registrations',
  every_s: 60,
  run: followRegistrations,
})

/** Charges the months that have begun: on the first of each, or when the process is back. */
export const monthlyCharges = reconciler({
  name: 'numbers.monthly_charges',
  every_s: 3600,
  run: chargeDueMonths,
})
