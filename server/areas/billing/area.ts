/** Billing: the prepaid balance, holds, top-ups and automatic reloads. */
import { defineArea } from '../../contract/area.ts'
import { pick } from '../../contract/state-section.ts'
import { openCheckouts } from './checkout/checkout.ts'
import * as events from './events.ts'
import { autoReload, dueReloads, expiredHolds, fetchSavedCard } from './jobs.ts'
import * as operations from './operations.ts'
import * as peopleOperations from './people/people-operations.ts'
import { latePayment } from './reload/late-payment.ts'

export const billing = defineArea({
  name: 'billing',
  operations: [operations],
  peopleOperations: [peopleOperations],
  events: [events],
  jobs: [autoReload, latePayment, fetchSavedCard],
  reconcilers: [dueReloads, expiredHolds, openCheckouts],
  state: [
    {
      name: 'balance',
      about: 'balance',
      operation: 'balance.get',
      show: (reply) => pick(reply, ['balance_eur', 'spent_this_month_eur', 'spend_cap_eur']),
    },
  ],
})
