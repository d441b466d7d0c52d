/** Calls: conduct, transcripts, summaries and messages left by callers. */
import { defineArea } from '../../contract/area.ts'
import * as events from './events.ts'
import { summariseCall } from './jobs.ts'
import { endOverdueCalls } from './live/overdue.ts'
import { mailMessages, sendMessages } from './messages/message-jobs.ts'
import { dialCall } from './outbound/dial.ts'
import * as peopleOperations from './outbound/people-operations.ts'
import { personalRecords } from './person-store.ts'
import { retentions } from './retention-store.ts'
import * as operations from './operations.ts'

export const calls = defineArea({
  name: 'calls',
  operations: [operations],
  peopleOperations: [peopleOperations],
  events: [events],
  jobs: [dialCall, mailMessages, sendMessages, summariseCall],
  reconcilers: [endOverdueCalls],
  retentions,
  personalRecords: [personalRecords],
  exported: [
    { table: 'calls', ids_of: { number_id: 'numbers' }, emptied: ['carrier_id'] },
    { table: 'call_messages' },
    { table: 'call_consents' },
  ],
  guides: [
    {
      page: 'calls',
      group: 'Phone',
      title: 'Calls',
      card: { title: 'Calls', text: 'Phone numbers, test calls and transcripts.' },
    },
  ],
})
