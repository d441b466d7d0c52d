/** Phone numbers: search, order, release and monthly charges. */
import { defineArea } from '../../contract/area.ts'
import { listed, pick } from '../../contract/state-section.ts'
import { monthlyCharges, openOrders, registrations } from './jobs.ts'
import * as operations from './operations.ts'

export const numbers = defineArea({
  name: 'numbers',
  operations: [operations],
  reconcilers: [openOrders, registrations, monthlyCharges],
  state: [
    {
      name: 'numbers',
      about: 'phone numbers',
      operation: 'numbers.list',
      show: (reply) => listed(reply, (one) => pick(one, ['id', 'e164', 'status', 'test'])),
    },
  ],
})
