/** What receivers see of calls, built when it is delivered. Transcripts are never in it. */
import { Type } from 'typebox'
import { Dropped, event } from '../../contract/events.ts'
import { present, presentDetail } from './present.ts'
import { Call, Summary } from './schema.ts'
import * as store from './store.ts'

type CallSubject = { call_id: string }

export const callCompleted = event({
  type: 'call.completed',
  data: Type.Object({ call: Call }),
  async load(db, project_id, { call_id }: CallSubject) {
    const row = await store.find(db, project_id, call_id)
    return row ? { call: present(row) } : new Dropped('call_deleted')
  },
})

export const callSummaryReady = event({
  type: 'call.summary.ready',
  data: Type.Object({ call: Call, summary: Summary }),
  async load(db, project_id, { call_id }: CallSubject) {
    const row = await store.find(db, project_id, call_id)
    if (!row) return new Dropped('call_deleted')
    const { summary } = presentDetail(row)
    return summary ? { call: present(row), summary } : new Dropped('summary_deleted')
  },
})
