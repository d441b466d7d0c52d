/** Webhooks: endpoints, deliveries and the log of attempts. */
import { defineArea } from '../../contract/area.ts'
import * as events from './events.ts'
import { forgetSecrets, tellOwner } from './jobs.ts'
import { purgeHistory } from './log/purge.ts'
import * as operations from './operations.ts'

export const webhooks = defineArea({
  name: 'webhooks',
  operations: [operations],
  events: [events],
  jobs: [tellOwner],
  reconcilers: [purgeHistory, forgetSecrets],
})
