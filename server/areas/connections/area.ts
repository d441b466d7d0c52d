/** Connections: the OAuth grants of assistants and agents. */
import { defineArea } from '../../contract/area.ts'
import { sealedRecords } from './credentials.ts'
import { deleteExpiredConnections } from './jobs.ts'
import * as peopleOperations from './people-operations.ts'

export const connections = defineArea({
  name: 'connections',
  peopleOperations: [peopleOperations],
  sealed: [sealedRecords],
  reconcilers: [deleteExpiredConnections],
})
