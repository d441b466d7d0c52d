/** The standing work of billing. */
import { reconciler } from '../../kernel/jobs.ts'
import { releaseExpiredHolds } from './service.ts'

/** Gives back money that was set aside for something that never came to an end. */
export const expiredHolds = reconciler({
  name: 'billing.expired_holds',
  every_s: 60,
  async run(house) {
    await releaseExpiredHolds(house)
  },
})
