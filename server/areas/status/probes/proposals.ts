/** Proposals that failed and recovered probes make to operators. Only an operator publishes one. */
import { Problem } from '../../../contract/errors.ts'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import type { Proposal } from '../incident-schema.ts'
import { componentsOf } from '../incidents/state-at.ts'
import * as store from './probes-store.ts'
import { writeProposal } from './proposal-texts.ts'

export async function listProposals(
  runtime: Runtime,
  db: Reader = runtime.db,
): Promise<Proposal[]> {
  const rows = await store.listOpenProposals(db)
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    components: componentsOf(row),
    impact: row.impact,
    incident_id: row.incident_id,
    since: row.since.toISOString(),
    created_at: row.created_at.toISOString(),
    texts: writeProposal({ ...row, components: componentsOf(row) }, runtime.config),
  }))
}

export interface ProposalDecision {
  id: string
  decision: 'published' | 'dismissed'
  /** The incident that was published. */
  incident_id?: string
}

export async function decideProposal(
  tx: Transaction,
  { clock }: Pick<Runtime, 'clock'>,
  { id, ...decision }: ProposalDecision,
): Promise<void> {
  const decided_at = clock.now()
  const [decided] = await store.decideProposals(tx, { ids: [id], decided_at, ...decision })
  if (decided !== undefined) return
  throw new Problem('conflict', 'This proposal was decided or withdrawn meanwhile.', {
    user_message: 'This proposal was decided or withdrawn meanwhile.',
    next_step: 'Read the open proposals again.',
  })
}

export async function dismissProposal(runtime: Runtime, id: string): Promise<void> {
  await runtime.db.transact(async (tx) => {
    await decideProposal(tx, runtime, { id, decision: 'dismissed' })
    return { id }
  })
}
