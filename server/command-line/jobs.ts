/** The command that runs jobs again which were given up or set aside. */
import { deadJobs, retryDeadJobs } from '../kernel/jobs.ts'
import { houseCommand } from './command.ts'
import { id, optional } from './option-kinds.ts'
import { Refusal } from './refusal.ts'

export const retry = houseCommand({
  name: 'jobs retry',
  about: 'Runs jobs again that were given up, or set aside because processes ended with them.',
  options: { id: optional(id, 'One job; without it, all.') },
  async run({ id: job_id }, house) {
    const retried = await house.db.transact((tx) =>
      retryDeadJobs(tx, house, job_id === undefined ? null : [job_id]),
    )
    if (job_id !== undefined && retried === 0) {
      const { count } = await deadJobs(house.db)
      throw new Refusal(`No job that was given up has the id ${job_id}; there are ${count}.`)
    }
    return { json: { retried }, text: `${retried} jobs run again within a second.` }
  },
})
