/** Sites: deploys, versions, the check before publication and its appeals. */
import { defineArea } from '../../contract/area.ts'
import { summarizePage, pickFields } from '../../contract/manifest/state-section.ts'
import { deleteOldDeploys } from './jobs.ts'
import * as operations from './operations.ts'
import * as pictureOperations from './pictures/replace-operation.ts'
import * as offline from './reviews/people-operations.ts'
import { deleteOldRefusals, mailOperator, mailOwner } from './reviews/review-jobs.ts'

export const sites = defineArea({
  name: 'sites',
  operations: [operations, pictureOperations],
  peopleOperations: [offline],
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
  exported: [
    { table: 'sites', address: { column: 'slug', label: 'label' } },
    { table: 'site_versions' },
    { table: 'site_deploys' },
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
