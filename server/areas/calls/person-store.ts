/** Finds and erases the calls of one person. A call has its transcript, summary and messages. */
import { sql } from 'kysely'
import { createMatcher, type Matcher } from '../../contract/person/match.ts'
import { mayContain } from '../../kernel/database/contact-filter.ts'
import type {
  Match,
  PersonalRecords,
  PersonRecord,
  PersonQuery,
} from '../../contract/person/person.ts'
import { scanPages } from '../../contract/person/scan.ts'
import { readCostly } from '../../kernel/database/costly-read.ts'
import type { Reader, Transaction } from '../../kernel/database/database.ts'
import type { CallRow } from './store.ts'

const PAGE = 200
const TIMEOUT_MS = 10_000

export const personalRecords: PersonalRecords = {
  kinds: ['calls', 'call_contents'],
  scopes: { read: 'calls:read', write: 'calls:write' },
  find(db, search) {
    const matcher = createMatcher(search.person)
    return scanPages({
      read: (after: CallRow | null) =>
        readCandidates(db, { search, matcher, after: after?.id ?? null }),
      toRecord: (row) => toRecord(row, search, matcher),
    })
  },
  erase: (tx, { project }, records) => eraseCalls(tx, project.id, records),
}

interface Page {
  search: PersonQuery
  matcher: Matcher
  after: string | null
}

function readCandidates(db: Reader, { search, matcher, after }: Page): Promise<CallRow[]> {
  const { project_id, test_only, person } = search
  const said = sql`concat(page.transcript::text, page.summary::text, page.instructions)`
  const query = sql<CallRow>`
    with page as (
      select * from calls
      where project_id = ${project_id} and (${after}::uuid is null or id > ${after}::uuid)
        and (test or not ${test_only}::boolean)
      order by id limit ${PAGE}
    )
    select page.* from page
    where ${person.phone}::text in (from_number, to_number) or ${mayContain(said, matcher)}
      or id = (select id from page order by id desc limit 1)
    order by id`.compile(db)
  return readCostly(db, { project_id, query, timeout_ms: TIMEOUT_MS })
}

function toRecord(
  row: CallRow,
  { person, related }: PersonQuery,
  matcher: Matcher,
): PersonRecord | null {
  const match = matchOf(row, person.phone, matcher)
  if (match === null) return null
  const { id, created_at, transcript, summary, from_number, to_number, started_at, ended_at } = row
  if (match === 'own') related.add(id)
  const { instructions } = row
  const said = { transcript, summary, instructions }
  const data = { from: from_number, to: to_number, started_at, ended_at, ...said }
  return { id, path: [], match, created_at, collection: null, data }
}

/** What the caller said about themselves counts as theirs. */
function matchOf(row: CallRow, phone: string | null, matcher: Matcher): Match | null {
  if (phone !== null && [row.from_number, row.to_number].includes(phone)) return 'own'
  const lines = (role: 'caller' | 'other') =>
    row.transcript.filter((line) => (line.role === 'caller') === (role === 'caller'))
  if (matcher.matchValue(lines('caller').map(({ text }) => text)) !== null) return 'own'
  const others = [lines('other').map(({ text }) => text), row.summary, row.instructions]
  return matcher.matchValue(others) === null ? null : 'mention'
}

async function eraseCalls(
  tx: Transaction,
  project_id: string,
  records: readonly PersonRecord[],
): Promise<number> {
  const ids = records.map(({ id }) => id)
  const { numDeletedRows } = await tx
    .deleteFrom('calls')
    .where('project_id', '=', project_id)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    // A running call is needed until it has ended and was paid.
    .where('ended_at', 'is not', null)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
