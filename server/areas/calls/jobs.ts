/** The durable work of calls. */
import { Type } from 'typebox'
import { job } from '../../kernel/jobs/jobs.ts'
import { writeSummary } from './conversation/summarise.ts'

/** Creates a summary if the process that ran the call did not. */
export const summariseCall = job({
  name: 'calls.summarise',
  payload: Type.Object({ project_id: Type.String(), call_id: Type.String() }),
  retry_after_s: [60, 300, 1800, 7200],
  run: ({ runtime, payload }) => writeSummary(runtime, payload),
})
