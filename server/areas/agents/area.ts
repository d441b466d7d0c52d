/** Agents: a trigger starts a run, which takes fixed steps. */
import { defineArea } from '../../contract/area.ts'
import { pickFields, summarizePage } from '../../contract/manifest/state-section.ts'
import * as operations from './operations.ts'
import * as peopleOperations from './people-operations.ts'
import * as readyMade from './ready-made/operations.ts'
import { advanceRunJob, deleteOldRuns, resumeRuns, runSchedules, startRunsJob } from './run/jobs.ts'
import { sendAgentMail } from './run/mail.ts'

export const agents = defineArea({
  name: 'agents',
  operations: [operations, readyMade],
  peopleOperations: [peopleOperations],
  jobs: [advanceRunJob, startRunsJob, sendAgentMail],
  reconcilers: [resumeRuns, runSchedules, deleteOldRuns],
  state: [
    {
      name: 'agents',
      about: 'agents',
      operation: 'agents.list',
      show: (reply) =>
        summarizePage(reply, (one) => pickFields(one, ['id', 'name', 'status', 'test'])),
    },
  ],
  guides: [
    {
      page: 'agents',
      group: 'Events',
      title: 'Agents',
      card: { title: 'Agents', text: 'Automatic work: triggers, steps, conditions, approvals.' },
    },
  ],
})
