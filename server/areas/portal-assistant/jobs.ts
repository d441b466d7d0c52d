/** Deletes conversations that were not used for a long time. */
import { limits } from '../../contract/limits.ts'
import { reconciler } from '../../kernel/jobs/jobs.ts'
import * as store from './store.ts'

const PURGE_EVERY_S = 3_600
const BITE = 500

export const purgeConversations = reconciler({
  name: 'portal_assistant.purge',
  every_s: PURGE_EVERY_S,
  async run({ clock, db }) {
    const before = new Date(clock.now_ms() - limits.portal_conversations_kept_s * 1000)
    while ((await db.transact((tx) => store.deleteUnused(tx, { before, count: BITE }))) === BITE);
  },
})
