/**
 * The SQL of billing. The four account rows of a project are its lock: every writer locks them
 * first, always in the same order, so values read after that are still valid when the entry is
 * written. Entries and postings are never changed or deleted.
 */
import { sql, type ExpressionBuilder, type Insertable, type Selectable } from 'kysely'
import type { Reader, Transaction } from '../../kernel/database/database.ts'
import type { MicroEuro } from '../../kernel/values/money.ts'
import type { LedgerEntriesTable, LedgerHoldsTable, Tables } from '../../kernel/database/tables.ts'
import {
  accounts,
  autoReloadDefaults,
  type Account,
  type Books,
  type SpendingLimits,
  type Posting,
} from './ledger/ledger.ts'

export type EntryKind = LedgerEntriesTable['kind']
export type HoldState = Selectable<LedgerHoldsTable>['state']
export type TransactionRow = Pick<
  Selectable<LedgerEntriesTable>,
  (typeof transactionColumns)[number]
>
export type BalanceRow = NonNullable<Awaited<ReturnType<typeof findBalance>>>['balance']

export interface ChargedRange {
  project_id: string
  ids: readonly string[]
  from_id: string
  before_id: string
}

/** Locked books, and whether automatic top-up is active. */
export interface LockedBooks extends Books {
  /** Total revenue of all months. */
  revenue_micro: MicroEuro
  reloads_when_low: boolean
}

export const transactionColumns = [
  'id',
  'kind',
  'source',
  'amount_micro',
  'balance_after_micro',
  'description',
  'quantity',
  'unit',
  'reference_id',
  'created_at',
] as const

/**
 * Locks the accounts of a project and reads them; null if it has none. After waiting for a lock,
 * PostgreSQL re-reads the locked row as the other transaction left it, but not the rows joined to
 * it, so the cap and the settings are read afterwards.
 */
export async function lockBooks(tx: Transaction, project_id: string): Promise<LockedBooks | null> {
  const rows = await tx
    .selectFrom('ledger_accounts')
    .select(['kind', 'balance_micro', 'month', 'month_micro'])
    .where('project_id', '=', project_id)
    .orderBy('kind')
    .forUpdate()
    .execute()
  const [funding, held, prepaid, revenue] = accounts.map((kind) =>
    rows.find((row) => row.kind === kind),
  )
  if (!funding || !held || !prepaid || !revenue) return null
  const settings = await tx
    .selectFrom('projects as p')
    .leftJoin('billing_settings as s', 's.project_id', 'p.id')
    .select(['p.spending_limit_micro as cap_micro', 's.reload_threshold_micro'])
    .select(reloadsWhenLow.as('reloads_when_low'))
    .where('p.id', '=', project_id)
    .executeTakeFirstOrThrow()
  const month = rows.reduce(
    (latest, row) => (row.month > latest ? row.month : latest),
    revenue.month,
  )
  return {
    prepaid_micro: prepaid.balance_micro,
    held_micro: held.balance_micro,
    revenue_micro: revenue.balance_micro,
    month,
    charged_micro: revenue.month === month ? revenue.month_micro : 0n,
    cap_micro: settings.cap_micro,
    threshold_micro: settings.reload_threshold_micro ?? autoReloadDefaults.threshold_micro,
    reloads_when_low: settings.reloads_when_low ?? false,
  }
}

const reloadsWhenLow = sql<boolean | null>`s.reload_enabled and s.payment_method is not null
  and s.card is not null and s.reload_disabled_reason is null`

