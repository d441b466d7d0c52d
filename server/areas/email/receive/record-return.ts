/** Records what a report says about a recipient whose email was sent. */
import type { Runtime } from '../../../kernel/runtime.ts'
import { classify } from '../delivery/classify.ts'
import { conclude } from '../delivery/record.ts'
import * as emails from '../emails/email-store.ts'
import type { DeliveryReport } from './parse-report.ts'
import { settleReturned, type Returning } from './receive-store.ts'

/** A message that was taken could not be delivered after all. */
export function recordBounce(
  runtime: Runtime,
  recipient: Returning,
  report: DeliveryReport,
): Promise<void> {
  const found = classify(report)
  const changes = {
    status: 'bounced' as const,
    bounced_at: runtime.clock.now(),
    // The other server has given up, whatever its text asks for.
    bounce_type: found.bounce_type,
    reason: found.reason,
    reason_code: found.reason_code,
    enhanced_code: found.enhanced_code,
    smtp_code: report.code,
    ...(report.remote_mta !== null && { remote_mta: report.remote_mta }),
  }
  return settle(runtime, recipient, { changes, event: 'bounced', suppress: found.suppress })
}

export function recordComplaint(runtime: Runtime, recipient: Returning): Promise<void> {
  const changes = {
    status: 'complained' as const,
    complained_at: runtime.clock.now(),
    reason: 'The recipient marked the email as spam.',
    reason_code: 'complaint',
  }
  return settle(runtime, recipient, { changes, event: 'complained', suppress: true })
}

interface Result {
  changes: Partial<emails.RecipientRow>
  event: 'bounced' | 'complained'
  suppress: boolean
}

function settle(
  runtime: Runtime,
  { project_id, id, email_id, app_id }: Returning,
  { changes, event, suppress }: Result,
): Promise<void> {
  return runtime.db.transact(async (tx) => {
    await emails.lock(tx, { project_id, id: email_id })
    const row = await settleReturned(tx, { ...changes, project_id, id })
    if (row) await conclude(tx, runtime, { row, app_id, event, suppress })
  })
}
