/** The plans of projects: prices, changes and payments. */
import { defineArea } from '../../contract/area.ts'
import { chargePlans, settlePayments } from './jobs.ts'
import { sendPlanMail } from './mail-jobs.ts'
import * as peopleOperations from './people-operations.ts'

export const plans = defineArea({
  name: 'plans',
  peopleOperations: [peopleOperations],
  jobs: [sendPlanMail],
  reconcilers: [chargePlans, settlePayments],
})
