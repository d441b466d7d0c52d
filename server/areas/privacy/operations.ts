/** The operations of retention. */
import { operation } from '../../contract/operation.ts'
import { Retention, RetentionInput } from './schema.ts'
import * as privacy from './service.ts'

export const get = operation({
  name: 'retention.get',
  route: 'GET /retention',
  about:
    'Every kind of personal data that is stored for the project, how long it is kept, and which ' +
    'services outside of the installation get personal data.',
  keywords: 'GDPR, how long is data kept, subprocessors, privacy, storage period',
  scope: 'project:read',
  reach: 'project',
  effect: 'read',
  status: 200,
  reply: Retention,
  errors: [],
  run: (_input, caller) => privacy.show(caller),
})

export const put = operation({
  name: 'retention.put',
  route: 'PUT /retention',
  about:
    'Sets how many days records are kept, by kind. null keeps them until somebody deletes them. ' +
    'Kinds that are left out get their default. Older records are deleted within an hour, ' +
    'permanently; events about them that were not delivered yet are dropped.',
  keywords: 'GDPR, delete after days, automatic deletion, keep for, privacy, storage period',
  consent: {
    about: 'Sets how long records are kept. Older records are deleted permanently.',
    loses: ({ body }, caller) => privacy.findLoss(caller, body),
  },
  scope: 'project:write',
  reach: 'project',
  effect: 'write',
  body: RetentionInput,
  status: 200,
  reply: Retention,
  errors: ['invalid_json', 'key_mode_mismatch', 'validation_failed'],
  run: ({ body }, caller) => privacy.replace(caller, body),
})
