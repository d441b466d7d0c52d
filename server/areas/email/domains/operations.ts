/** The operations of sending domains. */
import { operation } from '../../../contract/operation.ts'
import { PageQuery } from '../../../contract/schema/pages.ts'
import { DomainId, DomainInput, SendingDomain, SendingDomainPage } from './domain-schema.ts'
import * as domains from './domains.ts'

const reading = { scope: 'sites:read', reach: 'project', effect: 'read', status: 200 } as const
const writing = { scope: 'sites:write', reach: 'project', effect: 'write' } as const

export const listDomains = operation({
  ...reading,
  name: 'sending_domains.list',
  route: 'GET /sending-domains',
  about: 'The domains from which the project sends email, newest first.',
  keywords: 'mail domains, from addresses, senders',
  query: PageQuery,
  reply: SendingDomainPage,
  errors: ['invalid_parameter'],
  run: ({ query }, caller) => domains.listDomains(caller, query),
})

export const addDomain = operation({
  ...writing,
  name: 'sending_domains.create',
  route: 'POST /sending-domains',
  about: 'Adds a domain for sending email. The reply has the DNS records that it needs.',
  keywords: 'SPF, DKIM, DMARC, from address, own domain, set up mail sender, DNS',
  body: DomainInput,
  status: 201,
  reply: SendingDomain,
  errors: ['mail_not_enabled', 'dedicated_ip_not_available', 'validation_failed', 'conflict'],
  run: ({ body }, caller) => domains.addDomain(caller, body),
})

export const getDomain = operation({
  ...reading,
  name: 'sending_domains.get',
  route: 'GET /sending-domains/{id}',
  about: 'One sending domain with its DNS records and the result of the last check of each.',
  keywords: 'DNS records, SPF, DKIM, DMARC, verified, what to enter at the registrar',
  params: DomainId,
  reply: SendingDomain,
  errors: ['not_found'],
  run: ({ params }, caller) => domains.findDomain(caller, params.id),
})

export const verifyDomain = operation({
  ...writing,
  name: 'sending_domains.verify',
  route: 'POST /sending-domains/{id}/verify',
  about: 'Checks the DNS records of a sending domain now.',
  keywords: 'check DNS, recheck SPF and DKIM, validate domain',
  waits_for_others: true,
  params: DomainId,
  status: 200,
  reply: SendingDomain,
  errors: ['not_found'],
  run: ({ params }, caller) => domains.verifyDomain(caller, params.id),
})

export const rotateKey = operation({
  ...writing,
  name: 'sending_domains.rotate_dkim',
  route: 'POST /sending-domains/{id}/rotate-dkim',
  about:
    'Creates the next key that signs emails. Its record appears in the domain, and it signs as soon as a ' +
    'check finds the record.',
  keywords: 'new DKIM key, signing key, replace, rotate',
  params: DomainId,
  status: 200,
  reply: SendingDomain,
  errors: ['not_found'],
  run: ({ params }, caller) => domains.rotateKey(caller, params.id),
})

export const removeDomain = operation({
  ...writing,
  name: 'sending_domains.delete',
  route: 'DELETE /sending-domains/{id}',
  about: 'Deletes a sending domain and its keys. Emails can no longer be sent from it.',
  keywords: 'remove mail domain, stop sending from',
  consent: {
    about: 'Deletes a domain for sending email. Emails can no longer be sent from it.',
    subject: ({ params }, caller) => domains.nameOfDomain(caller, params.id),
  },
  params: DomainId,
  status: 204,
  errors: ['not_found', 'conflict'],
  run: ({ params }, caller) => domains.removeDomain(caller, params.id),
})
