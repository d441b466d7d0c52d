/** Sends one email or a batch: checks, writes the rows and the events, and enqueues the delivery. */
import type { Caller } from '../../../contract/caller.ts'
import { errorCatalogue } from '../../../contract/error-catalogue.ts'
import { Problem } from '../../../contract/errors.ts'
import { restPhrasing, writeNextStep } from '../../../contract/problems/next-steps.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import { announceRecordsAfter } from '../../../kernel/jobs/record-wakeups.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { ALL_TO_SUPPRESSED } from '../delivery/outcome.ts'
import { enqueueDelivery } from '../delivery/deliver.ts'
import { emitEvents } from '../emails/emit.ts'
import * as store from '../emails/email-store.ts'
import { presentEmail, readWhole } from '../emails/present.ts'
import type { BatchReply, Email } from '../schema.ts'
import { readBatch } from './read-input.ts'
import { checkAll, listReached, type CheckedEmail } from './check.ts'
import { reserveAll } from './reserve.ts'

export async function send(caller: Caller, given: unknown): Promise<Email> {
  const [checked] = await checkAll(caller, [given])
  if (checked === undefined || checked instanceof Problem) throw checked
  return caller.db.transact(async (tx) => {
    const problem = (await reserveAll(tx, caller, [checked])).get(checked)
    if (problem) throw problem
    await write(tx, caller, [checked])
    const email = presentEmail(
      await readWhole(tx, { project_id: caller.project.id, id: checked.id }),
    )
    if (caller.idempotency_key !== null) await caller.remember(tx, email)
    return email
  })
}

/** Each email is accepted or refused by itself; all accepted ones are written together. */
export async function sendBatch(caller: Caller, given: unknown): Promise<BatchReply> {
  const checked = await checkAll(caller, readBatch(given))
  return caller.db.transact(async (tx) => {
    const fine = checked.filter((one): one is CheckedEmail => !(one instanceof Problem))
    const refused = await reserveAll(tx, caller, fine)
    const accepted = fine.filter((one) => !refused.has(one))
    await write(tx, caller, accepted)
    const data = checked.map((one, index) => {
      const problem = one instanceof Problem ? one : refused.get(one)
      if (problem) return { index, problem: presentProblem(problem) }
      return one instanceof Problem ? never() : { index, id: one.id, status: statusOf(one) }
    })
    if (caller.idempotency_key !== null) await caller.remember(tx, { data })
    return { data }
  })
}

function never(): never {
  throw new Error('An email is either accepted or refused.')
}

function presentProblem({ slug, status, detail, extra }: Problem) {
  const { user, next } = errorCatalogue[slug]
  return {
    type: slug,
    status,
    detail,
    user_message: extra.user_message ?? user,
    next_step: writeNextStep(restPhrasing, extra.next_step ?? next),
    ...(extra.errors && { errors: extra.errors.map(({ path, message }) => ({ path, message })) }),
  }
}

/** Writes emails, their events and the job that delivers them. */
export async function write(
  tx: Transaction,
  caller: Caller,
  emails: readonly CheckedEmail[],
): Promise<void> {
  if (emails.length === 0) return
  const { runtime, project, app_id = null } = caller
  const recipients = emails.flatMap((email) => recipientsOf(caller, email))
  const events = recipients.flatMap(({ id, email_id, status, reason }) => {
    if (status === 'queued') return []
    const event = { project_id: project.id, id: newId(runtime.clock), email_id, recipient_id: id }
    return [{ ...event, type: status, reason, occurred_at: runtime.clock.now() }]
  })
  const attachments = emails.flatMap((email) => filesOf(caller, email))
  await store.insertAll(tx, {
    emails: emails.map((email) => rowOf(caller, email)),
    recipients,
    attachments,
    events,
  })
  await emitEvents(tx, runtime, { project_id: project.id, app_id, events })
  const times_ms = recipients.flatMap(({ next_attempt_at }) => next_attempt_at?.getTime() ?? [])
  if (times_ms.length > 0) {
    const run_at = new Date(Math.min(...times_ms))
    await enqueueDelivery(tx, runtime, { project_id: project.id, run_at })
  }
  announceRecordsAfter(tx, runtime, project.id, 'emails')
}

function recipientsOf({ runtime, project }: Caller, email: CheckedEmail): store.NewRecipient[] {
  const now = runtime.clock.now()
  const reached = new Set(listReached(email).map(({ key }) => key))
  const { scheduled_at, test } = email
  return email.recipients.map(({ key, field }) => {
    const id = newId(runtime.clock)
    const base = { project_id: project.id, id, email_id: email.id, address: key, field, test }
    if (!reached.has(key))
      return {
        ...base,
        status: 'suppressed',
        ...reasonOf(email, key),
        sent_at: null,
        next_attempt_at: null,
      }
    const fine = { ...base, reason: null, reason_code: null, next_attempt_at: scheduled_at ?? now }
    return scheduled_at === null
      ? { ...fine, status: 'sent', sent_at: now }
      : { ...fine, status: 'queued', sent_at: null }
  })
}

function statusOf(email: CheckedEmail): store.EmailRow['status'] {
  if (listReached(email).length === 0) return 'suppressed'
  return email.scheduled_at === null ? 'sent' : 'scheduled'
}

function reasonOf({ suppressed }: CheckedEmail, key: string) {
  const own = suppressed.get(key)
  if (own !== undefined) return { reason: own, reason_code: 'suppressed' }
  return { reason: ALL_TO_SUPPRESSED, reason_code: 'all_to_suppressed' }
}

function rowOf(caller: Caller, email: CheckedEmail): store.EmailRow {
  const { runtime, project, app_id = null } = caller
  const { id, domain, sender, to, cc, bcc, reply_to, subject, text, html, headers, tags } = email
  return {
    project_id: project.id,
    id,
    sending_domain_id: domain.id,
    app_id,
    sender,
    to,
    cc,
    bcc,
    reply_to,
    subject,
    text,
    html,
    headers,
    tags,
    message_id: `<${id}@${domain.domain}>`,
    status: statusOf(email),
    scheduled_at: email.scheduled_at,
    created_at: runtime.clock.now(),
    test: email.test,
  }
}

/** The content is not stored if nobody gets the email. */
function filesOf({ project }: Caller, email: CheckedEmail) {
  const is_needed = listReached(email).length > 0
  return email.files.map(({ filename, content_type, content_id, content }, position) => ({
    project_id: project.id,
    email_id: email.id,
    position,
    filename,
    content_type,
    content_id,
    bytes: content.length,
    content: is_needed ? content : null,
  }))
}
