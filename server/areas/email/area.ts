/** Email from the domains of a project. */
import { defineArea } from '../../contract/area.ts'
import * as addressOperations from './addresses/operations.ts'
import { deliverEmails, resumeDeliveries } from './delivery/deliver.ts'
import { DKIM_PURPOSE } from './domains/dkim-keys.ts'
import * as domainOperations from './domains/operations.ts'
import { recheckDomains } from './domains/recheck.ts'
import * as events from './events.ts'
import * as operations from './operations.ts'
import * as peopleOperations from './people-operations.ts'
import { emailsOfPerson, recipientsOfPerson } from './person-store.ts'
import { retentions } from './retention-store.ts'

export const email = defineArea({
  name: 'email',
  operations: [operations, domainOperations, addressOperations],
  peopleOperations: [peopleOperations],
  events: [events],
  jobs: [deliverEmails],
  reconcilers: [recheckDomains, resumeDeliveries],
  sealed: [
    { table: 'sending_domains', column: 'sealed_dkim_key', purpose: () => DKIM_PURPOSE },
    { table: 'sending_domains', column: 'next_sealed_dkim_key', purpose: () => DKIM_PURPOSE },
  ],
  retentions,
  personalRecords: [emailsOfPerson, recipientsOfPerson],
  exported: [
    { table: 'email_suppressions' },
    {
      table: 'email_known_recipients',
      // The confirmation of another installation would let emails pass the limit of new recipients.
      replaced: { status: 'pending_owner', confirmed_at: null, confirmed_by: null },
    },
    // Imported emails that wait would be sent a second time.
    { table: 'emails', for_reading: true },
    { table: 'email_recipients', for_reading: true },
    { table: 'email_events', for_reading: true },
    { table: 'email_attachments', without: ['content'], for_reading: true },
    {
      table: 'sending_domains',
      without: ['sealed_dkim_key', 'next_sealed_dkim_key'],
      for_reading: true,
    },
  ],
  guides: [
    {
      page: 'email',
      group: 'Email',
      title: 'Email from your own domain',
      card: { title: 'Email', text: 'Sending domains, emails and what becomes of them.' },
    },
  ],
})
