/** Billing: the prepaid balance, holds, top-ups and automatic reloads. */
import { defineArea } from '../../contract/area.ts'
import { pickFields } from '../../contract/manifest/state-section.ts'
import { checkOpenCheckouts } from './checkout.ts'
import * as events from './events.ts'
import { autoReload, resumeDueReloads, releaseHoldsWhenExpired, fetchSavedCard } from './jobs.ts'
import * as operations from './operations.ts'
import * as peopleOperations from './people-operations.ts'
import { findLatePayment } from './reload/late-payment.ts'

export const billing = defineArea({
  name: 'billing',
  operations: [operations],
  peopleOperations: [peopleOperations],
  events: [events],
  jobs: [autoReload, findLatePayment, fetchSavedCard],
  reconcilers: [resumeDueReloads, releaseHoldsWhenExpired, checkOpenCheckouts],
  state: [
    {
      name: 'balance',
      about: 'balance',
      operation: 'balance.get',
      show: (reply) => pickFields(reply, ['balance_eur', 'spent_this_month_eur', 'spend_cap_eur']),
    },
  ],
  exported: [{ table: 'ledger_entries', for_reading: true }],
})
