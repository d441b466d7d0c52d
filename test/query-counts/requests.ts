/** The requests that count the statements of the request log. */
import { times, type Scenario } from './scenario.ts'

export const requests: Record<string, Scenario> = {
  'requests.list': {
    rows: [1, 12],
    async ready({ made }, rows) {
      await times(rows, () => made('GET /project'))
      return () => ({ route: 'GET /requests' })
    },
  },
  'requests.get': {
    async ready({ made }) {
      await made('GET /project')
      const { data } = await made('GET /requests')
      return () => ({ route: `GET /requests/${data[0].id}` })
    },
  },
}
