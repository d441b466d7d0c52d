/** Replies for approvals, and their status at a given time: an expired one is rejected. */
import { describeShownOnce } from '../../contract/schema/shown-once.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { findRunner } from './decision/runner.ts'
import { describeInDutch } from './mail/dutch-effects.ts'
import type { Approval, ListedApproval } from './schema.ts'
import type { ApprovalRow, ApprovalStatus } from './store.ts'

export function findStatusAt({ status, expires_at }: ApprovalRow, now: Date): ApprovalStatus {
  return status === 'pending' && expires_at <= now ? 'rejected' : status
}

/** Whether nobody decided in time. A rejection before that without a person was withdrawn by its requester. */
export function isExpired(
  { decided_email, decided_at, expires_at }: ApprovalRow,
  status: ApprovalStatus,
): boolean {
  return (
    status === 'rejected' &&
    decided_email === null &&
    (decided_at === null || decided_at >= expires_at)
  )
}

function approvalUrl(
  { config }: Runtime,
  { project_id, id }: Pick<ApprovalRow, 'project_id' | 'id'>,
): string {
  return `${config.public_url}/portal/projects/${project_id}/approvals/${id}`
}

export function presentListed(runtime: Runtime, row: ApprovalRow): ListedApproval {
  const status = findStatusAt(row, runtime.clock.now())
  const late = isExpired(row, status)
  return {
    id: row.id,
    status,
    operation: row.operation,
    about: row.about,
    about_nl: describeInDutch(row),
    subject: row.subject,
    loss: row.loss,
    effect: row.effect,
    cost: row.cost,
    asked_by: row.asked_as,
    url: approvalUrl(runtime, row),
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    edited: row.edited_at !== null,
    decided_by: late ? 'expiry' : row.decided_email === null ? null : 'person',
    decided_at: (late ? row.expires_at : row.decided_at)?.toISOString() ?? null,
    note: row.note,
    ended_at: (late ? row.expires_at : row.ended_at)?.toISOString() ?? null,
  }
}

export function present(runtime: Runtime, row: ApprovalRow): Approval {
  return {
    ...presentListed(runtime, row),
    arguments: JSON.parse(row.arguments),
    input_hash: row.input_hash.toString('hex'),
    reply: row.reply === null || row.reply === '' ? null : JSON.parse(row.reply),
    left_out: row.reply ? describeShownOnce(findRunner(runtime).find(row.operation)?.reply) : null,
    problem: row.problem === null ? null : JSON.parse(row.problem),
  }
}
