/** The operations of operators on backups. To anyone else they do not exist. */
import { peopleOperation } from '../../contract/people.ts'
import * as console from './console.ts'
import { OperatedBackups } from './schema.ts'

const shared = {
  access: 'operator',
  status: 200,
  reply: OperatedBackups,
} as const

export const list = peopleOperation({
  ...shared,
  name: 'backups.list',
  route: 'GET /operator/backups',
  about: 'The newest backups, and when the next one begins.',
  effect: 'read',
  errors: [],
  run: (_input, { runtime }) => console.showBackups(runtime),
})

export const create = peopleOperation({
  ...shared,
  name: 'backups.create',
  route: 'POST /operator/backups',
  about: 'Writes a backup soon. Does nothing if one is waiting or running.',
  effect: 'write',
  errors: ['conflict'],
  run: (_input, caller) => console.requestBackup(caller),
})

export const verify = peopleOperation({
  ...shared,
  name: 'backups.verify',
  route: 'POST /operator/backups/verify',
  about: 'Restores the newest backup into a temporary database soon, and drops it.',
  effect: 'write',
  errors: ['conflict'],
  run: (_input, caller) => console.requestTest(caller),
})
