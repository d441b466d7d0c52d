/** The command that retries dead jobs. */
import { deadJobs, retryDeadJobs } from '../../kernel/jobs/jobs.ts'
import { runtimeCommand } from '../command.ts'
import { id, optional } from '../option-parsers.ts'
import { CommandError } from '../command-error.ts'

export const retry = runtimeCommand({
  name: 'jobs retry',
  about: 'Retries jobs that failed for good or were quarantined after process crashes.',
  options: { id: optional(id, 'One job; by default all.') },
  async run({ id: job_id }, runtime) {
    const retried = await runtime.db.transact((tx) =>
      retryDeadJobs(tx, runtime, job_id === undefined ? null : [job_id]),
    )
    if (job_id !== undefined && retried === 0) {
      const { count } = await deadJobs(runtime.db)
      throw new CommandError(`No dead job has the id ${job_id}; there are ${count}.`)
    }
    return { json: { retried }, text: `${retried} jobs run again within a second.` }
  },
})
