/** Billing: the prepaid balance, holds, top-ups and automatic reloads. */
import { defineArea } from '../../contract/area.ts'
import { openCheckouts } from './checkout/checkout.ts'
import * as events from './events.ts'
import { autoReload, dueReloads, expiredHolds, readCard } from './jobs.ts'
import * as operations from './operations.ts'
import * as peopleOperations from './people-operations.ts'
import { latePayment } from './reload/late-payment.ts'

export const billing = defineArea({
  name: 'billing',
  operations: [operations],
  peopleOperations: [peopleOperations],
  events: [events],
  jobs: [autoReload, latePayment, readCard],
  reconcilers: [dueReloads, expiredHolds, openCheckouts],
})
