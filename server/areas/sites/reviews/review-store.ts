/** The SQL of reviews: refused deploys, sites taken offline, and the decisions. */
import { sql, type Insertable, type Selectable } from 'kysely'
import { limits } from '../../../contract/limits.ts'
import { OPERATORS, readCostly } from '../../../kernel/database/costly-read.ts'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { SiteReviewsTable } from '../../../kernel/database/tables.ts'
import type { SiteRow } from '../store.ts'

export type ReviewRow = Selectable<SiteReviewsTable>

/** A review with the project it is about. */
export type ReviewWithProject = ReviewRow & { project_name: string; owner_email: string | null }

interface Where {
  project_id: string
  site_id: string | null
  slug: string
}

function reviewsOf(db: Reader, { project_id, site_id, slug }: Where) {
  return db
    .selectFrom('site_reviews')
    .selectAll()
    .where('project_id', '=', project_id)
    .where((row) => row.or([row('slug', '=', slug), row('site_id', '=', site_id ?? project_id)]))
}

/** Returns every allowed finding for this slug or this site. */
export function listAllowedReviews(db: Reader, where: Where): Promise<ReviewRow[]> {
  return reviewsOf(db, where).where('decision', '=', 'allowed').execute()
}

/** Returns the newest undecided reviews. */
export function listUndecidedReviews(
  db: Reader,
  where: Where,
  count: number,
): Promise<ReviewRow[]> {
  return reviewsOf(db, where)
    .where('decided_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(count)
    .execute()
}

/**
 * Inserts a review. An existing review with the same token is reset, as for a second takedown of a
 * site.
 */
export async function putReview(
  tx: Transaction,
  row: Insertable<SiteReviewsTable>,
): Promise<ReviewRow> {
  const { findings, created_at } = row
  const anew = {
    findings,
    created_at,
    appeal: null,
    appeal_email: null,
    appealed_at: null,
    decision: null,
    decision_note: null,
    decided_at: null,
  }
  return await tx
    .insertInto('site_reviews')
    .values(row)
    .onConflict((conflict) => conflict.column('token_hash').doUpdateSet(anew))
    .returningAll()
    .executeTakeFirstOrThrow()
}

function wholeReviews(db: Reader) {
  return db
    .selectFrom('site_reviews as r')
    .innerJoin('projects as p', 'p.id', 'r.project_id')
    .selectAll('r')
    .select(['p.name as project_name', 'p.owner_email'])
    .where('p.deleted_at', 'is', null)
}

/** Finds a review by its token. The token is the only credential of the appeal page. */
export function findReviewByToken(
  db: Reader,
  token_hash: Buffer,
): Promise<ReviewWithProject | undefined> {
  return wholeReviews(db).where('r.token_hash', '=', token_hash).executeTakeFirst()
}

/** Finds a review of any project, for the operator. */
export function findReview(db: Reader, id: string): Promise<ReviewWithProject | undefined> {
  return wholeReviews(db).where('r.id', '=', id).executeTakeFirst()
}

/** The language of the account with this address; English if there is none. */
export async function findLanguageOf(db: Reader, email: string): Promise<'en' | 'nl'> {
  const row = await db
    .selectFrom('people')
    .select('language')
    .where('realm', '=', 'portal')
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst()
  return row?.language ?? 'en'
}

/**
 * Newest first, for the operator; `open` limits the list to undecided appeals. Throws
 * `StatementTimeout` after `operator_list_s_max`.
 */
export function listReviews(
  db: Reader,
  { open, count }: { open: boolean; count: number },
): Promise<ReviewWithProject[]> {
  const query = wholeReviews(db)
    .$if(open, (query) =>
      query.where('r.appealed_at', 'is not', null).where('r.decided_at', 'is', null),
    )
    .orderBy('r.created_at', 'desc')
    .orderBy('r.id', 'desc')
    .limit(count)
  const timeout_ms = limits.operator_list_s_max * 1000
  return readCostly(db, { project_id: OPERATORS, query: query.compile(), timeout_ms })
}

interface Appeal {
  appeal: string
  appeal_email: string | null
  appealed_at: Date
}

/** Stores the statement of an appeal. Returns undefined if the review was decided meanwhile. */
export function noteAppeal(
  tx: Transaction,
  { project_id, id }: Pick<ReviewRow, 'project_id' | 'id'>,
  appeal: Appeal,
): Promise<ReviewRow | undefined> {
  return tx
    .updateTable('site_reviews')
    .set(appeal)
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where('decided_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

export async function noteDecision(
  tx: Transaction,
  { project_id, id }: Pick<ReviewRow, 'project_id' | 'id'>,
  decision: Pick<ReviewRow, 'decision' | 'decision_note' | 'decided_at'>,
): Promise<void> {
  await tx
    .updateTable('site_reviews')
    .set(decision)
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .execute()
}

/**
 * Deletes reviews without an appeal or a decision. Decided ones stay, because later deploys are
 * checked against them.
 */
export async function deleteReviews(
  tx: Transaction,
  { until, limit }: { until: Date; limit: number },
): Promise<number> {
  const { rows } = await sql`
    delete from site_reviews where (project_id, id) in (
      select project_id, id from site_reviews
      where created_at <= ${until} and appealed_at is null and decided_at is null
        and not exists (select 1 from sites where sites.id = site_reviews.site_id
          and sites.project_id = site_reviews.project_id and sites.status <> 'live')
      order by created_at limit ${limit} for update skip locked)
    returning 1`.execute(tx)
  return rows.length
}

/** Finds a site of any project, for the operator. */
export function findSiteOfAnyProject(db: Reader, id: string): Promise<SiteRow | undefined> {
  return db.selectFrom('sites').selectAll().where('id', '=', id).executeTakeFirst()
}
