/** Finds and erases the emails to one person, and the recipients that the owner confirmed. */
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
import type { EmailRow } from './emails/email-store.ts'

const PAGE = 200
const TIMEOUT_MS = 10_000

type Candidate = EmailRow & { addresses: string[] | null; is_candidate: boolean }

export const emailsOfPerson: PersonalRecords = {
  kinds: ['emails'],
  scopes: { read: 'messages:read', write: 'messages:write' },
  find(db, search) {
    const matcher = createMatcher(search.person)
    return scanPages({
      read: (after: Candidate | null) =>
        readCandidates(db, { search, matcher, after: after?.id ?? null }),
      toRecord: (row) => toRecord(row, matcher),
    })
  },
  async erase(tx, { project, runtime }, records) {
    announceRecordsAfter(tx, runtime, project.id, 'emails')
    return removeEmails(
      tx,
      project.id,
      records.map(({ id }) => id),
    )
  },
}

interface Page {
  search: PersonQuery
  matcher: Matcher
  after: string | null
}

function readCandidates(db: Reader, { search, matcher, after }: Page): Promise<Candidate[]> {
  const { project_id, test_only } = search
  const own = sql`concat(page.addresses::text, page.sender::text, page.reply_to::text, page.subject, ' ',
    page.text, ' ', page.html, page.tags::text)`
  const query = sql<Candidate>`
    with page as (
      select emails.*, (
        select array_agg(r.address order by r.id) from email_recipients as r
        where r.project_id = ${project_id} and r.email_id = emails.id
      ) as addresses
      from emails
      where project_id = ${project_id} and (${after}::uuid is null or id > ${after}::uuid)
        and (test or not ${test_only}::boolean)
      order by id limit ${PAGE}
    ), marked as (select page.*, ${mayContain(own, matcher)} as is_candidate from page)
    select * from marked
    where is_candidate or id = (select id from page order by id desc limit 1)
    order by id`.compile(db)
  return readCostly(db, { project_id, query, timeout_ms: TIMEOUT_MS })
}

function toRecord(row: Candidate, matcher: Matcher): PersonRecord | null {
  const match = row.is_candidate ? matchOf(row, matcher) : null
  if (match === null) return null
  const { id, created_at, sender, to, cc, bcc, subject, text, html, status, tags } = row
  const data = { sender, to, cc, bcc, subject, text, html, status, tags }
  return { id, path: [], match, created_at, collection: null, data }
}

function matchOf(
  { addresses, sender, reply_to, subject, text, html, tags }: Candidate,
  matcher: Matcher,
): Match | null {
  if (matcher.matchValue(addresses) === 'own') return 'own'
  return matcher.matchValue([sender, reply_to, subject, text, html, tags]) === null
    ? null
    : 'mention'
}

async function removeEmails(
  tx: Transaction,
  project_id: string,
  ids: readonly string[],
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('emails')
    .where('project_id', '=', project_id)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

export const recipientsOfPerson: PersonalRecords = {
  kinds: ['email_recipients'],
  scopes: { read: 'messages:read', write: 'messages:write' },
  async *find(db, { project_id, person }) {
    if (person.email === null) return
    const rows = await db
      .selectFrom('email_known_recipients')
      .selectAll()
      .where('project_id', '=', project_id)
      .where('address', '=', person.email)
      .execute()
    const found = rows.map(({ id, address, status, note, requested_at }): PersonRecord => {
      const data = { address, status, note }
      return { id, path: [], match: 'own', created_at: requested_at, collection: null, data }
    })
    if (found.length > 0) yield found
  },
  async erase(tx, { project }, records) {
    const ids = records.map(({ id }) => id)
    const { numDeletedRows } = await tx
      .deleteFrom('email_known_recipients')
      .where('project_id', '=', project.id)
      .where(sql<boolean>`id = any(${ids}::uuid[])`)
      .executeTakeFirst()
    return Number(numDeletedRows)
  },
}
