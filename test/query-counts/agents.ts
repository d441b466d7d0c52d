/** The requests that count the statements of agents. */
import { reader } from '../fixtures/agents/reader.ts'
import { times, type Place, type Scenario } from './scenario.ts'

const newAgent = async ({ made }: Place) => (await made('POST /agents', reader)).id as string
const newRun = async ({ made }: Place, id: string) =>
  (await made(`POST /agents/${id}/run`, {})).id as string

const ofAgent = (request: (id: string) => { route: string; body?: unknown }): Scenario => ({
  async ready(place) {
    const id = await newAgent(place)
    return () => request(id)
  },
})

export const agents: Readonly<Record<string, Scenario>> = {
  'agents.list': {
    rows: [1, 15],
    async ready(place, rows) {
      await times(rows, () => newAgent(place))
      return () => ({ route: 'GET /agents' })
    },
  },
  'agents.create': { ready: async () => () => ({ route: 'POST /agents', body: reader }) },
  'agents.list_templates': {
    // The templates are part of the product, so a project has no rows of them.
    rows: [0, 0],
    ready: async () => () => ({ route: 'GET /agents/templates' }),
  },
  'agents.install_template': {
    ready: async () => () => ({
      route: 'POST /agents/install',
      body: { template: 'form_summary', settings: { collection: 'contact' } },
    }),
  },
  'agents.get': ofAgent((id) => ({ route: `GET /agents/${id}` })),
  'agents.update': ofAgent((id) => ({ route: `PATCH /agents/${id}`, body: { name: 'New' } })),
  'agents.delete': {
    ready: async (place) => async () => ({ route: `DELETE /agents/${await newAgent(place)}` }),
  },
  'agents.enable': ofAgent((id) => ({ route: `POST /agents/${id}/enable` })),
  'agents.disable': ofAgent((id) => ({ route: `POST /agents/${id}/disable` })),
  'agents.run': ofAgent((id) => ({ route: `POST /agents/${id}/run`, body: {} })),
  'agents.list_runs': {
    rows: [1, 12],
    async ready(place, rows) {
      const id = await newAgent(place)
      await times(rows, () => newRun(place, id))
      return () => ({ route: `GET /agents/${id}/runs` })
    },
  },
  'agents.get_run': {
    async ready(place) {
      const id = await newAgent(place)
      const run = await newRun(place, id)
      return () => ({ route: `GET /agents/${id}/runs/${run}` })
    },
  },
  'agents.list_versions': {
    rows: [1, 15],
    async ready(place, rows) {
      const id = await newAgent(place)
      const change = () => place.made(`PATCH /agents/${id}`, { overlap: 'queue' })
      await times(rows - 1, change)
      return () => ({ route: `GET /agents/${id}/versions` })
    },
  },
  'agents.url': ofAgent((id) => ({ route: `POST /agents/${id}/url`, body: {} })),
  'agents.try': {
    // This agent has no past events, so it starts one dry run.
    rows: [1, 1],
    ...ofAgent((id) => ({ route: `POST /agents/${id}/try`, body: {} })),
  },
  'agents.propose': {
    ready: async () => () => ({
      route: 'POST /agents/propose',
      body: { description: 'Every evening mail me the orders of today.' },
    }),
  },
  'agents.cancel_run': {
    async ready(place) {
      const id = await newAgent(place)
      return async () => ({ route: `POST /agents/${id}/runs/${await newRun(place, id)}/cancel` })
    },
  },
}
