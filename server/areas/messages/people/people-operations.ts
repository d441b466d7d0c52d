/** The operations of messages for people only: figures, the preview of a text, and opt-outs. */
import { peopleOperation } from '../../../contract/people.ts'
import { preview as previewText, showOptOuts, showOverview } from './overview.ts'
import {
  MessagePreview,
  MessagesOverview,
  OptOuts,
  OverviewQuery,
  PreviewInput,
} from './people-schema.ts'

export const overview = peopleOperation({
  name: 'messages.overview',
  route: 'GET /projects/{project_id}/messages/overview',
  about: 'Messages per day and status, the count of today, the price, and the possible senders.',
  keywords: 'SMS statistics, price, per day, senders, rates',
  access: 'viewer',
  effect: 'read',
  query: OverviewQuery,
  status: 200,
  reply: MessagesOverview,
  errors: [],
  run: ({ query }, caller) => showOverview(caller, query.days),
})

export const preview = peopleOperation({
  name: 'messages.preview',
  route: 'POST /projects/{project_id}/messages/preview/query',
  about: 'The segments and the cost of a text, and why it would be refused. Nothing is sent.',
  keywords: 'SMS cost, length, segments, characters',
  access: 'viewer',
  effect: 'read',
  body: PreviewInput,
  status: 200,
  reply: MessagePreview,
  errors: [],
  run: ({ body }, caller) => previewText(caller, body),
})

export const listOptOuts = peopleOperation({
  name: 'messages.opt_outs',
  route: 'GET /projects/{project_id}/messages/opt-outs',
  about: 'The people who replied STOP, to whom nothing is sent.',
  keywords: 'unsubscribed, STOP, who does not want texts',
  access: 'viewer',
  effect: 'read',
  status: 200,
  reply: OptOuts,
  errors: [],
  run: (_input, caller) => showOptOuts(caller),
})
