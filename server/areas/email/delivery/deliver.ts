/**
 * Delivers the due emails of a project. The rows of recipients are the queue: a run leases a few, hands them
 * over and records each result, until none is due. A row whose process ended during the
 * hand-over is not sent again, because the message may have arrived.
 */
import { randomUUID } from 'node:crypto'
import { Type } from 'typebox'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import { enqueue, job, reconciler, type Job } from '../../../kernel/jobs/jobs.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { DKIM_PURPOSE } from '../domains/dkim-keys.ts'
import { find as findDomain, type DomainRow } from '../domains/domain-store.ts'
import * as emails from '../emails/email-store.ts'
import * as projects from '../../projects/service.ts'
import { find as findSettings } from '../settings/settings-store.ts'
import { compose, sign } from './compose.ts'
import { ALL_TO_SUPPRESSED } from './outcome.ts'
import * as store from './delivery-store.ts'
import * as outbox from './outbox-store.ts'
import type { Outcome, Parcel } from './outcome.ts'
import { record, unknownOutcome, writeEvent, type Attempt } from './record.ts'
import { returnPathOf } from './return-path.ts'
import type { Transport } from './smtp-client.ts'
import { transportOf } from './transport.ts'

/** Recipients of a project that are handed over concurrently. */
const AT_ONCE = 10
const LEASE_MS = 180_000
/** How long a run lasts, so that other projects get their turn. */
const RUN_MS = 20_000
/** Delays before a run is retried that failed as a whole, such as without the database. */
const RETRY_RUN_S: readonly number[] = [5, 30, 120, 600, 1800, 3600, 3600, 3600, 3600]
const FORGOTTEN_EVERY_S = 300

export const deliverEmails: Job<object> = job({
  name: 'email.deliver',
  payload: Type.Object({}),
  retry_after_s: RETRY_RUN_S,
  async run({ runtime, project_id, signal, finish }) {
    if (project_id === null) return finish()
    const until_ms = performance.now() + RUN_MS
    while (!signal.aborted && performance.now() < until_ms) {
      await settleInterrupted(runtime, project_id)
      if ((await deliverSome(runtime, project_id)) === 0) break
    }
    await finish(async (tx) => {
      const right = await findRight(tx, project_id)
      const run_at = right && (await store.findNextDue(tx, { project_id, ...right }))
      if (run_at) await enqueueDelivery(tx, runtime, { project_id, run_at })
    })
  },
})

export async function enqueueDelivery(
  tx: Transaction,
  runtime: Runtime,
  { project_id, run_at }: { project_id: string; run_at?: Date },
): Promise<void> {
  const work = { project_id, payload: {}, run_at, dedupe_key: 'deliver' }
  await enqueue(tx, runtime, deliverEmails, work)
}

/** Enqueues a delivery for each project with due recipients whose job was lost. */
export const resumeDeliveries = reconciler({
  name: 'email.resume_deliveries',
  every_s: FORGOTTEN_EVERY_S,
  async run(runtime) {
    const now = runtime.clock.now()
    const forgotten = await store.listForgotten(runtime.db, now, deliverEmails.name)
    for (const project_id of forgotten)
      await runtime.db.transact((tx) => enqueueDelivery(tx, runtime, { project_id }))
  },
})

/**
 * What a project may send now; null means nothing. It may have changed since emails were accepted:
 * they wait until it is allowed again.
 */
export async function findRight(db: Reader, project_id: string): Promise<{ real: boolean } | null> {
  const settings = await findSettings(db, project_id)
  if (settings?.enabled !== true || settings.paused_at !== null) return null
  const project = await projects.find(db, project_id)
  return project?.enabled === true ? { real: project.rails.email === 'live' } : null
}

async function settleInterrupted(runtime: Runtime, project_id: string): Promise<void> {
  await runtime.db.transact(async (tx) => {
    const rows = await store.takeInterrupted(tx, { project_id, now: runtime.clock.now() })
    for (const { id, email_id } of rows) {
      await store.setReason(tx, { project_id, id, ...unknownOutcome })
      await emails.refreshStatus(tx, { project_id, id: email_id })
    }
  })
}

/** Returns the number of recipients that it attempted. */
async function deliverSome(runtime: Runtime, project_id: string): Promise<number> {
  const lease_token = randomUUID()
  const claimed = await runtime.db.transact(async (tx) => {
    const right = await findRight(tx, project_id)
    if (!right) return []
    const now = runtime.clock.now()
    await suppressDue(tx, runtime, { project_id, now })
    const lease_until = new Date(now.getTime() + LEASE_MS)
    const rows = await store.claim(tx, {
      project_id,
      now,
      ...right,
      lease_until,
      lease_token,
      count: AT_ONCE,
    })
    for (const row of rows) {
      if (!row.was_queued) continue
      await writeEvent(tx, runtime, { row, app_id: row.app_id, type: 'sent', reason: null })
      await emails.refreshStatus(tx, { project_id, id: row.email_id })
    }
    return rows
  })
  const byEmail = Map.groupBy(claimed, ({ email_id }) => email_id)
  await Promise.all(
    [...byEmail].map(([id, rows]) => deliverEmail(runtime, { project_id, id, rows, lease_token })),
  )
  return claimed.length
}

