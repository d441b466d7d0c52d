/** The operations on the data about one person. */
import { operation } from '../../../contract/operation.ts'
import { erase, findLoss } from './erase.ts'
import { createLink } from './export.ts'
import { EraseInput, PersonErasure, PersonExport, PersonInput, PersonSearch } from './schema.ts'
import { search as searchPerson } from './search.ts'

export const search = operation({
  name: 'personal_data.search',
  route: 'POST /personal-data/query',
  about:
    'Finds the records about one person by phone number, email address or chat visitor: calls, ' +
    'conversations, unanswered questions, documents and their earlier versions. Needs the scopes ' +
    'to read all of them.',
  keywords: 'GDPR, what do we know about a person, find customer by phone, data subject',
  scope: 'project:read',
  reach: 'project',
  effect: 'read',
  body: PersonInput,
  status: 200,
  reply: PersonSearch,
  errors: ['invalid_json', 'missing_scope', 'rate_limited', 'validation_failed'],
  run: ({ body }, caller) => searchPerson(caller, body),
})

export const exportLink = operation({
  name: 'personal_data.export',
  route: 'POST /personal-data/exports',
  about:
    'Makes a link to a ZIP of JSON files with the records about one person, to answer a request ' +
    'for access to personal data.',
  keywords: 'GDPR, access request, data subject, all about a person, privacy, takeout',
  scope: 'project:write',
  reach: 'project',
  effect: 'write',
  body: PersonInput,
  status: 201,
  reply: PersonExport,
  errors: ['invalid_json', 'missing_scope', 'validation_failed'],
  run: async ({ body }, caller) => createLink(caller, body),
})

export const remove = operation({
  name: 'personal_data.erase',
  route: 'POST /personal-data/erase',
  about:
    'Erases the records about one person permanently, with earlier versions, and reports what was ' +
    'erased and kept. Events about erased records that were not delivered yet are dropped. ' +
    'Repeating it erases what came since.',
  keywords:
    'GDPR, right to be forgotten, delete customer, wipe person, privacy, anonymise, erasure',
  consent: {
    about:
      'Erases the records about one person permanently: calls, text messages, chats and documents.',
    loses: ({ body }, caller) => findLoss(caller, body),
  },
  scope: 'project:write',
  reach: 'project',
  effect: 'write',
  body: EraseInput,
  status: 200,
  reply: PersonErasure,
  errors: ['invalid_json', 'missing_scope', 'rate_limited', 'validation_failed'],
  run: ({ body }, caller) => erase(caller, body),
})
