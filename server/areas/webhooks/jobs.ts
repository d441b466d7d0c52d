/**
 * Background work of webhooks: emails to the owner of a failing endpoint, and deletion of replaced
 * secrets.
 */
import { Type } from 'typebox'
import type { Transaction } from '../../kernel/database/database.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { newId } from '../../kernel/values/ids.ts'
import { enqueue, job, reconciler } from '../../kernel/jobs/jobs.ts'
import { MAIL_RETRY_S, sendMail } from '../../providers/mail/send-mail.ts'
import { writeNotice, type NoticeKind } from './outcome/notice.ts'
import type { EndedAttempt } from './outcome/outcome.ts'
import { DeliveryErrorCode } from './schema.ts'
import * as store from './store.ts'

const FORGET_EVERY_S = 600

/** Mails the owner, unless the endpoint has recovered or the project has no owner email. */
export const mailEndpointOwner = job({
  name: 'webhooks.tell_owner',
  payload: Type.Object({
    notice_id: Type.String(),
    project_id: Type.String(),
    endpoint_id: Type.String(),
    url: Type.String(),
    kind: Type.Enum(['warning', 'disabled']),
    failures: Type.Integer(),
    error: DeliveryErrorCode,
    response_status: Type.Union([Type.Integer(), Type.Null()]),
    failed_at: Type.String(),
  }),
  retry_after_s: MAIL_RETRY_S,
  async run({ runtime, payload }) {
    const { notice_id, project_id, endpoint_id, kind, failures } = payload
    const addressee = await store.findAddressee(runtime.db, project_id, endpoint_id)
    if (!addressee?.owner_email) return
    const { active, consecutive_failures, owner_email, project_name } = addressee
    const language = addressee.language ?? 'en'
    if (active && (kind === 'disabled' || consecutive_failures < failures)) return
    const failed_at = new Date(payload.failed_at)
    const api_url = `${runtime.config.public_url}/api/v1`
    const words = writeNotice({ ...payload, language, failed_at, project_name, api_url })
    await sendMail(
      runtime,
      { to: owner_email, reference: notice_id, ...words },
      'a failing endpoint',
    )
  },
})

interface Failed {
  project_id: string
  endpoint_id: string
  kind: NoticeKind
  failures: number
  ended: EndedAttempt
}

/** Enqueues the email. Call it in the transaction that records the attempt. */
export async function enqueueNotice(
  tx: Transaction,
  runtime: Runtime,
  { project_id, endpoint_id, kind, failures, ended }: Failed,
): Promise<void> {
  const { outcome, ended_at } = ended
  const endpoint = await store.findEndpoint(tx, project_id, endpoint_id)
  if (outcome.kind !== 'failed' || endpoint === undefined) return
  const { error, response_status } = outcome
  await enqueue(tx, runtime, mailEndpointOwner, {
    project_id,
    payload: {
      notice_id: newId(runtime.clock),
      project_id,
      endpoint_id,
      url: endpoint.url,
      kind,
      failures,
      error,
      response_status,
      failed_at: ended_at.toISOString(),
    },
  })
}

/** Deletes expired signing secrets. Expiry is also checked at each delivery attempt. */
export const deleteExpiredSecrets = reconciler({
  name: 'webhooks.forget_secrets',
  every_s: FORGET_EVERY_S,
  async run({ db, clock }) {
    await db.transact((tx) => store.forgetSecrets(tx, clock.now()))
  },
})
