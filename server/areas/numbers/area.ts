/** Phone numbers: search, order, release and monthly charges. */
import { defineArea } from '../../contract/area.ts'
import { summarizePage, pickFields } from '../../contract/manifest/state-section.ts'
import { chargeMonthly, settleOrders, checkRegistrations } from './jobs.ts'
import * as operations from './operations.ts'
import * as peopleOperations from './people/people-operations.ts'

export const numbers = defineArea({
  name: 'numbers',
  operations: [operations],
  peopleOperations: [peopleOperations],
  reconcilers: [settleOrders, checkRegistrations, chargeMonthly],
  state: [
    {
      name: 'numbers',
      about: 'phone numbers',
      operation: 'numbers.list',
      show: (reply) =>
        summarizePage(reply, (one) => pickFields(one, ['id', 'e164', 'status', 'test'])),
    },
  ],
  // Calls refer to numbers; the numbers themselves stay with this installation.
  exported: [{ table: 'numbers', filled: { released_at: 'now' } }],
})
