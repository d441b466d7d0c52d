/** Sites: deploys, versions, the check before publication and its appeals. */
import { defineArea } from '../../contract/area.ts'
import { summarizePage, pickFields } from '../../contract/state-section.ts'
import { deleteOldDeploys } from './jobs.ts'
import * as operations from './operations.ts'
import { deleteOldRefusals, mailOperator, mailOwner } from './reviews/review-jobs.ts'

export const sites = defineArea({
  name: 'sites',
  operations: [operations],
  jobs: [mailOperator, mailOwner],
  reconcilers: [deleteOldRefusals, deleteOldDeploys],
  state: [
    {
      name: 'sites',
      about: 'sites',
      operation: 'sites.list',
      show: (reply) =>
        summarizePage(reply, (one) => pickFields(one, ['id', 'slug', 'url', 'status', 'version'])),
    },
  ],
  guides: [
    {
      page: 'sites',
      group: 'Websites and data',
      title: 'Sites',
      card: { title: 'Sites', text: 'Publish a website from files.' },
    },
  ],
})
