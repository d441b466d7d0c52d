/**
 * Finds the orders of one person, and erases the person from them. The orders stay, because the law requires
 * the business to keep what it sold.
 */
import { sql } from 'kysely'
import { createMatcher, type Matcher } from '../../contract/person/match.ts'
import type {
  Match,
  PersonalRecords,
  PersonRecord,
  PersonQuery,
} from '../../contract/person/person.ts'
import { scanPages } from '../../contract/person/scan.ts'
import { mayContain } from '../../kernel/database/contact-filter.ts'
import { readCostly } from '../../kernel/database/costly-read.ts'
import type { Reader, Transaction } from '../../kernel/database/database.ts'
import { announceRecordsAfter } from '../../kernel/jobs/record-wakeups.ts'
import type { OrderRow } from './orders/order-store.ts'
import { presentFacts } from './orders/present.ts'

const PAGE = 500
const TIMEOUT_MS = 10_000

export const personalRecords: PersonalRecords = {
  kinds: ['orders'],
  scopes: { read: 'payments:read', write: 'payments:write' },
  find(db, search) {
    const matcher = createMatcher(search.person)
    return scanPages({
      read: (after: OrderRow | null) =>
        readCandidates(db, { search, matcher, after: after?.id ?? null }),
      toRecord: (row) => toRecord(row, matcher),
    })
  },
  erase(tx, { project, runtime }, records) {
    announceRecordsAfter(tx, runtime, project.id, 'orders')
    return eraseCustomers(tx, { project_id: project.id, now: runtime.clock.now() }, records)
  },
}

interface Page {
  search: PersonQuery
  matcher: Matcher
  after: string | null
}

function readCandidates(db: Reader, { search, matcher, after }: Page): Promise<OrderRow[]> {
  const { project_id, test_only } = search
  const own = sql`concat_ws(' ', page.customer_name, page.customer_email, page.customer_phone,
    page.customer_company, page.customer_vat_number, page.customer_address, page.metadata::text)`
  const query = sql<OrderRow>`
    with page as (
      select * from orders
      where project_id = ${project_id} and (${after}::uuid is null or id > ${after}::uuid)
        and (test or not ${test_only}::boolean)
      order by id limit ${PAGE}
    )
    select page.* from page
    where ${mayContain(own, matcher)} or id = (select id from page order by id desc limit 1)
    order by id`.compile(db)
  return readCostly(db, { project_id, query, timeout_ms: TIMEOUT_MS })
}

function toRecord(row: OrderRow, matcher: Matcher): PersonRecord | null {
  const match = matchOf(row, matcher)
  if (match === null) return null
  const { id, created_at } = row
  return { id, path: [], match, created_at, collection: null, data: presentFacts(row) }
}

function matchOf(row: OrderRow, matcher: Matcher): Match | null {
  const { customer_name, customer_email, customer_phone, metadata } = row
  const { customer_company, customer_vat_number, customer_address } = row
  const own = [customer_name, customer_email, customer_phone, customer_company]
  if (matcher.matchValue([...own, customer_vat_number, customer_address]) !== null) return 'own'
  return matcher.matchValue(metadata) === null ? null : 'mention'
}

async function eraseCustomers(
  tx: Transaction,
  { project_id, now }: { project_id: string; now: Date },
  records: readonly PersonRecord[],
): Promise<number> {
  const ids = records.map(({ id }) => id)
  const { numUpdatedRows } = await tx
    .updateTable('orders')
    .set({
      customer_name: null,
      customer_email: null,
      customer_phone: null,
      customer_company: null,
      customer_vat_number: null,
      customer_address: null,
      metadata: '{}',
    })
    .where('project_id', '=', project_id)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .executeTakeFirst()
  // Without its customer a subscription cannot go on.
  await sql`
    update payment_subscriptions set customer_name = null, customer_email = null,
      customer_phone = null, mandate = null, next_at = null,
      ended_at = coalesce(ended_at, ${now}),
      status = case when ended_at is null then 'canceled' else status end
    where project_id = ${project_id} and id in (select subscription_id from orders
      where project_id = ${project_id} and id = any(${ids}::uuid[]))`.execute(tx)
  return Number(numUpdatedRows)
}
