/** The operation of the change feed. */
import { Type } from 'typebox'
import { limits } from '../../../contract/limits.ts'
import { streamOperation } from '../../../contract/operations/streams.ts'
import { followChanges } from '../changes/changes.ts'
import { CollectionParams } from '../schema.ts'

const ChangesQuery = Type.Object(
  {
    after: Type.Optional(
      Type.String({
        description:
          'Id of an event; the feed starts after it. The header Last-Event-ID takes ' +
          'precedence.',
        examples: ['1204'],
      }),
    ),
  },
  { additionalProperties: false },
)

const exampleId = '019aafe2-7c3a-7d41-9f52-3b8e6a1c4d20'
const exampleDocument = {
  id: exampleId,
  collection: 'bookings',
  data: { name: 'Anna', guests: 4 },
  version: 1,
  source: 'form',
  created_at: '2026-11-21T09:30:00.000Z',
  updated_at: '2026-11-21T09:30:00.000Z',
  test: false,
}
const exampleFeed = [
  'id: 1203',
  'event: ready',
  'data: {"after":1203}',
  '',
  'id: 1204',
  'event: created',
  `data: ${JSON.stringify({ id: exampleId, version: 1, document: exampleDocument })}`,
  '',
  'id: 1205',
  'event: deleted',
  `data: ${JSON.stringify({ id: exampleId, version: 2 })}`,
  '',
  '',
].join('\n')

export const changes = streamOperation({
  name: 'documents.changes',
  route: 'GET /collections/{name}/documents/changes',
  about:
    'Streams the changes of the documents of a collection as Server-Sent Events, ' +
    'starting now or after the event in Last-Event-ID: created, updated and deleted, ' +
    `with the current document. Changes are kept for ${limits.changes_kept_s / 86_400} ` +
    'days; if older ones are needed, the event reset is sent: read the documents ' +
    'again. The event end gives the reason before the feed closes permanently.',
  keywords:
    'incremental sync, cursor, poll, since checkpoint, real time, subscribe, who changed, ' +
    'added or edited, going on, live data, keep in step, follow, touched',
  scope: 'data:read',
  reach: 'selection',
  effect: 'read',
  params: CollectionParams,
  query: ChangesQuery,
  media: {
    gives: ['text/event-stream'],
    endless: true,
    examples: { 'text/event-stream': exampleFeed },
  },
  errors: ['not_found', 'invalid_parameter', 'rate_limited'],
  run: ({ params, query, signal, last_event_id, recheck }, caller) =>
    followChanges(caller, { ...params, after: query.after, signal, last_event_id, recheck }),
})
