/** The request log of a project. */
import { defineArea } from '../../contract/area.ts'
import { pickFields, type JsonRecord } from '../../contract/manifest/state-section.ts'
import { purgeRequests } from './jobs.ts'
import * as operations from './operations.ts'
import { retentions } from './retention-store.ts'

export const requests = defineArea({
  name: 'requests',
  operations: [operations],
  reconcilers: [purgeRequests],
  retentions,
  state: [
    {
      name: 'latest_errors',
      about: 'latest errors',
      operation: 'requests.list',
      given: { status: 'error', limit: 100 },
      show: (reply) => latest(reply),
    },
  ],
})

const SHOWN_MAX = 5

function latest({ data }: JsonRecord): JsonRecord[] {
  const shown = ['created_at', 'operation', 'status', 'error', 'request_id']
  return (Array.isArray(data) ? data : [])
    .filter((one) => !isOfferedStream(Object(one)))
    .slice(0, SHOWN_MAX)
    .map((one) => pickFields(Object(one), shown))
}

/** Every client of the official SDK tries whether it can listen, and goes on without. */
function isOfferedStream({ entry_point, status }: JsonRecord): boolean {
  return entry_point === 'mcp' && status === 405
}
