/** Finds and erases the text messages of one person. */
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
import { present } from './present.ts'
import type { MessageRow } from './store.ts'

const PAGE = 500
const TIMEOUT_MS = 10_000

export const personalRecords: PersonalRecords = {
  kinds: ['messages'],
  scopes: { read: 'messages:read', write: 'messages:write' },
  find(db, search) {
    const matcher = createMatcher(search.person)
    return scanPages({
      read: (after: MessageRow | null) =>
        readCandidates(db, { search, matcher, after: after?.id ?? null }),
      toRecord: (row) => toRecord(row, search, matcher),
    })
  },
  erase: (tx, { project }, records) => eraseMessages(tx, project.id, records),
}

interface Page {
  search: PersonQuery
  matcher: Matcher
  after: string | null
}

function readCandidates(db: Reader, { search, matcher, after }: Page): Promise<MessageRow[]> {
  const { project_id, test_only, person } = search
  const query = sql<MessageRow>`
    with page as (
      select * from messages
      where project_id = ${project_id} and (${after}::uuid is null or id > ${after}::uuid)
        and (test or not ${test_only}::boolean)
      order by id limit ${PAGE}
    )
    select page.* from page
    where ${person.phone}::text in (from_number, to_number)
      or ${mayContain(sql`page.text`, matcher)}
      or id = (select id from page order by id desc limit 1)
    order by id`.compile(db)
  return readCostly(db, { project_id, query, timeout_ms: TIMEOUT_MS })
}

function toRecord(row: MessageRow, { person }: PersonQuery, matcher: Matcher): PersonRecord | null {
  const match = matchOf(row, person.phone, matcher)
  if (match === null) return null
  const { id, created_at } = row
  return { id, path: [], match, created_at, collection: null, data: present(row) }
}

function matchOf(row: MessageRow, phone: string | null, matcher: Matcher): Match | null {
  if (phone !== null && [row.from_number, row.to_number].includes(phone)) return 'own'
  if (matcher.matchValue([row.text]) === null) return null
  return row.direction === 'inbound' ? 'own' : 'mention'
}

async function eraseMessages(
  tx: Transaction,
  project_id: string,
  records: readonly PersonRecord[],
): Promise<number> {
  const ids = records.map(({ id }) => id)
  const { numDeletedRows } = await tx
    .deleteFrom('messages')
    .where('project_id', '=', project_id)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