/** People may be suppressed while an email to them is scheduled or tried again. */
async function suppressDue(
  tx: Transaction,
  runtime: Runtime,
  due: { project_id: string; now: Date },
): Promise<void> {
  const rows = await store.suppressDue(tx, due)
  const copies = await store.suppressCopies(tx, { ...due, reason: ALL_TO_SUPPRESSED })
  for (const row of [...rows, ...copies]) {
    const { app_id, reason } = row
    await writeEvent(tx, runtime, { row, app_id, type: 'suppressed', reason })
    await emails.refreshStatus(tx, { project_id: row.project_id, id: row.email_id })
  }
}

interface Share {
  project_id: string
  id: string
  rows: readonly emails.RecipientRow[]
  lease_token: string
}

/** Delivers an email to some of its recipients. */
async function deliverEmail(runtime: Runtime, { project_id, id, rows, lease_token }: Share) {
  const email = await emails.find(runtime.db, { project_id, id })
  if (!email) return
  const domain = await findDomain(runtime.db, { project_id, id: email.sending_domain_id })
  const source = email.test || !domain ? null : await write(runtime, email, domain)
  await Promise.all(
    rows.map(async (row) => {
      const attempt: Attempt = { row, lease_token, app_id: email.app_id }
      if (source === null || !domain) return finishWithout(runtime, attempt)
      const transport = transportOf(runtime)
      if (transport) return deliverOne(runtime, attempt, { source, domain, transport })
      if (runtime.config.email.mode === 'none') return finishWithout(runtime, attempt)
      return writeToOutbox(runtime, attempt, source)
    }),
  )
}

/** The signed message. */
async function write(runtime: Runtime, email: emails.EmailRow, domain: DomainRow): Promise<Buffer> {
  const key = { project_id: email.project_id, email_id: email.id }
  const attachments = await store.listAttachments(runtime.db, key)
  const date = email.scheduled_at ?? email.created_at
  const message = await compose({ email, attachments, date })
  const private_key = runtime.seal.open(domain.sealed_dkim_key, DKIM_PURPOSE)
  const { dkim_selector: selector } = domain
  return sign(message, { domain: domain.domain, selector, private_key }, runtime.clock.now())
}

/** A test email counts as delivered. Without a way to deliver, or with a deleted domain, it is tried again. */
function finishWithout(runtime: Runtime, attempt: Attempt): Promise<void> {
  const nothing = { smtp_code: null, enhanced_code: null, remote_mta: null }
  const outcome: Outcome = attempt.row.test
    ? { kind: 'delivered', ...nothing }
    : { kind: 'unreachable', remote_mta: null }
  return runtime.db.transact((tx) => record(tx, runtime, { attempt, outcome }))
}

function writeToOutbox(runtime: Runtime, attempt: Attempt, source: Buffer): Promise<void> {
  const { project_id, id, email_id } = attempt.row
  const outcome: Outcome = {
    kind: 'delivered',
    smtp_code: null,
    enhanced_code: null,
    remote_mta: 'outbox',
  }
  return runtime.db.transact(async (tx) => {
    await outbox.insert(tx, { project_id, id, email_id, source, written_at: runtime.clock.now() })
    await record(tx, runtime, { attempt, outcome })
  })
}

async function deliverOne(
  runtime: Runtime,
  attempt: Attempt,
  { source, domain, transport }: { source: Buffer; domain: DomainRow; transport: Transport },
): Promise<void> {
  const { row, lease_token } = attempt
  const parcel: Parcel = {
    from: returnPathOf(runtime.seal, row.id, domain.return_path_host),
    to: row.address,
    source,
    onData: () => markHandedOver(runtime, { ...row, lease_token }),
  }
  const outcome = await transport.handOver(parcel)
  await runtime.db.transact((tx) => record(tx, runtime, { attempt, outcome }))
}

async function markHandedOver(
  { db, clock }: Runtime,
  { project_id, id, lease_token }: { project_id: string; id: string; lease_token: string },
): Promise<void> {
  const now = clock.now()
  const is_held = await db.transact((tx) =>
    store.markHandedOver(tx, { project_id, id, lease_token, now }),
  )
  if (!is_held) throw new Error('The lease of this recipient was lost.')
}
