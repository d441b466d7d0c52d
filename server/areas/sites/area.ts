/** Sites: deploys, versions, the check before publication and its appeals. */
import { defineArea } from '../../contract/area.ts'
import { listed, pick } from '../../contract/state-section.ts'
import { forgetDeploys } from './jobs.ts'
import * as operations from './operations.ts'
import { forgetReviews, tellOperator, tellOwner } from './reviews/review-jobs.ts'

export const sites = defineArea({
  name: 'sites',
  operations: [operations],
  jobs: [tellOperator, tellOwner],
  reconcilers: [forgetReviews, forgetDeploys],
  state: [
    {
      name: 'sites',
      about: 'sites',
      operation: 'sites.list',
      show: (reply) =>
        listed(reply, (one) => pick(one, ['id', 'slug', 'url', 'status', 'version'])),
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