export async function openAccounts(
  tx: Transaction,
  project_id: string,
  month: string,
): Promise<void> {
  await tx
    .insertInto('ledger_accounts')
    .values(accounts.map((kind) => ({ project_id, kind, month })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export interface NewEntry extends Required<Insertable<LedgerEntriesTable>> {
  /** The month of the account totals. An entry of an earlier month does not change them. */
  current_month: string
  postings: readonly Posting[]
  /** Lifetime of the hold that the entry creates; null if it creates none. */
  hold_lasts_s: number | null
  /** The hold that the entry ends, with its final state. */
  ended: { hold_id: string; state: HoldState } | null
}

/**
 * Writes an entry, its postings, the account balances and the hold in one statement. Returns false,
 * writing nothing, if the reference was used before.
 */
export async function writeEntry(tx: Transaction, entry: NewEntry): Promise<boolean> {
  const { project_id, month, current_month, postings, hold_lasts_s, ended } = entry
  const from = postings.map((posting) => posting.from)
  const to = postings.map((posting) => posting.to)
  const amounts_micro = postings.map((posting) => posting.amount_micro)
  const { rows } = await sql`
    with entry as (
      insert into ledger_entries (project_id, id, kind, source, amount_micro, balance_after_micro,
        description, quantity, unit, reference_id, reference, crossed_threshold_micro, month,
        created_at)
      values (${project_id}, ${entry.id}, ${entry.kind}, ${entry.source}, ${entry.amount_micro},
        ${entry.balance_after_micro}, ${entry.description}, ${entry.quantity}, ${entry.unit},
        ${entry.reference_id}, ${entry.reference}, ${entry.crossed_threshold_micro}, ${month},
        ${entry.created_at})
      on conflict on constraint ledger_entries_reference do nothing
      returning project_id, id, amount_micro, created_at
    ), posting as (
      insert into ledger_postings (project_id, entry_id, from_account, to_account, amount_micro)
      select entry.project_id, entry.id, move.from_account, move.to_account, move.amount_micro
      from entry, unnest(${from}::text[], ${to}::text[], ${amounts_micro}::bigint[])
        as move (from_account, to_account, amount_micro)
      returning from_account, to_account, amount_micro
    ), change as (
      select kind, sum(amount_micro)::bigint as micro from (
        select to_account as kind, amount_micro from posting
        union all select from_account, -amount_micro from posting
      ) as side group by kind
    ), balance as (
      update ledger_accounts as account set
        balance_micro = account.balance_micro + change.micro,
        month = ${current_month}::date,
        month_micro = case when ${month}::date = ${current_month}::date then change.micro else 0 end
          + case when account.month = ${current_month}::date then account.month_micro else 0 end
      from change where account.project_id = ${project_id} and account.kind = change.kind
    ), hold as (
      insert into ledger_holds (project_id, id, amount_micro, expires_at)
      select project_id, id, amount_micro,
        created_at + make_interval(secs => ${hold_lasts_s}::float8)
      from entry where ${hold_lasts_s}::float8 is not null
    ), ended as (
      update ledger_holds as hold set state = ${ended?.state ?? null} from entry
      where hold.project_id = ${project_id} and hold.id = ${ended?.hold_id ?? null}::uuid
    )
    select id from entry`.execute(tx)
  return rows.length === 1
}

/** Returns the id of the entry with this reference. */
export async function findReference(
  tx: Transaction,
  { project_id, kind, reference }: { project_id: string; kind: EntryKind; reference: string },
): Promise<string | null> {
  const row = await tx
    .selectFrom('ledger_entries')
    .select('id')
    .where('project_id', '=', project_id)
    .where('kind', '=', kind)
    .where('reference', '=', reference)
    .executeTakeFirst()
  return row?.id ?? null
}

/** Returns the amount that was charged with this reference; zero if none was. */
export async function readChargeByReference(
  db: Reader,
  { project_id, reference }: { project_id: string; reference: string },
): Promise<MicroEuro> {
  const row = await db
    .selectFrom('ledger_entries')
    .select('amount_micro')
    .where('project_id', '=', project_id)
    .where('kind', '=', 'charge')
    .where('reference', '=', reference)
    .executeTakeFirst()
  return row?.amount_micro ?? 0n
}

/** A hold with the description and reference of its entry. */
export function findHold(tx: Transaction, project_id: string, hold_id: string) {
  return tx
    .selectFrom('ledger_holds as h')
    .innerJoin('ledger_entries as e', (join) =>
      join.onRef('e.project_id', '=', 'h.project_id').onRef('e.id', '=', 'h.id'),
    )
    .select(['h.state', 'h.amount_micro', 'e.source', 'e.description', 'e.quantity', 'e.unit'])
    .select(['e.reference_id', 'e.reference'])
    .where('h.project_id', '=', project_id)
    .where('h.id', '=', hold_id)
    .executeTakeFirst()
}

/** Expired open holds of all projects, oldest first. */
export function listExpiredHolds(db: Reader, now: Date, limit: number) {
  return db
    .selectFrom('ledger_holds')
    .select(['project_id', 'id as hold_id'])
    .where(sql<boolean>`state = 'open'`)
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(limit)
    .execute()
}

export async function readSpent(
  db: Reader,
  project_id: string,
  month: string,
): Promise<{ charged_micro: MicroEuro; held_micro: MicroEuro }> {
  const rows = await db
    .selectFrom('ledger_accounts')
    .select(['kind', 'balance_micro', 'month', 'month_micro'])
    .where('project_id', '=', project_id)
    .execute()
  const revenue = rows.find(({ kind }) => kind === 'revenue')
  const held = rows.find(({ kind }) => kind === 'held')
  const charged_micro = revenue && revenue.month >= month ? revenue.month_micro : 0n
  return { charged_micro, held_micro: held?.balance_micro ?? 0n }
}

export async function readMoney(
  db: Reader,
  project_id: string,
): Promise<{ prepaid_micro: MicroEuro; held_micro: MicroEuro }> {
  const rows = await db
    .selectFrom('ledger_accounts')
    .select(['kind', 'balance_micro'])
    .where('project_id', '=', project_id)
    .where('kind', 'in', ['prepaid', 'held'])
    .execute()
  const balanceOf = (account: Account) =>
    rows.find(({ kind }) => kind === account)?.balance_micro ?? 0n
  return { prepaid_micro: balanceOf('prepaid'), held_micro: balanceOf('held') }
}

/** The values that limit spending; null if the project does not exist. */
export async function readSpendingLimits(
  db: Reader,
  project_id: string,
  month: string,
): Promise<SpendingLimits | null> {
  const row = await balanceQuery(db, project_id, month).executeTakeFirst()
  if (!row) return null
  const { cap_micro, prepaid_micro, held_micro, charged_micro } = row
  return {
    cap_micro,
    prepaid_micro: prepaid_micro ?? 0n,
    held_micro: held_micro ?? 0n,
    charged_micro: charged_micro ?? 0n,
  }
}

/** Whether a project ever paid for a top-up. */
export async function hasPaid(db: Reader, project_id: string): Promise<boolean> {
  const row = await db
    .selectFrom('ledger_entries')
    .select('id')
    .where('project_id', '=', project_id)
    .where('kind', '=', 'top_up')
    .where('source', '=', 'payment')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Entries are created after the record that they refer to, and ids ascend by creation. So the id
 * range limits the read to newer entries, and no index on reference_id is needed.
 */
export async function readCharged(
  db: Reader,
  project_id: string,
  reference_id: string,
): Promise<MicroEuro> {
  const rows = await db
    .selectFrom('ledger_entries')
    .select(['kind', 'amount_micro'])
    .where('project_id', '=', project_id)
    .where('id', '>=', reference_id)
    .where('reference_id', '=', reference_id)
    .where('kind', 'in', ['charge', 'settle', 'top_up'])
    .execute()
  return rows.reduce(
    (sum_micro, { kind, amount_micro }) =>
      kind === 'top_up' ? sum_micro - amount_micro : sum_micro + amount_micro,
    0n,
  )
}

/** The charges of records by their ids, created in a range of ids. Records without one are absent. */
export async function readChargedByRecord(
  db: Reader,
  { project_id, ids, from_id, before_id }: ChargedRange,
): Promise<Map<string, MicroEuro>> {
  const rows = await db
    .selectFrom('ledger_entries')
    .select((eb) => ['reference_id', eb.fn.sum<string>('amount_micro').as('amount_micro')])
    .where('project_id', '=', project_id)
    .where('id', '>=', from_id)
    .where('id', '<', before_id)
    .where('reference_id', 'in', ids)
    .where('kind', 'in', ['charge', 'settle'])
    .groupBy('reference_id')
    .execute()
  return new Map(rows.map(({ reference_id, amount_micro }) => [reference_id, BigInt(amount_micro)]))
}

/**
 * Reads the balance and the latest transactions in one statement, so they are consistent. Only a
 * project without transactions needs a second statement.
 */
export async function findBalance(
  db: Reader,
  { project_id, month, limit }: { project_id: string; month: string; limit: number },
) {
  const balance = balanceQuery(db, project_id, month)
  const rows = await balance
    .innerJoinLateral(
      (from) => latestTransactions(from, limit),
      (join) => join.onTrue(),
    )
    .select(transactionColumns.map((column) => `t.${column}` as const))
    .orderBy('t.id', 'desc')
    .execute()
  const [first] = rows
  if (first) return { balance: first, transactions: rows }
  const alone = await balance.executeTakeFirst()
  return alone && { balance: alone, transactions: [] }
}

function balanceQuery(db: Reader, project_id: string, month: string) {
  return db
    .selectFrom('projects as p')
    .leftJoin('ledger_accounts as prepaid', (join) =>
      join.onRef('prepaid.project_id', '=', 'p.id').on('prepaid.kind', '=', 'prepaid'),
    )
    .leftJoin('ledger_accounts as held', (join) =>
      join.onRef('held.project_id', '=', 'p.id').on('held.kind', '=', 'held'),
    )
    .leftJoin('ledger_accounts as revenue', (join) =>
      join
        .onRef('revenue.project_id', '=', 'p.id')
        .on('revenue.kind', '=', 'revenue')
        .on('revenue.month', '>=', month),
    )
    .leftJoin('billing_settings as s', 's.project_id', 'p.id')
    .select((from) => [
      'p.spending_limit_micro as cap_micro',
      'prepaid.balance_micro as prepaid_micro',
      'held.balance_micro as held_micro',
      'revenue.month_micro as charged_micro',
      's.reload_enabled',
      's.reload_threshold_micro',
      's.reload_amount_micro',
      's.reload_max_per_month',
      's.reload_disabled_reason',
      's.payment_method',
      's.card',
      from
        .selectFrom('billing_reloads as r')
        .select(({ fn }) => fn.countAll<bigint>().as('used'))
        .whereRef('r.project_id', '=', 'p.id')
        .where('r.month', '=', month)
        .where('r.state', '<>', 'failed')
        .as('reloads_used'),
    ])
    .where('p.id', '=', project_id)
    .where('p.deleted_at', 'is', null)
}

function latestTransactions(
  from: ExpressionBuilder<Tables & { p: Tables['projects'] }, 'p'>,
  limit: number,
) {
  return (
    from
      .selectFrom('ledger_entries as e')
      .select(transactionColumns.map((column) => `e.${column}` as const))
      .whereRef('e.project_id', '=', 'p.id')
      .where(isTransaction)
      .orderBy('e.id', 'desc')
      // A literal, because PostgreSQL would plan a statement with a parameter here anew each time.
      .limit(sql.lit(limit))
      .as('t')
  )
}

// A literal, because PostgreSQL could not use the partial index with a parameter.
const isTransaction = sql<boolean>`kind in ('top_up', 'charge', 'settle')`

export function findTransaction(db: Reader, project_id: string, id: string) {
  return db
    .selectFrom('ledger_entries')
    .select([...transactionColumns, 'crossed_threshold_micro'])
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .executeTakeFirst()
}
