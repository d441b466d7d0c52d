/** The operations of the operator console. To anyone else they do not exist. */
import { Type } from 'typebox'
import { peopleOperation } from '../../contract/people.ts'
import * as acts from './acts.ts'
import { ActExport, ActFilter, ActPage, ActQuery } from './schema-acts.ts'
import * as console from './service.ts'
import { readWorkHistory } from './work-history.ts'
import {
  IdParams,
  ModeratedSite,
  OperatedProject,
  OperatedProjectPage,
  PhoneState,
  PlanChoice,
  ProjectSearch,
  Provider,
  Reason,
  Review,
  ReviewDecision,
  ReviewQuery,
  Work,
  WorkHistory,
  WorkRange,
} from './schema.ts'

const shared = { access: 'operator', status: 200 } as const
const reads = { ...shared, effect: 'read' } as const
const acting = { ...shared, effect: 'write', fresh: true } as const

export const projects = peopleOperation({
  ...reads,
  name: 'all_projects.list',
  route: 'GET /operator/projects',
  about: 'Lists all projects with usage, balance, plan and health, newest first.',
  query: ProjectSearch,
  reply: OperatedProjectPage,
  errors: ['invalid_parameter'],
  run: ({ query }, caller) => console.listProjects(caller, query),
})

export const takeProjectOffline = peopleOperation({
  ...acting,
  name: 'projects.take_offline',
  route: 'POST /operator/projects/{id}/offline',
  about: 'Takes a project offline: its keys stop working, and its sites show a notice.',
  params: IdParams,
  body: Reason,
  reply: OperatedProject,
  errors: ['not_found'],
  run: ({ params, body }, caller) => console.takeProjectOffline(caller, params.id, body),
})

export const putProjectOnline = peopleOperation({
  ...acting,
  name: 'projects.put_online',
  route: 'POST /operator/projects/{id}/online',
  about: 'Puts a project back online.',
  params: IdParams,
  reply: OperatedProject,
  errors: ['not_found'],
  run: ({ params }, caller) => console.putProjectOnline(caller, params.id),
})

export const setPlan = peopleOperation({
  ...acting,
  name: 'projects.set_plan',
  route: 'PUT /operator/projects/{id}/plan',
  about: 'Sets the plan of a project and its pair, free of charge. A paid rest is refunded.',
  params: IdParams,
  body: PlanChoice,
  reply: OperatedProject,
  errors: ['not_found'],
  run: ({ params, body }, caller) => console.setPlan(caller, params.id, body),
})

export const setPhone = peopleOperation({
  ...acting,
  name: 'projects.confirm_phone',
  route: 'PUT /operator/projects/{id}/phone',
  about: 'Confirms the phone number of the owner of a project, or withdraws that.',
  params: IdParams,
  body: PhoneState,
  reply: OperatedProject,
  errors: ['not_found'],
  run: ({ params, body }, caller) => console.setPhone(caller, params.id, body),
})

export const reviews = peopleOperation({
  ...reads,
  name: 'reviews.list',
  route: 'GET /operator/reviews',
  about: 'Lists the newest 200 refused deploys and sites taken offline, with their appeals.',
  query: ReviewQuery,
  reply: Type.Object({ data: Type.Array(Review, { description: 'Newest first.' }) }),
  errors: ['invalid_parameter'],
  run: ({ query }, caller) => console.listReviews(caller, query),
})

export const decide = peopleOperation({
  ...acting,
  name: 'reviews.decide',
  route: 'POST /operator/reviews/{id}/decide',
  about: 'Decides about a review. The person who appealed gets a mail.',
  params: IdParams,
  body: ReviewDecision,
  reply: Review,
  errors: ['not_found'],
  run: ({ params, body }, caller) => console.decide(caller, params.id, body),
})

export const takeSiteOffline = peopleOperation({
  ...acting,
  name: 'sites.take_offline',
  route: 'POST /operator/sites/{id}/offline',
  about: 'Takes a site offline. Its owner gets the reason by mail and can appeal.',
  params: IdParams,
  body: Reason,
  reply: ModeratedSite,
  errors: ['not_found'],
  run: ({ params, body }, caller) => console.takeSiteOffline(caller, params.id, body),
})

export const putSiteOnline = peopleOperation({
  ...acting,
  name: 'sites.put_online',
  route: 'POST /operator/sites/{id}/online',
  about: 'Puts a site back online.',
  params: IdParams,
  reply: ModeratedSite,
  errors: ['not_found'],
  run: ({ params }, caller) => console.putSiteOnline(caller, params.id),
})

export const work = peopleOperation({
  ...reads,
  name: 'work.get',
  route: 'GET /operator/work',
  about: 'Jobs and webhook deliveries that wait, run or failed, and how late they are.',
  reply: Work,
  errors: [],
  run: (_input, caller) => console.readWork(caller),
})

export const workHistory = peopleOperation({
  ...reads,
  name: 'work_history.get',
  route: 'GET /operator/work/history',
  about: 'How many jobs and deliveries waited and failed, and how late they were, over time.',
  query: WorkRange,
  reply: WorkHistory,
  errors: ['invalid_parameter'],
  run: ({ query }, caller) => readWorkHistory(caller, query),
})

export const retry = peopleOperation({
  ...acting,
  name: 'jobs.retry',
  route: 'POST /operator/jobs/retry',
  about: 'Runs all jobs again that failed for good.',
  reply: Type.Object({
    retried: Type.Integer({ description: 'Number of jobs.', examples: [2] }),
  }),
  errors: [],
  run: (_input, caller) => console.retryJobs(caller),
})

export const providers = peopleOperation({
  ...reads,
  name: 'providers.list',
  route: 'GET /operator/providers',
  about: 'The configured providers, whether they answer, and their last error.',
  reply: Type.Object({ data: Type.Array(Provider, { description: 'By interface.' }) }),
  errors: [],
  run: (_input, caller) => console.listProviders(caller),
})

export const listActs = peopleOperation({
  ...reads,
  name: 'operator_acts.list',
  route: 'GET /operator/acts',
  about: 'The audit log: what operators did in this console and on the command line.',
  query: ActQuery,
  reply: ActPage,
  errors: ['invalid_parameter'],
  run: ({ query }, caller) => acts.listActs(caller, query),
})

export const exportActs = peopleOperation({
  ...reads,
  name: 'operator_acts.export',
  route: 'GET /operator/acts/export',
  about: 'The newest entries of the audit log as CSV.',
  query: ActFilter,
  reply: ActExport,
  errors: ['invalid_parameter'],
  run: ({ query }, { runtime }) => acts.exportActs(runtime, query),
})
