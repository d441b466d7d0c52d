/** Alerts to the operators of the installation. */
import { defineArea } from '../../contract/area.ts'
import { evaluate } from './jobs.ts'
import * as operatorOperations from './people-operations.ts'
import { sendAlertMail, sendAlertWebhook } from './send/jobs.ts'

export const alerts = defineArea({
  name: 'alerts',
  operatorOperations: [operatorOperations],
  jobs: [sendAlertMail, sendAlertWebhook],
  reconcilers: [evaluate],
})
