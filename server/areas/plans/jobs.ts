/** The reconcilers of plans. */
import { reconciler } from '../../kernel/jobs/jobs.ts'
import { processDueSubscriptions } from './months.ts'
import { settlePending } from './take-payment.ts'

/** Changes plans at the beginning of a month, charges the month, and repeats failed charges. */
export const chargePlans = reconciler({
  name: 'plans.due',
  every_s: 300,
  run: processDueSubscriptions,
})

/** Finds the outcome of card payments for which it is unknown. */
export const settlePayments = reconciler({
  name: 'plans.open_payments',
  every_s: 60,
  run: settlePending,
})
