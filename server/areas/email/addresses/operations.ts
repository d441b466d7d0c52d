/** The operations of suppressed addresses, known recipients and the check of an address. */
import { operation } from '../../../contract/operation.ts'
import { PageQuery } from '../../../contract/schema/pages.ts'
import {
  AddressParams,
  AddressVerdict,
  CheckInput,
  KnownRecipient,
  KnownRecipientPage,
  RecipientInput,
  Suppression,
  SuppressionInput,
  SuppressionPage,
} from './address-schema.ts'
import * as addresses from './addresses.ts'
import { checkAddress } from './check-address.ts'

const reading = { scope: 'messages:read', reach: 'project', effect: 'read', status: 200 } as const
const writing = { scope: 'messages:write', reach: 'project', effect: 'write' } as const

export const listSuppressions = operation({
  ...reading,
  name: 'email_suppressions.list',
  route: 'GET /email/suppressions',
  about: 'The addresses that get no email from the project, newest first.',
  keywords: 'unsubscribed, bounced, opt-outs, blocked addresses, blacklist',
  query: PageQuery,
  reply: SuppressionPage,
  errors: ['invalid_parameter'],
  run: ({ query }, caller) => addresses.listSuppressions(caller, query),
})

export const addSuppression = operation({
  ...writing,
  name: 'email_suppressions.create',
  route: 'POST /email/suppressions',
  about: 'Suppresses an address: it gets no email from the project any more.',
  keywords: 'block address, unsubscribe, opt out, do not mail, blacklist',
  body: SuppressionInput,
  status: 201,
  reply: Suppression,
  errors: ['validation_failed', 'conflict'],
  run: ({ body }, caller) => addresses.addSuppression(caller, body),
})

export const removeSuppression = operation({
  ...writing,
  name: 'email_suppressions.delete',
  route: 'DELETE /email/suppressions/{address}',
  about: 'Ends the suppression of an address, so that it can get email again.',
  keywords: 'unblock address, resubscribe, allow again, remove from blacklist',
  consent: { about: 'Lets an address get email again that bounced or wanted none.' },
  params: AddressParams,
  status: 204,
  errors: ['not_found'],
  run: ({ params }, caller) => addresses.removeSuppression(caller, params.address),
})

export const listRecipients = operation({
  ...reading,
  name: 'email_recipients.list',
  route: 'GET /email/recipients',
  about:
    'The addresses that the owner confirmed or is asked to confirm, newest first. People from forms, records ' +
    'and chats are known without it.',
  keywords: 'confirmed contacts, allowed recipients, whom may we mail',
  query: PageQuery,
  reply: KnownRecipientPage,
  errors: ['invalid_parameter'],
  run: ({ query }, caller) => addresses.listRecipients(caller, query),
})

export const requestRecipient = operation({
  ...writing,
  name: 'email_recipients.create',
  route: 'POST /email/recipients',
  about:
    'Asks the owner to confirm that the business knows this person. The owner decides in the portal.',
  keywords: 'add contact, permission to mail, new recipient, approve address',
  body: RecipientInput,
  status: 201,
  reply: KnownRecipient,
  errors: ['validation_failed', 'conflict'],
  run: ({ body }, caller) => addresses.requestRecipient(caller, body),
})

export const check = operation({
  ...reading,
  name: 'email_addresses.check',
  route: 'POST /email/check-address',
  about: 'Checks whether email can arrive at an address. Nothing is sent.',
  keywords: 'valid email, validate address, typo, deliverable, mx',
  body: CheckInput,
  reply: AddressVerdict,
  errors: [],
  run: ({ body }, { runtime }) => checkAddress(runtime, body.address),
})
