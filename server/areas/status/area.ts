/** The public status of the service, and the incidents and maintenance that operators publish. */
import { defineArea } from '../../contract/area.ts'
import { recordMaintenance } from './incidents/windows.ts'
import * as operations from './operations.ts'
import * as operatorOperations from './people-operations.ts'
import * as notices from './people-operations-notices.ts'
import { forgetProbes, probeComponents } from './probes/probe.ts'
import { forgetUnconfirmed, sendConfirmation } from './subscribers/subscribers.ts'
import { mailUpdate, sendUpdate } from './subscribers/update-mails.ts'

export const status = defineArea({
  name: 'status',
  operations: [operations],
  peopleOperations: [notices],
  operatorOperations: [operatorOperations],
  tools: { 'status.get': 'get_status' },
  jobs: [mailUpdate, sendConfirmation, sendUpdate],
  guides: [
    {
      page: 'status-page',
      group: 'Basics',
      title: 'Status page',
      card: {
        title: 'Status page',
        text: 'Incidents and maintenance.',
      },
    },
  ],
  reconcilers: [probeComponents, recordMaintenance, forgetProbes, forgetUnconfirmed],
})
