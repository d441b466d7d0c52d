/** The operations of operators on the status page. Anyone else gets 404. */
import { Type } from 'typebox'
import { peopleOperation } from '../../contract/people.ts'
import {
  Incident,
  IncidentChange,
  IncidentIdParams,
  IncidentPage,
  IncidentQuery,
  NewIncident,
  NewMaintenance,
  NewUpdate,
  Proposal,
} from './incident-schema.ts'
import * as status from './service.ts'

const shared = { access: 'operator' } as const
const reads = { ...shared, effect: 'read', status: 200 } as const
const acts = { ...shared, effect: 'write', fresh: true } as const

export const listIncidents = peopleOperation({
  ...reads,
  name: 'incidents.list',
  route: 'GET /operator/incidents',
  about: 'Lists incidents and maintenance of the status page, newest first.',
  query: IncidentQuery,
  reply: IncidentPage,
  errors: ['invalid_parameter'],
  run: ({ query }, { runtime }) => status.listIncidents(runtime, query),
})

export const reportIncident = peopleOperation({
  ...acts,
  status: 201,
  name: 'incidents.report',
  route: 'POST /operator/incidents',
  about: 'Publishes an incident. Subscribers of the status page get a mail.',
  body: NewIncident,
  reply: Incident,
  errors: ['conflict', 'validation_failed'],
  run: ({ body }, { runtime }) => status.reportIncident(runtime, body),
})

export const planMaintenance = peopleOperation({
  ...acts,
  status: 201,
  name: 'incidents.plan',
  route: 'POST /operator/maintenance',
  about: 'Announces maintenance, which begins and ends by itself. Subscribers get a mail.',
  body: NewMaintenance,
  reply: Incident,
  errors: ['conflict', 'validation_failed'],
  run: ({ body }, { runtime }) => status.planMaintenance(runtime, body),
})

export const postUpdate = peopleOperation({
  ...acts,
  status: 201,
  name: 'incidents.post_update',
  route: 'POST /operator/incidents/{id}/updates',
  about: 'Posts an update with the new state. Subscribers get a mail.',
  params: IncidentIdParams,
  body: NewUpdate,
  reply: Incident,
  errors: ['not_found', 'conflict', 'validation_failed'],
  run: ({ params, body }, { runtime }) => status.updateIncident(runtime, params.id, body),
})

export const changeIncident = peopleOperation({
  ...acts,
  status: 200,
  name: 'incidents.change',
  route: 'PATCH /operator/incidents/{id}',
  about: 'Changes title, impact, components or planned times, without an update and mail.',
  params: IncidentIdParams,
  body: IncidentChange,
  reply: Incident,
  errors: ['not_found', 'conflict', 'validation_failed'],
  run: ({ params, body }, { runtime }) => status.changeIncident(runtime, params.id, body),
})

export const deleteIncident = peopleOperation({
  ...acts,
  status: 204,
  name: 'incidents.delete',
  route: 'DELETE /operator/incidents/{id}',
  about: 'Removes an incident that was published by mistake, with its updates.',
  params: IncidentIdParams,
  errors: ['not_found'],
  run: ({ params }, { runtime }) => status.deleteIncident(runtime, params.id),
})

export const listProposals = peopleOperation({
  ...reads,
  name: 'incident_proposals.list',
  route: 'GET /operator/incident-proposals',
  about: 'Lists incidents, and their ends, that probes of the components propose.',
  reply: Type.Object({ data: Type.Array(Proposal, { description: 'Newest first.' }) }),
  errors: [],
  run: async (_input, { runtime }) => ({ data: await status.listProposals(runtime) }),
})

export const dismissProposal = peopleOperation({
  ...acts,
  status: 204,
  name: 'incident_proposals.dismiss',
  route: 'POST /operator/incident-proposals/{id}/dismiss',
  about: 'Dismisses a proposal. Nothing is published.',
  params: IncidentIdParams,
  errors: ['conflict'],
  run: ({ params }, { runtime }) => status.dismissProposal(runtime, params.id),
})

export const statusPage = peopleOperation({
  ...reads,
  name: 'status_page.get',
  route: 'GET /operator/status-page',
  about: 'Where the status page is, and how many addresses get its updates.',
  reply: Type.Object({
    url: Type.String({ description: 'URL of the public status page.' }),
    is_own: Type.Boolean({
      description: 'false: the settings name another page, and nothing published here is shown.',
    }),
    subscribers: Type.Integer({ description: 'Confirmed subscriptions.' }),
  }),
  errors: [],
  run: (_input, { runtime }) => status.describePage(runtime),
})
