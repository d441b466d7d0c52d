/** The appeal of a site owner against a refused deploy or a takedown. */
import { limits } from '../../../contract/limits.ts'
import { sha256 } from '../../../kernel/secrets/crypto.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { enqueue } from '../../../kernel/jobs/jobs.ts'
import { checkRules } from '../check/rules.ts'
import { mailOperator } from './review-jobs.ts'
import * as store from './review-store.ts'

/** The contents of an appeal page. */
export interface Appeal {
  slug: string
  /** Whether a site was taken offline; otherwise a deploy was refused. */
  is_offline: boolean
  findings: { path: string; line: number | null; what: string; why: string; instead: string }[]
  appeal: string | null
  appealed_at: Date | null
  decision: 'allowed' | 'upheld' | null
  decision_note: string | null
}

export async function findAppeal(runtime: Runtime, token: string): Promise<Appeal | null> {
  const review = await store.findReviewByToken(runtime.db, sha256(token))
  return review === undefined ? null : presentAppeal(review)
}

function presentAppeal(review: store.ReviewRow): Appeal {
  const { slug, findings, appeal, appealed_at, decision, decision_note } = review
  return {
    slug,
    is_offline: isOffline(review),
    findings: findings.map(({ rule, path, line, what }) => {
      const { why, instead } =
        Object.entries(checkRules).find(([name]) => name === rule)?.[1] ?? nothing
      return { path, line, what, why, instead }
    }),
    appeal,
    appealed_at,
    decision,
    decision_note,
  }
}

const nothing = { why: '', instead: '' }

/** The rule name of a finding that the operator wrote. */
export const OPERATOR_RULE = 'operator'

export function isOffline({ findings }: Pick<store.ReviewRow, 'findings'>): boolean {
  return findings.some(({ rule }) => rule === OPERATOR_RULE)
}

export interface AppealForm {
  message: string
  /** Address for the decision; empty means the owner of the project. */
  email: string
}

const emailPattern = /^[^\s@<>,;:"]+@[^\s@<>,;:"]+\.[^\s@<>,;:"]+$/
const EMAIL_CHARACTERS_MAX = 254

export type AppealFaults = Partial<Record<keyof AppealForm, 'empty' | 'too_long' | 'no_address'>>

/** Returns the faults of the form by field name. */
export function findObjectionFaults({ message, email }: AppealForm): AppealFaults {
  const most = limits.site_appeal_characters_max
  const faults: AppealFaults = {}
  if (message.trim() === '') faults.message = 'empty'
  if (message.length > most) faults.message = 'too_long'
  if (email !== '' && (email.length > EMAIL_CHARACTERS_MAX || !emailPattern.test(email))) {
    faults.email = 'no_address'
  }
  return faults
}

/**
 * Stores or replaces the statement of an appeal until it is decided. Returns false if the review is
 * missing or not open.
 */
export async function submitAppeal(
  runtime: Runtime,
  token: string,
  objection: AppealForm,
): Promise<boolean> {
  const { db, clock, config } = runtime
  return await db.transact(async (tx) => {
    const review = await store.findReviewByToken(tx, sha256(token))
    if (review === undefined) return false
    const noted = await store.noteAppeal(tx, review, {
      appeal: objection.message.trim(),
      appeal_email: objection.email === '' ? null : objection.email,
      appealed_at: clock.now(),
    })
    if (noted === undefined) return false
    if (config.operator_email !== '' && review.appealed_at === null) {
      const payload = { review_id: review.id }
      await enqueue(tx, runtime, mailOperator, { project_id: review.project_id, payload })
    }
    return true
  })
}
