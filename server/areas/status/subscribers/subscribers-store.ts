/** The SQL of subscribers to the status page. */
import { sql, type Selectable } from 'kysely'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { StatusSubscribersTable } from '../../../kernel/database/tables.ts'

export type SubscriberRow = Selectable<StatusSubscribersTable>

export interface Asking {
  id: string
  email: string
  language: SubscriberRow['language']
  now: Date
  /** Mails before this time do not count in the limit of the address. */
  since: Date
  mails_max: number
}

/** Lets one transaction after the other count subscribers and add one. */
export async function lockAdding(tx: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('status_subscribers'))`.execute(tx)
}

/**
 * Adds an address, or finds it, and counts a mail to it. Returns undefined if it got as many mails as
 * it may get. The language of a confirmed address stays: anyone can ask for its address.
 */
export async function askToConfirm(
  tx: Transaction,
  { id, email, language, now, since, mails_max }: Asking,
): Promise<Pick<SubscriberRow, 'id' | 'language' | 'confirmed_at'> | undefined> {
  const { rows } = await sql<Pick<SubscriberRow, 'id' | 'language' | 'confirmed_at'>>`
    insert into status_subscribers as s (id, email, language, created_at, mailed_at)
    values (${id}, ${email}, ${language}, ${now}, array[${now}::timestamptz])
    on conflict (email) do update set
      language = case when s.confirmed_at is null then excluded.language else s.language end,
      mailed_at = array(select at from unnest(s.mailed_at) as at where at > ${since}) || ${now}::timestamptz
    where (select count(*) from unnest(s.mailed_at) as at where at > ${since}) < ${mails_max}
    returning s.id, s.language, s.confirmed_at`.execute(tx)
  return rows[0]
}

/** Whether the address is known, and how many mails all addresses got since a time. */
export async function countAsked(
  db: Reader,
  { email, since }: { email: string; since: Date },
): Promise<{ subscribers: number; is_known: boolean; mails: number }> {
  const { rows } = await sql<{ subscribers: number; is_known: boolean; mails: number }>`
    select count(*)::int as subscribers, coalesce(bool_or(email = ${email}), false) as is_known,
      coalesce(sum((select count(*) from unnest(mailed_at) as at where at > ${since})), 0)::int
        as mails
    from status_subscribers`.execute(db)
  return rows[0]!
}

/** Returns whether the row exists. */
export async function confirm(tx: Transaction, id: string, now: Date): Promise<boolean> {
  const row = await tx
    .updateTable('status_subscribers')
    .set({ confirmed_at: sql`coalesce(confirmed_at, ${now})` })
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function remove(tx: Transaction, id: string): Promise<void> {
  await tx.deleteFrom('status_subscribers').where('id', '=', id).execute()
}

export async function countConfirmed(db: Reader): Promise<number> {
  const { count } = await db
    .selectFrom('status_subscribers')
    .where('confirmed_at', 'is not', null)
    .select((row) => row.fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Confirmed subscribers after an id, in the order of ids. */
export async function listAfter(
  db: Reader,
  { after, count }: { after: string | null; count: number },
): Promise<string[]> {
  let rows = db.selectFrom('status_subscribers').select('id').where('confirmed_at', 'is not', null)
  if (after !== null) rows = rows.where('id', '>', after)
  return (await rows.orderBy('id').limit(count).execute()).map(({ id }) => id)
}

export function findConfirmed(
  db: Reader,
  id: string,
): Promise<Pick<SubscriberRow, 'id' | 'email' | 'language'> | undefined> {
  return db
    .selectFrom('status_subscribers')
    .select(['id', 'email', 'language'])
    .where('id', '=', id)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst()
}

export async function deleteUnconfirmed(tx: Transaction, before: Date): Promise<void> {
  await tx
    .deleteFrom('status_subscribers')
    .where('confirmed_at', 'is', null)
    .where('created_at', '<', before)
    .execute()
}
