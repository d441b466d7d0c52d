/** Text messages (SMS): sending, delivery status, received messages and opt-outs. */
import { defineArea } from '../../contract/area.ts'
import * as events from './events.ts'
import { endLostMessages, sendMessage } from './jobs.ts'
import * as operations from './operations.ts'
import * as peopleOperations from './people/people-operations.ts'
import { personalRecords } from './person-store.ts'
import { retentions } from './retention-store.ts'

export const messages = defineArea({
  name: 'messages',
  operations: [operations],
  peopleOperations: [peopleOperations],
  events: [events],
  jobs: [sendMessage],
  reconcilers: [endLostMessages],
  retentions,
  personalRecords: [personalRecords],
  exported: [{ table: 'messages', emptied: ['hold_id'] }, { table: 'message_opt_outs' }],
  guides: [
    {
      page: 'messages',
      group: 'Phone',
      title: 'Text messages',
      card: { title: 'Text messages', text: 'Send SMS, follow their delivery, receive replies.' },
    },
  ],
})
