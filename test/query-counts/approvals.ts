/** The requests that count the statements of approvals. */
import { propose } from '../fixtures/mcp/approvals.ts'
import { times, type Asked, type Scenario } from './scenario.ts'

/** A scenario on this many proposals, each to delete a collection. */
function onProposals(asked: (id: string) => Asked): Scenario {
  return {
    rows: [1, 12],
    async ready({ runtime: { url }, key, made }, rows) {
      let id = ''
      await times(rows, async (n) => {
        const name = `bookings-${n}`
        await made('POST /collections', { name, schema: { type: 'object' } })
        id = await propose({ url, key }, 'collections.delete', { name, confirm: name })
      })
      return () => asked(id)
    },
  }
}

export const approvals: Record<string, Scenario> = {
  'approvals.list': onProposals(() => ({ route: 'GET /approvals' })),
  'approvals.get': onProposals((id) => ({ route: `GET /approvals/${id}` })),
}
