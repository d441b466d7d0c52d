/** Sites: deploys, versions, the check before publication and its appeals. */
import { defineArea } from '../../contract/area.ts'
import { forgetDeploys } from './jobs.ts'
import * as operations from './operations.ts'
import { forgetReviews, tellOperator, tellOwner } from './reviews/review-jobs.ts'

export const sites = defineArea({
  name: 'sites',
  operations: [operations],
  jobs: [tellOperator, tellOwner],
  reconcilers: [forgetReviews, forgetDeploys],
})
