/**
 * The email module of a project: the owner turns it on, and it is paused if too many emails bounce or are
 * marked as spam.
 */
import { isTest, type Caller, type ProjectRow } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import type { MemberCaller } from '../../../contract/people.ts'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import * as billing from '../../billing/service.ts'
import { countWaiting } from '../addresses/address-store.ts'
import { enqueueDelivery } from '../delivery/deliver.ts'
import type { EmailStatus } from './settings-schema.ts'
import { readReputation } from './pause.ts'
import * as store from './settings-store.ts'

const CHART_DAYS = 30
const DAY_MS = 86_400_000

export async function requireEnabled(db: Reader, project: ProjectRow): Promise<store.SettingsRow> {
  const row = await store.find(db, project.id)
  if (!row?.enabled) {
    throw new Problem('mail_not_enabled', 'The email module is not turned on for this project.')
  }
  return row
}

export function requireRunning({ paused_at, paused_reason }: store.SettingsRow): void {
  if (paused_at === null) return
  const why = paused_reason === 'complaints' ? 'were marked as spam' : 'bounced'
  throw new Problem(
    'email_paused',
    `Sending is paused since ${paused_at.toISOString()}: too many emails ${why}.`,
  )
}

export function lockSettings(
  tx: Transaction,
  { clock }: Pick<Runtime, 'clock'>,
  project_id: string,
): Promise<store.SettingsRow> {
  return store.lock(tx, { project_id, now: clock.now() })
}

export async function showStatus(caller: Caller): Promise<EmailStatus> {
  const { runtime, db, project } = caller
  const { config, clock } = runtime
  const test = isTest(caller)
  const row = await store.find(db, project.id)
  const day = billing.toDay(clock.now(), config.billing_timezone)
  const today = await store.readDay(db, { project_id: project.id, test, day })
  const reputation = await readReputation(db, project.id, row?.counted_from ?? project.created_at)
  const since = new Date(clock.now_ms() - CHART_DAYS * DAY_MS)
  const place = { project_id: project.id, test, since, timezone: config.billing_timezone }
  return {
    enabled: row?.enabled ?? false,
    rails: { email: project.rails.email },
    delivery: config.email.mode,
    daily_limit: limits.email_recipients_per_day_max,
    used_today: today.recipients,
    new_recipients_limit: limits.email_new_recipients_per_day_max,
    new_recipients_today: today.new_recipients,
    recipients_waiting: await countWaiting(db, project.id),
    reputation: {
      sent_last_200: reputation.sent,
      bounced: reputation.bounced,
      bounce_rate: share(reputation.bounced, reputation.sent),
      complaints: reputation.complaints,
      complaint_rate: share(reputation.complaints, reputation.complaint_window),
    },
    days: await store.countByDay(db, place),
    paused_at: row?.paused_at?.toISOString() ?? null,
    paused_reason: row?.paused_reason ?? null,
  }
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 10_000
}

export async function switchModule(caller: MemberCaller, enabled: boolean): Promise<EmailStatus> {
  const { runtime, db, project } = caller
  await db.transact(async (tx) => {
    const row = await lockSettings(tx, runtime, project.id)
    if (row.enabled === enabled) return
    const enabled_at = enabled ? runtime.clock.now() : null
    await store.update(tx, { project_id: project.id, enabled, enabled_at })
    if (enabled) await enqueueDelivery(tx, runtime, { project_id: project.id })
  })
  return showStatus(caller)
}

/** Ends the pause; the counts start again. */
export async function resumeSending(caller: MemberCaller): Promise<EmailStatus> {
  const { runtime, db, project } = caller
  await db.transact(async (tx) => {
    const row = await lockSettings(tx, runtime, project.id)
    if (row.paused_at === null) throw new Problem('conflict', 'Sending is not paused.')
    const counted_from = runtime.clock.now()
    const change = { paused_at: null, paused_reason: null, counted_from }
    await store.update(tx, { project_id: project.id, ...change })
    await enqueueDelivery(tx, runtime, { project_id: project.id })
  })
  return showStatus(caller)
}
