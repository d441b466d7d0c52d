/** Approvals: dangerous operations that wait for a person's decision. */
import { defineArea } from '../../contract/area.ts'
import { summarizePage, pickFields } from '../../contract/manifest/state-section.ts'
import { executeApprovalJob } from './decision/execute-job.ts'
import { expireApprovals, deleteOldApprovals } from './jobs.ts'
import { sendPendingMail, notifyTeam } from './mail/mail-jobs.ts'
import * as operations from './operations.ts'
import * as peopleOperations from './people-operations.ts'

export const approvals = defineArea({
  name: 'approvals',
  operations: [operations],
  peopleOperations: [peopleOperations],
  jobs: [executeApprovalJob, notifyTeam, sendPendingMail],
  reconcilers: [expireApprovals, deleteOldApprovals],
  tools: { 'approvals.get': 'get_approval' },
  state: [
    {
      name: 'waits_for_a_person',
      about: 'approvals waiting for a decision',
      operation: 'approvals.list',
      given: { status: 'pending' },
      show: (reply) =>
        summarizePage(reply, (one) =>
          pickFields(one, ['id', 'about', 'loss', 'url', 'expires_at']),
        ),
    },
  ],
})
