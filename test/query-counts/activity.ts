/** The requests that count the statements of the activity. */
import { times, type Scenario } from './scenario.ts'

export const activity: Record<string, Scenario> = {
  'activity.list': {
    rows: [1, 12],
    async ready({ made }, rows) {
      await times(rows, (n) => made('POST /collections', { name: `list_${n}` }))
      return () => ({ route: 'GET /activity' })
    },
  },
  'activity.get': {
    async ready({ made }) {
      await made('POST /collections', { name: 'one' })
      const { data } = await made('GET /activity')
      return () => ({ route: `GET /activity/${data[0].id}` })
    },
  },
}
