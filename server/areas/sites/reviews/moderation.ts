/** Moderation by the operator: lists and decides reviews, takes sites offline and restores them. */
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { enqueue } from '../../../kernel/jobs/jobs.ts'
import { sha256 } from '../../../kernel/secrets/crypto.ts'
import * as projects from '../../projects/service.ts'
import { isOffline, OPERATOR_RULE } from './appeals.ts'
import { mailOwner } from './review-jobs.ts'
import * as reviews from './review-store.ts'
import { toAppealUrl, deriveOfflineToken } from './review-token.ts'
import { announceSites } from '../versions/serving.ts'
import * as store from '../store.ts'

export type Review = reviews.ReviewWithProject

export const listReviews: (
  db: Reader,
  which: { open: boolean; count: number },
) => Promise<Review[]> = reviews.listReviews

export interface ReviewDecision {
  review_id: string
  decision: 'allowed' | 'upheld'
  note: string | null
}

/** Records a decision, which a later one may replace. Returns null if the review does not exist. */
export function decide(
  runtime: Runtime,
  { review_id, decision, note }: ReviewDecision,
): Promise<Review | null> {
  const { db, clock } = runtime
  return db.transact(async (tx) => {
    const review = await reviews.findReview(tx, review_id)
    if (review === undefined) return null
    const decided = { decision, decision_note: note, decided_at: clock.now() }
    await reviews.noteDecision(tx, review, decided)
    if (isOffline(review) && review.site_id !== null) {
      const { project_id, site_id: id } = review
      const change =
        decision === 'allowed'
          ? { status: 'live' as const, status_reason: null }
          : { status: 'blocked' as const }
      await setStatus(tx, runtime, { key: { project_id, id }, change })
    }
    await tell(tx, runtime, { ...review, kind: 'decided' })
    return { ...review, ...decided }
  })
}

interface StatusChange {
  key: store.SiteKey
  change: { status: store.SiteRow['status']; status_reason?: string | null }
}

/** Returns null if the site does not exist. */
async function setStatus(
  tx: Transaction,
  runtime: Runtime,
  { key, change }: StatusChange,
): Promise<store.SiteRow | null> {
  await projects.lock(tx, key.project_id)
  if (!(await store.lockSite(tx, key))) return null
  announceSites(tx, runtime, key.project_id)
  return await store.updateSite(tx, key, { ...change, updated_at: runtime.clock.now() })
}

async function tell(
  tx: Transaction,
  runtime: Runtime,
  { project_id, id, kind }: Pick<Review, 'project_id' | 'id'> & { kind: 'decided' | 'offline' },
): Promise<void> {
  const payload = { notice_id: newId(runtime.clock), review_id: id, kind }
  await enqueue(tx, runtime, mailOwner, { project_id, payload })
}

export interface ModeratedSite {
  id: string
  project_id: string
  slug: string
  status: store.SiteRow['status']
  status_reason: string | null
}

/**
 * Takes a site offline and mails its owner the appeal link. Returns null if the site does not
 * exist.
 */
export function takeOffline(
  runtime: Runtime,
  { id, reason }: { id: string; reason: string },
): Promise<(ModeratedSite & { appeal_url: string }) | null> {
  return runtime.db.transact(async (tx) => {
    const site = await reviews.findSiteOfAnyProject(tx, id)
    if (site === undefined) return null
    const change = { status: 'offline' as const, status_reason: reason }
    const row = await setStatus(tx, runtime, { key: site, change })
    if (row === null) return null
    const token = deriveOfflineToken(runtime, row)
    const finding = { rule: OPERATOR_RULE, path: '', line: null, what: reason, digest: '' }
    const review = await reviews.putReview(tx, {
      project_id: row.project_id,
      id: newId(runtime.clock),
      site_id: row.id,
      slug: row.slug,
      findings: JSON.stringify([finding]),
      token_hash: sha256(token),
      created_at: runtime.clock.now(),
    })
    await tell(tx, runtime, { ...review, kind: 'offline' })
    return { ...presentModerated(row), appeal_url: toAppealUrl(runtime, token) }
  })
}

/** Restores a site. Returns null if it does not exist. */
export function restoreOnline(runtime: Runtime, id: string): Promise<ModeratedSite | null> {
  return runtime.db.transact(async (tx) => {
    const site = await reviews.findSiteOfAnyProject(tx, id)
    const change = { status: 'live' as const, status_reason: null }
    const row = site && (await setStatus(tx, runtime, { key: site, change }))
    return row ? presentModerated(row) : null
  })
}

function presentModerated(row: store.SiteRow): ModeratedSite {
  const { id, project_id, slug, status, status_reason } = row
  return { id, project_id, slug, status, status_reason }
}
