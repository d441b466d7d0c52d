/** The SQL that looks for the email addresses of chat visitors. */
import { sql } from 'kysely'
import { readCostly } from '../../../kernel/database/costly-read.ts'
import type { Reader } from '../../../kernel/database/database.ts'

const TIMEOUT_MS = 10_000

export interface VisitorAddress {
  /** In lower case. */
  address: string
  /** Whether a visitor wrote it here; otherwise it came with the import of the project. */
  by_people: boolean
}

/**
 * Returns those of the addresses, given in lower case, that visitors of the widget left. Visitors of
 * conversations over the API are named by software, so they do not count. Conversations created at
 * `imported_at` or before came with the import of the project. Throws `StatementTimeout`.
 */
export function findVisitorAddresses(
  db: Reader,
  {
    project_id,
    addresses,
    imported_at,
  }: { project_id: string; addresses: readonly string[]; imported_at: Date | null },
): Promise<VisitorAddress[]> {
  const query = sql<VisitorAddress>`
    select lower(visitor ->> 'email') as address,
      bool_or(created_at > coalesce(${imported_at}::timestamptz, '-infinity')) as by_people
    from conversations
    where project_id = ${project_id} and channel = 'widget'
      and lower(visitor ->> 'email') = any(${addresses}::text[])
    group by 1`.compile(db)
  return readCostly(db, { project_id, query, timeout_ms: TIMEOUT_MS })
}
