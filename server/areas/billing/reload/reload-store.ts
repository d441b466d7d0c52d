/**
 * The SQL of automatic top-up: settings and attempts. A project has at most one pending attempt; an
 * attempt ends once.
 */
import { sql, type Selectable } from 'kysely'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { BillingReloadsTable, BillingSettingsTable } from '../../../kernel/database/tables.ts'
import type { SavedCard } from '../../../providers/payments/payment-contract.ts'
import { autoReloadDefaults } from '../ledger/ledger.ts'

type SettingsRow = Selectable<BillingSettingsTable>
type ReloadsRow = Selectable<BillingReloadsTable>
export type DisabledReason = NonNullable<SettingsRow['reload_disabled_reason']>
export type FailedReason = NonNullable<ReloadsRow['failed_reason']>
export type ReloadRow = NonNullable<Awaited<ReturnType<typeof findReload>>>
export type PendingReload = Pick<
  ReloadsRow,
  'project_id' | 'id' | 'amount_micro' | 'payment_method' | 'customer' | 'created_at'
>

/**
 * The facts that decide whether a top-up may start. Fields of a project without settings are null.
 */
export interface ReloadFacts {
  reload_enabled: boolean | null
  reload_max_per_month: number | null
  reload_disabled_reason: string | null
  payment_method: string | null
  card: SettingsRow['card']
  /** Number of paid and pending top-ups in this month. */
  reloads_used: bigint | null
}

/** Returns the settings of an existing project, and its number of top-ups in a month. */
export function findSettings(db: Reader, project_id: string, month: string) {
  return db
    .selectFrom('billing_settings as s')
    .innerJoin('projects as p', 'p.id', 's.project_id')
    .select(['s.reload_enabled', 's.reload_threshold_micro', 's.reload_amount_micro'])
    .select(['s.reload_max_per_month', 's.reload_disabled_reason', 's.payment_method'])
    .select(['s.customer', 's.card'])
    .select((from) =>
      from
        .selectFrom('billing_reloads as r')
        .select(({ fn }) => fn.countAll<bigint>().as('used'))
        .whereRef('r.project_id', '=', 's.project_id')
        .where('r.month', '=', month)
        .where('r.state', '<>', 'failed')
        .as('reloads_used'),
    )
    .where('s.project_id', '=', project_id)
    .where('p.deleted_at', 'is', null)
    .executeTakeFirst()
}

/** The saved card of a project; undefined if it has none that the provider knows. */
export async function findSavedCard(db: Reader, project_id: string) {
  const row = await db
    .selectFrom('billing_settings')
    .select(['payment_method', 'customer', 'card'])
    .where('project_id', '=', project_id)
    .where('payment_method', 'is not', null)
    .where('card', 'is not', null)
    .executeTakeFirst()
  if (!row || row.payment_method === null || row.card === null) return undefined
  return { payment_method: row.payment_method, customer: row.customer, card: row.card }
}

export interface ReloadSettings {
  reload_enabled?: boolean
  reload_threshold_micro?: bigint
  reload_amount_micro?: bigint
  reload_max_per_month?: number
  reload_disabled_reason?: null
  payment_method?: string | null
  customer?: string | null
  card?: null
}

/** Saves the given settings; a project without settings gets the defaults for the rest. */
export async function saveSettings(
  tx: Transaction,
  project_id: string,
  changes: ReloadSettings,
): Promise<void> {
  const { enabled, threshold_micro, amount_micro, max_per_month } = autoReloadDefaults
  const standard = {
    reload_enabled: enabled,
    reload_threshold_micro: threshold_micro,
    reload_amount_micro: amount_micro,
    reload_max_per_month: max_per_month,
  }
  await tx
    .insertInto('billing_settings')
    .values({ project_id, ...standard, ...changes })
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet({ project_id, ...changes }))
    .execute()
}

/** Disables automatic top-up because of a card, unless the card was replaced meanwhile. */
export async function disable(
  tx: Transaction,
  {
    project_id,
    payment_method,
    reason,
  }: { project_id: string; payment_method: string; reason: DisabledReason },
): Promise<void> {
  await tx
    .updateTable('billing_settings')
    .set({ reload_disabled_reason: reason })
    .where('project_id', '=', project_id)
    .where('payment_method', '=', payment_method)
    .execute()
}

