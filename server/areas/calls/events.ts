/** The payloads of call events, built at delivery. They never include transcripts. */
import { Type } from 'typebox'
import { Dropped, event, type SubjectInProject } from '../../contract/events.ts'
import { withDescription } from '../../contract/schema/shapes.ts'
import { present, presentSummary } from './present.ts'
import { Call, Summary } from './schema.ts'
import * as store from './store.ts'

type CallSubject = { call_id: string }

const calls = (wanted: readonly SubjectInProject<CallSubject>[]) =>
  wanted.map(({ project_id, subject }) => ({ project_id, id: subject.call_id }))

export const callCompleted = event({
  type: 'call.completed',
  data: Type.Object({ call: withDescription(Call, 'The call that ended.') }),
  async load(db, project_id, { call_id }: CallSubject) {
    return completed(await store.find(db, project_id, call_id))
  },
  async loadMany(db, wanted) {
    const rows = await store.findListed(db, calls(wanted))
    return rows.map(completed)
  },
})

export const callSummaryReady = event({
  type: 'call.summary.ready',
  data: Type.Object({
    call: withDescription(Call, 'The call that was summarised.'),
    summary: withDescription(Summary, 'The summary of the call.'),
  }),
  async load(db, project_id, { call_id }: CallSubject) {
    return summarised(await store.find(db, project_id, call_id))
  },
  async loadMany(db, wanted) {
    const rows = await store.findMany(db, calls(wanted))
    return rows.map(summarised)
  },
})

function completed(row: store.ListedCall | undefined) {
  return row ? { call: present(row) } : new Dropped('call_deleted')
}

function summarised(row: store.CallRow | undefined) {
  if (!row) return new Dropped('call_deleted')
  const summary = presentSummary(row)
  return summary ? { call: present(row), summary } : new Dropped('summary_deleted')
}
