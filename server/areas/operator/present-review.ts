/** A review as operators see it. */
import type * as sites from '../sites/service.ts'
import type { Review } from './schema.ts'

export function presentReview(review: sites.Review): Review {
  return {
    id: review.id,
    project_id: review.project_id,
    project_name: review.project_name,
    site_id: review.site_id,
    slug: review.slug,
    created_at: review.created_at.toISOString(),
    findings: review.findings.map(({ rule, path, line, what }) => ({ rule, path, line, what })),
    appeal: review.appeal,
    appealed_at: review.appealed_at?.toISOString() ?? null,
    decision: review.decision,
    decision_note: review.decision_note,
    decided_at: review.decided_at?.toISOString() ?? null,
  }
}