export async function saveCard(
  tx: Transaction,
  saved: { project_id: string; payment_method: string; card: SavedCard },
): Promise<void> {
  const { brand, last4, expiry, customer } = saved.card
  await tx
    .updateTable('billing_settings')
    .set({
      card: JSON.stringify({ brand, last4, expiry }),
      customer: sql<string | null>`coalesce(customer, ${customer}::text)`,
    })
    .where('project_id', '=', saved.project_id)
    .where('payment_method', '=', saved.payment_method)
    .execute()
}

export function findPending(db: Reader, project_id: string): Promise<PendingReload | undefined> {
  return db
    .selectFrom('billing_reloads')
    .select(['project_id', 'id', 'amount_micro', 'payment_method', 'customer', 'created_at'])
    .where('project_id', '=', project_id)
    .where('state', '=', 'pending')
    .executeTakeFirst()
}

export async function insertReload(
  tx: Transaction,
  reload: PendingReload & { month: string },
): Promise<void> {
  await tx
    .insertInto('billing_reloads')
    .values({ ...reload, state: 'pending' })
    .execute()
}

export interface ReloadEnd {
  project_id: string
  id: string
  ended_at: Date
  outcome: { state: 'paid'; payment_id: string } | { state: 'failed'; reason: FailedReason }
}

/**
 * Finds a top-up that was given up because the provider did not know it; undefined if it was paid
 * late.
 */
export function findGivenUp(
  db: Reader,
  project_id: string,
  id: string,
): Promise<PendingReload | undefined> {
  return db
    .selectFrom('billing_reloads')
    .select(['project_id', 'id', 'amount_micro', 'payment_method', 'customer', 'created_at'])
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where('state', '=', 'failed')
    .where('failed_reason', '=', 'provider_unavailable')
    .executeTakeFirst()
}

/**
 * Marks a top-up that was given up as paid. Returns false if it is in another state. `ended_at`
 * keeps the time of the failure, because the webhook event contains it.
 */
export async function markPaidLate(
  tx: Transaction,
  { project_id, id, payment_id }: { project_id: string; id: string; payment_id: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('billing_reloads')
    .set({ state: 'paid', payment_id, failed_reason: null })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where('state', '=', 'failed')
    .where('failed_reason', '=', 'provider_unavailable')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Returns false if the top-up had already ended. */
export async function endReload(
  tx: Transaction,
  { project_id, id, ended_at, outcome }: ReloadEnd,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('billing_reloads')
    .set({
      state: outcome.state,
      payment_id: outcome.state === 'paid' ? outcome.payment_id : null,
      failed_reason: outcome.state === 'failed' ? outcome.reason : null,
      ended_at,
    })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Returns projects with a pending top-up, or with a low balance and permission for a top-up. */
export async function listDue(
  db: Reader,
  { month, after, limit }: { month: string; after: string | null; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ project_id: string }>`
    select project_id from (
      select project_id from billing_reloads where state = 'pending'
      union
      select s.project_id from billing_settings as s
        join projects as p on p.id = s.project_id and p.deleted_at is null
        left join ledger_accounts as a on a.project_id = s.project_id and a.kind = 'prepaid'
      where s.reload_enabled and s.payment_method is not null and s.card is not null
        and s.reload_disabled_reason is null
        and coalesce(a.balance_micro, 0) < s.reload_threshold_micro
        and s.reload_max_per_month > (
          select count(*) from billing_reloads as r
          where r.project_id = s.project_id and r.month = ${month}::date and r.state <> 'failed'
        )
    ) as due
    where ${after}::uuid is null or project_id > ${after}::uuid
    order by project_id limit ${limit}
  `.execute(db)
  return rows.map(({ project_id }) => project_id)
}

export function findReload(db: Reader, project_id: string, id: string) {
  return db
    .selectFrom('billing_reloads')
    .select(['amount_micro', 'failed_reason', 'ended_at'])
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .executeTakeFirst()
}
