/** A proposal as its person sees it. */
import type { Runtime } from '../../../kernel/runtime.ts'
import type { PortalProposal } from '../schema.ts'
import { findToolbox } from '../toolbox.ts'
import type { ProposalRow } from './store.ts'

/** Seconds after which the outcome of a begun operation counts as unknown. */
const BEGUN_S = 300

export function presentProposal(runtime: Runtime, row: ProposalRow): PortalProposal {
  const known = findToolbox(runtime).find(row.operation)
  const { id, operation, about, effect, cost, subject, loss } = row
  const status = statusOf(row, runtime.clock.now())
  return {
    id,
    status,
    operation,
    title: known?.title ?? operation,
    about,
    effect,
    cost,
    subject,
    loss,
    arguments: JSON.parse(row.arguments),
    shape: { ...known?.shape },
    hash: row.input_hash.toString('hex'),
    page: known?.page ?? null,
    reply: row.reply === null ? null : JSON.parse(row.reply),
    problem: row.problem === null ? null : JSON.parse(row.problem),
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  }
}

/** A pending proposal expires; the outcome of one that never ended is unknown, so it failed. */
export function statusOf(
  { status, expires_at, begun_at }: ProposalRow,
  now: Date,
): PortalProposal['status'] {
  if (status === 'pending' && expires_at <= now) return 'expired'
  const since_ms = begun_at === null ? 0 : now.getTime() - begun_at.getTime()
  return status === 'running' && since_ms > BEGUN_S * 1000 ? 'failed' : status
}
