/** People: accounts, sessions, second factors and teams. */
import { defineArea } from '../../contract/area.ts'
import { deleteExpiredSignIns, sendSignInCode, sendInvitation, sendAccountNotice } from './jobs.ts'
import * as own from './people-operations.ts'
import * as team from './team/people-operations-team.ts'

export const people = defineArea({
  name: 'people',
  peopleOperations: [own, team],
  jobs: [sendSignInCode, sendInvitation, sendAccountNotice],
  reconcilers: [deleteExpiredSignIns],
})
