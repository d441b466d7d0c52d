/** Phone numbers: search, order, release and monthly charges. */
import { defineArea } from '../../contract/area.ts'
import { monthlyCharges, openOrders, registrations } from './jobs.ts'
import * as operations from './operations.ts'

export const numbers = defineArea({
  name: 'numbers',
  operations: [operations],
  reconcilers: [openOrders, registrations, monthlyCharges],
})
