/**
 * Decides a review, under the lock of its project. Of two decisions at once the second finds a review
 * that is decided; a review of an earlier round was withdrawn.
 */
import type { ProjectRow } from '../../../contract/caller.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import * as projects from '../../projects/service.ts'
import * as documents from '../documents/document-store.ts'
import { kindOfEvidence, kindsOfLevel, updateEvidence } from '../documents/evidence.ts'
import { enqueueNotices } from '../mail-jobs.ts'
import * as store from './review-store.ts'

const DAY_MS = 86_400_000

export interface Decision {
  project_id: string
  id: string
  status: 'approved' | 'rejected'
  reason: string | null
  /** Evidence that has to be given again. */
  ask_again: readonly projects.EvidenceCode[]
}

export type Decided = 'decided' | 'ended' | 'company_first'

/** The number of the round to which a new review of the level belongs: a change of the company ends one. */
export function roundOf(project: ProjectRow, level: projects.CheckedLevel): number {
  return level === 'company' ? project.company_round : project.verification_round
}

export async function decideReview(
  tx: Transaction,
  runtime: Runtime,
  { project_id, id, status, reason, ask_again }: Decision,
): Promise<Decided> {
  const project = await projects.findLocked(tx, project_id)
  const review = await store.lock(tx, { project_id, id })
  if (!project || review?.status !== 'pending') return 'ended'
  const { level } = review
  if (review.round !== roundOf(project, level)) return 'ended'
  if (status === 'approved' && level !== 'company' && project.company_status !== 'approved') {
    return 'company_first'
  }
  const now = runtime.clock.now()
  await store.decide(tx, { project_id, id, status, reason, decided_at: now })
  await projects.setLevel(tx, { project_id, level, status, reason })
  await scheduleEvidenceDeletion(tx, runtime, { project, level, ask_again })
  await enqueueNotices(tx, runtime, { project, notice: { level, status, reason } })
  return 'decided'
}

interface DecidedEvidence {
  project: ProjectRow
  level: projects.CheckedLevel
  ask_again: readonly projects.EvidenceCode[]
}

/** From the decision on, the evidence is kept for the configured days. */
async function scheduleEvidenceDeletion(
  tx: Transaction,
  runtime: Runtime,
  { project, level, ask_again }: DecidedEvidence,
): Promise<void> {
  if (level === 'company') return
  const kept_ms = runtime.config.verification_kept_days * DAY_MS
  const delete_at = new Date(runtime.clock.now_ms() + kept_ms)
  const project_id = project.id
  await documents.scheduleDeletion(tx, { project_id, kinds: kindsOfLevel(level), delete_at })
  const refused = ask_again.map(kindOfEvidence).filter((kind) => kind !== null)
  await documents.scheduleDeletion(tx, { project_id, kinds: refused, delete_at, refused: true })
  if (level === 'full') {
    const is_refused = ask_again.includes('ubo_confirmation')
    await documents.scheduleDeclarationDeletion(tx, project_id, {
      delete_at,
      ...(is_refused && { refused: true }),
    })
  }
  await updateEvidence(tx, project)
}
