/** The operations of operators on alerts. To anyone else they do not exist. */
import { Type } from 'typebox'
import { peopleOperation } from '../../contract/people.ts'
import * as console from './console.ts'
import { OperatedAlerts } from './schema.ts'

const shared = { access: 'operator', status: 200 } as const

export const list = peopleOperation({
  ...shared,
  name: 'alerts.list',
  route: 'GET /operator/alerts',
  about: 'What needs the operator now, the last 30 days, and where alerts are sent.',
  effect: 'read',
  reply: OperatedAlerts,
  errors: [],
  run: (_input, { runtime }) => console.showAlerts(runtime),
})

export const test = peopleOperation({
  ...shared,
  name: 'alerts.test',
  route: 'POST /operator/alerts/test',
  about: 'Sends a test alert to every address and to the webhook.',
  effect: 'write',
  reply: Type.Object({
    sent: Type.Integer({ description: 'Mails and webhook requests.', examples: [2] }),
  }),
  errors: ['conflict'],
  run: (_input, caller) => console.sendTest(caller),
})
