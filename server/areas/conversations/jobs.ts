/** The repeated work of conversations. */
import { reconciler } from '../../kernel/jobs/jobs.ts'
import { closeIdle } from './lifecycle/close.ts'

const EVERY_S = 60

export const closeIdleConversations = reconciler({
  name: 'conversations.close_idle',
  every_s: EVERY_S,
  run: closeIdle,
})
