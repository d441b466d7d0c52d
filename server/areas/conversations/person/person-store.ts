/** Finds and erases the conversations of one person, with their messages. */
import { sql, type RawBuilder } from 'kysely'
import { createMatcher, type Matcher } from '../../../contract/person/match.ts'
import { mayContain } from '../../../kernel/database/contact-filter.ts'
import type {
  Match,
  Person,
  PersonalRecords,
  PersonRecord,
  PersonQuery,
} from '../../../contract/person/person.ts'
import { scanPages } from '../../../contract/person/scan.ts'
import { readCostly } from '../../../kernel/database/costly-read.ts'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import { announceRecordsAfter } from '../../../kernel/jobs/record-wakeups.ts'
import type { ConversationRow, MessageRow } from '../store.ts'

const PAGE = 200
const TIMEOUT_MS = 10_000

type Said = Pick<MessageRow, 'role' | 'text' | 'created_at'>
type Candidate = ConversationRow & { is_candidate: boolean }

export const personalRecords: PersonalRecords = {
  kinds: ['conversations'],
  scopes: { read: 'chat:read', write: 'chat:write' },
  find(db, search) {
    const matcher = createMatcher(search.person)
    let messages = new Map<string, Said[]>()
    return scanPages({
      read: (after: Candidate | null) =>
        readCandidates(db, { search, matcher, after: after?.id ?? null }),
      async prepare(rows) {
        messages = await readMessages(db, search.project_id, rows)
      },
      toRecord: (row) => toRecord(row, messages.get(row.id) ?? [], { search, matcher }),
    })
  },
  async erase(tx, { project, runtime }, records) {
    announceRecordsAfter(tx, runtime, project.id, 'conversations')
    return eraseConversations(tx, project.id, records)
  },
}

/** The address of a page may have an email address as a parameter. */
const decoded = (url: RawBuilder<unknown>) => sql`replace(${url}, '%40', '@')`

interface Page {
  search: PersonQuery
  matcher: Matcher
  after: string | null
}

function readCandidates(db: Reader, { search, matcher, after }: Page): Promise<Candidate[]> {
  const { project_id, test_only, person } = search
  const own = sql`concat(page.visitor::text, page.messages_left::text, page.summary::text,
    page.metadata::text, ${decoded(sql`page.page_url`)})`
  const query = sql<Candidate>`
    with page as (
      select * from conversations
      where project_id = ${project_id} and (${after}::uuid is null or id > ${after}::uuid)
        and (test or not ${test_only}::boolean)
      order by id limit ${PAGE}
    ), marked as (
      select page.*, coalesce(page.visitor ->> 'external_id' = ${person.visitor}::text, false)
        or ${mayContain(own, matcher)}
        or exists (
          select from conversation_messages as said
          where said.project_id = ${project_id} and said.conversation_id = page.id
            and ${mayContain(sql`said.text`, matcher)}
        ) as is_candidate
      from page
    )
    select * from marked
    where is_candidate or id = (select id from page order by id desc limit 1)
    order by id`.compile(db)
  return readCostly(db, { project_id, query, timeout_ms: TIMEOUT_MS })
}

async function readMessages(
  db: Reader,
  project_id: string,
  rows: readonly Candidate[],
): Promise<Map<string, Said[]>> {
  const ids = rows.filter(({ is_candidate }) => is_candidate).map(({ id }) => id)
  if (ids.length === 0) return new Map()
  const messages = await db
    .selectFrom('conversation_messages')
    .select(['conversation_id', 'role', 'text', 'created_at'])
    .where('project_id', '=', project_id)
    .where(sql<boolean>`conversation_id = any(${ids}::uuid[])`)
    .orderBy('id')
    .execute()
  return Map.groupBy(messages, ({ conversation_id }) => conversation_id)
}

function toRecord(
  row: Candidate,
  said: readonly Said[],
  { search: { person, related }, matcher }: Pick<Page, 'search' | 'matcher'>,
): PersonRecord | null {
  const match = row.is_candidate ? matchOf(row, said, { person, matcher }) : null
  if (match === null) return null
  if (match === 'own') related.add(row.id)
  const { id, created_at, visitor, language, metadata, page_url, messages_left, summary } = row
  const messages = said.map(({ role, text, created_at: at }) => ({ role, text, created_at: at }))
  const data = { visitor, language, metadata, page_url, messages, messages_left, summary }
  return { id, path: [], match, created_at, collection: null, data }
}

/** What the visitor wrote about themselves counts as theirs. */
function matchOf(
  { visitor, messages_left, summary, metadata, page_url }: ConversationRow,
  said: readonly Said[],
  { person, matcher }: { person: Person; matcher: Matcher },
): Match | null {
  if (person.visitor !== null && visitor.external_id === person.visitor) return 'own'
  const texts = (by: 'visitor' | 'others') =>
    said.filter(({ role }) => (role === 'visitor') === (by === 'visitor')).map(({ text }) => text)
  const own = [visitor.email, visitor.phone, visitor.name, messages_left, texts('visitor')]
  if (matcher.matchValue(own) !== null) return 'own'
  const url = page_url?.replaceAll('%40', '@')
  return matcher.matchValue([texts('others'), summary, metadata, url]) === null ? null : 'mention'
}

async function eraseConversations(
  tx: Transaction,
  project_id: string,
  records: readonly PersonRecord[],
): Promise<number> {
  const ids = records.map(({ id }) => id)
  const { numDeletedRows } = await tx
    .deleteFrom('conversations')
    .where('project_id', '=', project_id)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
