/** Jobs of reviews: mails to owners and to the operator, and the deletion of old refusals. */
import { Type } from 'typebox'
import { limits } from '../../../contract/limits.ts'
import { job, reconciler } from '../../../kernel/jobs/jobs.ts'
import { MAIL_RETRY_S, sendMail } from '../../../providers/mail/send-mail.ts'
import { writeOperatorMail, writeOwnerMail } from './review-mail.ts'
import * as store from './review-store.ts'

const FORGET_EVERY_S = 3600
const FORGET_AT_ONCE = 1000

/** Mails the owner that the site was taken offline or an appeal was decided. */
export const mailOwner = job({
  name: 'sites.tell_owner',
  payload: Type.Object({
    notice_id: Type.String(),
    review_id: Type.String(),
    kind: Type.Enum(['decided', 'offline']),
  }),
  retry_after_s: MAIL_RETRY_S,
  async run({ runtime, payload: { notice_id, review_id, kind } }) {
    const review = await store.findReview(runtime.db, review_id)
    const to = review?.appeal_email ?? review?.owner_email
    if (!review || !to) return
    const language = await store.findLanguageOf(runtime.db, to)
    const words = writeOwnerMail(runtime, review, { kind, language })
    await sendMail(runtime, { to, reference: notice_id, ...words }, 'a review')
  },
})

/** Mails the operator that an owner appealed. */
export const mailOperator = job({
  name: 'sites.tell_operator',
  payload: Type.Object({ review_id: Type.String() }),
  retry_after_s: MAIL_RETRY_S,
  async run({ runtime, payload: { review_id } }) {
    const review = await store.findReview(runtime.db, review_id)
    const to = runtime.config.operator_email
    if (!review || to === '') return
    await sendMail(
      runtime,
      { to, reference: `appeal-${review_id}`, ...writeOperatorMail(review) },
      'a review',
    )
  },
})

/** Deletes refusals without an appeal after their retention period. */
export const deleteOldRefusals = reconciler({
  name: 'sites.forget_reviews',
  every_s: FORGET_EVERY_S,
  async run({ db, clock }) {
    const until = new Date(clock.now_ms() - limits.site_review_kept_s * 1000)
    for (let gone = FORGET_AT_ONCE; gone === FORGET_AT_ONCE;) {
      gone = await db.transact((tx) => store.deleteReviews(tx, { until, limit: FORGET_AT_ONCE }))
    }
  },
})
