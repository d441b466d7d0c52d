/** The operations of the activity. */
import { operation } from '../../contract/operation.ts'
import { streamOperation } from '../../contract/operations/streams.ts'
import { follow } from './follow.ts'
import { ActivityEntry, ActivityEntryId, ActivityPage, ActivityQuery } from './schema.ts'
import * as activity from './service.ts'

export const list = operation({
  name: 'activity.list',
  route: 'GET /activity',
  about:
    'Who changed what in the project, and through which entry point, in the last 90 days, newest ' +
    'first, without contents. A caller that is limited to some sites or apps sees its own changes.',
  keywords:
    'audit trail, who changed, history, who did, been doing, going on, log, what the assistant ' +
    'did, agent actions, when was it changed, price, opening hours, been up to, touched, ' +
    'deleted by, this week, changes today',
  scope: 'project:read',
  reach: 'selection',
  effect: 'read',
  query: ActivityQuery,
  status: 200,
  reply: ActivityPage,
  errors: ['invalid_parameter'],
  run: ({ query }, caller) => activity.list(caller, query),
})

export const get = operation({
  name: 'activity.get',
  route: 'GET /activity/{id}',
  about: 'One entry of the activity.',
  keywords: 'audit entry, change details',
  scope: 'project:read',
  reach: 'selection',
  effect: 'read',
  params: ActivityEntryId,
  status: 200,
  reply: ActivityEntry,
  errors: ['not_found'],
  run: ({ params }, caller) => activity.find(caller, params.id),
})

const exampleStream = [
  'id: 1795712400000',
  'event: ready',
  'data: {}',
  '',
  'id: 1795712403120',
  'event: changed',
  'data: {"kinds":["activity","sites"]}',
  '',
  '',
].join('\n')

export const stream = streamOperation({
  name: 'activity.stream',
  route: 'GET /activity/stream',
  about:
    'Streams which kinds of records changed, as Server-Sent Events without ids and contents, so that ' +
    'a page reads its lists again only when they have changed. After a reconnection with ' +
    'Last-Event-ID the first event names every kind. Events can be lost, so read the lists again ' +
    'every minute too. The event end gives the reason before the stream closes permanently.',
  keywords: 'live audit, real time, SSE, refresh lists',
  scope: 'project:read',
  reach: 'selection',
  effect: 'read',
  media: {
    gives: ['text/event-stream'],
    endless: true,
    examples: { 'text/event-stream': exampleStream },
  },
  errors: ['rate_limited'],
  run: async ({ signal, last_event_id, recheck }, caller) =>
    follow(caller, { signal, last_event_id, recheck }),
})
