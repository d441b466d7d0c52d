/** Records the changes that a job makes in its project. */
import type { Job } from '../../../kernel/jobs/jobs.ts'
import { record } from './record.ts'

/** Jobs that derive texts from a recorded change, or execute an operation that is recorded itself. */
const unrecorded = new Set([
  'approvals.carry_out',
  'assistant.read_website',
  'calls.summarise',
  'media.read',
])

export function recordedJob(job: Job): Job {
  if (unrecorded.has(job.name)) return job
  return {
    ...job,
    async run(work) {
      const { runtime, project_id } = work
      if (project_id === null) return job.run(work)
      const acting = {
        project_id,
        entry_point: 'job',
        mode: null,
        actor_kind: 'system',
        actor_id: null,
        operation: job.name,
        request_id: null,
        path_id: null,
      } as const
      return record(runtime, { acting, work: () => job.run(work) })
    },
  }
}
